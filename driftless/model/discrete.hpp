// The part of a model that changes at events only.
//
// Between two events it is constant, so it occurs in expressions as parameters: the value of a discrete variable, its
// left limit pre(v), and the truth of a relation such as h < 0, which keeps its value until an event changes it. The
// continuous equations of a model with events are therefore smooth, and every stage that handles parameters handles
// them: structure, reduction, formulations, kernels.
//
// There are no when clauses in this representation. `when c then n = pre(n) + 1; reinit(v, -e*v); end when` is
//
//   condition = c                                        a discrete variable of its own, and its equation
//   n = if edge(condition) then pre(n) + 1 else pre(n)   edge(b): b and not pre(b)
//   reinit: v becomes -e*v where edge(condition)
//
// What happens at an event, with pre-values held: discrete equations, relations and continuous equations are solved
// together, then reinits are carried out; pre(v) becomes v, and this is repeated until no v differs from pre(v)
// (docs/events.md).
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "driftless/diagnostics/source.hpp"
#include "driftless/expr/pool.hpp"
#include "driftless/model/signal.hpp"

namespace driftless {

// Booleans are 0 or 1; the literals of an enumeration are 1, 2, ...
enum class DiscreteType { Real, Integer, Boolean, Enumeration };

struct DiscreteVariable {
  std::string name;
  SourceRange range;
  std::string unit;
  std::string description;
  DiscreteType type = DiscreteType::Real;
  std::vector<std::string> literals;  // of an enumeration
  ParamId value{}, pre{};             // their parameters in expressions
  double start = 0.0;                 // of pre(v), at the start
  bool fixed = false;                 // v itself has this value at the start
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool auxiliary = false;  // not declared by the user: the condition of a when clause, whose text is `name`
};

// left = right, at the start and at every event. One side is a discrete variable, or the negation of a Boolean one:
// which variable an equation determines is found by matching (events/order.hpp).
struct DiscreteEquation {
  NodeId left, right;
  std::string label;  // as that of an Equation
  std::string text;
  SourceRange range;
};

// An expression that is piecewise constant along the solution: a < b, a <= b, floor(a), ceil(a). Equations contain the
// parameter `held` instead, which changes at events only.
struct Held {
  NodeId expression;  // of time, variables and parameters
  ParamId held{};
  std::string text;  // as the user wrote it, or nearly so
  SourceRange range;
};

// sample(start, interval): true at the events at start + k*interval, k = 0, 1, ...
struct Sampling {
  NodeId start, interval;  // of parameters
  ParamId now{};
  SourceRange range;
};

// The k-th derivative of a variable, which can be a state, takes a new value where the condition is true.
struct Reinit {
  VarId variable{};
  int order = 0;
  NodeId condition, value;
  std::string label;
  std::string text;
  SourceRange range;
};

// The run ends, successfully, where the condition is true.
struct Termination {
  NodeId condition;
  std::string message;
  SourceRange range;
};

// A condition that must hold at events: assert inside a when clause. The condition is true where the clause is not
// active.
struct EventAssertion {
  NodeId condition;
  std::string message;
  bool is_warning = false;
  std::string label;
  std::string text;
  SourceRange range;
};

// A variable that is given from outside: a polynomial of time between two events (drive.hpp).
struct ModelInput {
  std::string name;
  VarId variable{-1};                   // or, for a discrete input,
  std::optional<std::size_t> discrete;  // its place among the discrete variables
  ParamId origin{};
  std::array<ParamId, 4> c{};           // coefficients
  std::optional<std::size_t> declared;  // place of the model's equation that gives its value if nothing else does
  PiecewiseSignal signal = {};          // in this run
};

// delay(e, T) and delay(e, T, longest): a polynomial between two events, taken from the history of e (delay.hpp).
struct Delay {
  NodeId expression, time;             // e; T, of parameters unless there is a longest one
  std::optional<NodeId> longest = {};  // an upper bound of T, of parameters, if T changes during the run
  VarId variable{}, source{};          // the delayed value; e
  ParamId origin{}, until{};
  std::optional<ParamId> from = {};       // if T changes: the polynomial is valid between `from` and `until`
  std::array<ParamId, 8> c{};             // coefficients
  std::size_t end = 0;                    // place of the relation until <= time, or time - T, in DiscretePart::held
  std::optional<std::size_t> begin = {};  // if T changes: place of the relation time - T < from
  std::string text;
  SourceRange range;
};

struct DiscretePart {
  std::vector<DiscreteVariable> variables;
  std::vector<DiscreteEquation> equations;
  std::vector<DiscreteEquation> initial_equations;  // at the start only; one side may also be pre(v)
  std::vector<Held> held;
  std::unordered_map<NodeId, std::size_t> held_places;  // by expression: places added to `held` by `hold` (hold.hpp)
  std::vector<Sampling> samplings;
  std::vector<Reinit> reinits;
  std::vector<Termination> terminations;
  std::vector<EventAssertion> assertions;
  std::vector<ModelInput> inputs;
  std::vector<Delay> delays;
  std::optional<ParamId> initial, terminal;  // true while the start is found; at the event that ends the run

  // True if nothing but relations changes at events.
  bool has_relations_only() const {
    return variables.empty() && samplings.empty() && reinits.empty() && terminations.empty() && assertions.empty() &&
           delays.empty();
  }
  // True if nothing changes at events. Inputs do not count: they change only if they have a signal of several pieces.
  bool is_empty() const { return held.empty() && has_relations_only(); }
};

}  // namespace driftless
