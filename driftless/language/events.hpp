// Discrete variables, discrete equations and relations while the text becomes a model (model/discrete.hpp).
//
// Equations are first built with relations such as x > 0; these are held, that is replaced by parameters that change at
// events only, when the equation is complete. An equation knows which of its relations cause no event.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "driftless/diagnostics/source.hpp"
#include "driftless/language/value.hpp"
#include "driftless/model/hold.hpp"

namespace driftless::language {

class Elaboration;
struct Component;
struct Environment;
struct EquationSite;
struct Instance;

// Data about events of the equations built so far, and of the present one.
struct EventNotes {
  QuietNodes quiet;                                 // of the equation being written
  std::unordered_map<NodeId, QuietNodes> quiet_of;  // of continuous equations that have some, by their residual
  std::optional<NodeId> reached;                    // the condition under which these lines of text apply
  bool inside_when = false;
  int inside_no_event = 0;
  std::unordered_map<std::size_t, SourceRange> assigned;   // discrete variables assigned in when clauses, and where
  std::vector<std::pair<VarId, SourceRange>> left_limits;  // pre(x) of continuous variables in when clauses
  std::set<std::string> jumping;  // those of them that are not differentiated, from earlier readings
  std::map<int, std::size_t>
      left_limit_variables;  // by the number of such a variable: its left limit (left_limits.cpp)
};

// While it exists, lines of text apply only under a further condition.
class Reached {
 public:
  Reached(Elaboration& all, NodeId condition);
  ~Reached();
  Reached(const Reached&) = delete;
  Reached& operator=(const Reached&) = delete;

 private:
  Elaboration& all_;
  std::optional<NodeId> outer_;
};

// --- left limits of continuous variables that may jump (left_limits.cpp)

// Per variable: does its derivative occur?
std::vector<bool> differentiated(const Elaboration& all);
// The discrete variable that stands for pre(y).
NodeId left_limit_variable(Elaboration& all, VarId y, SourceRange range);
// Adds the equations of these variables, when all others are known and their relations are held.
void define_left_limits(Elaboration& all);
void refuse_left_limit(Elaboration& all, VarId y, SourceRange range);

// --- discrete variables (discrete_variables.cpp)

// Components that when clauses assign to are discrete, independent of their type.
void mark_assigned_in_when(Instance& instance);
bool is_discrete(const Component& component);
void declare_discrete(Elaboration& all, Component& component, const Shape& shape);
// The place of the discrete variable whose value the node is; nothing for its left limit and all other nodes.
std::optional<std::size_t> discrete_value(const Model& model, NodeId leaf);
// Does it depend on time, on variables, or on values that change at events?
bool changes_during_run(const Model& model, NodeId expression);
// "x", "x[2]": the name of a variable, a parameter or a discrete variable; the text of other expressions.
std::string name_of(const Model& model, NodeId leaf);
// Reports an error unless there are as many equations as discrete variables, and each variable is in one of them.
void check_discrete_count(Elaboration& all);

// --- discrete equations (discrete_equations.cpp)

// Does left = right hold at events only? Types are those of the two sides.
bool is_discrete_equation(const Model& model, Type left_type, Type right_type, NodeId left, NodeId right, bool initial);
// The discrete equation with the variable that it determines on the left if this is evident. Relations are not held
// yet.
DiscreteEquation discrete_equation(Elaboration& all, const EquationSite& site, const std::string& which, NodeId left,
                                   NodeId right);
// Holds the relations and adds the equation to the model, unless it cannot be one (an error).
void add_discrete_equation(const Environment& at, DiscreteEquation equation, bool initial);

// --- relations (events.cpp)

// Marks the relations in all elements of a value as causing no event.
void add_quiet(const Pool& pool, const Value& value, QuietNodes& quiet);
// Records that the continuous equations from `first` on have the present quiet relations.
void note_quiet_relations(Elaboration& all, const std::vector<Equation>& equations, std::size_t first);
// After all equations: holds relations and makes the checks that need the whole text.
void finish_events(Elaboration& all);

}  // namespace driftless::language
