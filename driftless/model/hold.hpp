// Turns relations of continuous quantities into parameters that change at events only (discrete.hpp).
#pragma once

#include <memory>
#include <unordered_set>

#include "driftless/model/model.hpp"

namespace driftless {

// Nodes that cause no event: relations of noEvent(...), of smooth(...) and of functions.
using QuietNodes = std::unordered_set<NodeId>;

// The same expression with every a < b, a <= b, floor(a) and ceil(a) of time or variables replaced by a parameter of
// the model, except those that are quiet. Equal expressions get one parameter. Relations of parameters alone, including
// discrete variables, stay as they are: they change at events only.
//
// A side that is a maximum, a minimum or an absolute value has a kink, which polynomials of steps do not reproduce.
// Such a relation is equivalent to two without a kink: max(a, b) < c is a < c and b < c, and abs(a) < c is a < c and -a
// < c.
NodeId hold(Model& model, NodeId expression, const QuietNodes& quiet = {}, SourceRange range = {});

// The same model with held parameters replaced by their relations, which are evaluated at every point and cause no
// events: for algorithms that do not stop at events. `model` itself if nothing is held, or if not only relations change
// at events.
std::shared_ptr<const Model> without_events(const std::shared_ptr<const Model>& model);
// Was the model made by without_events?
bool has_released_relations(const Model& model);

// Adds all relations, floor and ceil of the expression to the quiet nodes.
void add_quiet(const Pool& pool, NodeId expression, QuietNodes& quiet);

// Adds a parameter that represents something discrete. Its name is not a user's name: `pre(n)`, `sample(0, 0.1)`.
ParamId add_parameter(Model& model, Parameter::Role role, std::string name, double value, SourceRange range = {});

// Adds a discrete variable and its parameters; returns its place.
std::size_t add_discrete_variable(Model& model, DiscreteVariable variable);
// The place of the discrete variable whose value or left limit this leaf represents.
std::optional<std::size_t> discrete_variable_of(const Model& model, NodeId leaf);

// Makes the condition of a when clause a discrete Boolean with its own equation; returns the expression that is true at
// the events where it becomes true. Precondition: the relations of `condition` are held.
NodeId becomes_true(Model& model, NodeId condition, std::string text, std::string label, SourceRange range = {});
NodeId edge(Model& model, const DiscreteVariable& boolean);
NodeId change(Model& model, const DiscreteVariable& variable);

ParamId initial_flag(Model& model);
ParamId terminal_flag(Model& model);

}  // namespace driftless
