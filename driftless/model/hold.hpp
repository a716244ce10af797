// Relations of continuous quantities become parameters that change at events only (discrete.hpp).
#pragma once

#include <memory>
#include <unordered_set>

#include "driftless/model/model.hpp"

namespace driftless {

// Nodes that cause no event: relations of noEvent(...), of smooth(...) and of functions.
using QuietNodes = std::unordered_set<NodeId>;

// The same expression with every a < b, a <= b, floor(a) and ceil(a) of time or variables replaced by a parameter of
// the model, except those that are quiet. Equal expressions get one parameter. What contains parameters alone, discrete
// variables among them, stays as it is: it changes at events anyway.
//
// A side that is a maximum, a minimum or an absolute value has a kink, which polynomials of steps do not show. Such a
// relation is the same as two without it: max(a, b) < c is a < c and b < c, and abs(a) < c is a < c and -a < c.
NodeId hold(Model& model, NodeId expression, const QuietNodes& quiet = {}, SourceRange range = {});

// The same model with all relations in their places again, so that they are evaluated at every point and cause no
// events: for whatever does not stop at events. `model` itself if nothing is held, or if more than relations changes at
// events.
std::shared_ptr<const Model> without_events(const std::shared_ptr<const Model>& model);
// Is it such a model?
bool has_released_relations(const Model& model);

// Quiet are all such nodes of the expression.
void add_quiet(const Pool& pool, NodeId expression, QuietNodes& quiet);

// Parameters that stand for what is discrete. Their names are no names of the user: `pre(n)`, `sample(0, 0.1)`.
ParamId add_parameter(Model& model, Parameter::Role role, std::string name, double value, SourceRange range = {});

// With its parameters.
std::size_t add_discrete_variable(Model& model, DiscreteVariable variable);
// The place of the variable whose value, or left limit, the leaf is.
std::optional<std::size_t> discrete_variable_of(const Model& model, NodeId leaf);

// The condition of a when clause as a discrete Boolean with an equation of its own: the expression that is true at the
// events where it becomes true. `condition` is held already.
NodeId becomes_true(Model& model, NodeId condition, std::string text, std::string label, SourceRange range = {});
NodeId edge(Model& model, const DiscreteVariable& boolean);
NodeId change(Model& model, const DiscreteVariable& variable);

ParamId initial_flag(Model& model);
ParamId terminal_flag(Model& model);

}  // namespace driftless
