// A Model is the flattened form of what the user wrote: scalar variables, parameters, equations. Text, the C++ API and
// Python all produce it. It is a value: later stages read it and never change it.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driftless/diagnostics/source.hpp"
#include "driftless/expr/pool.hpp"
#include "driftless/model/discrete.hpp"

namespace driftless {

struct Names;  // expr/print.hpp

enum class EqnId : std::int32_t {};
constexpr std::int32_t index(EqnId id) { return static_cast<std::int32_t>(id); }

enum class StateSelect { Never, Avoid, Default, Prefer, Always };

struct Variable {
  std::string name;  // "x", "body.r[2]"
  SourceRange range;
  std::string unit;
  std::string description;
  std::optional<double> start;  // absent: none was given, the guess is 0
  bool fixed = false;
  double nominal = 1.0;  // > 0
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  StateSelect state_select = StateSelect::Default;
  bool auxiliary = false;  // added by a repair of the structure, not by the user (reduce/repair.hpp)
};

struct Parameter {
  // Given: a number given by the user. The others represent values that change at events only (discrete.hpp): a
  // discrete variable, its left limit, a relation, initial() and the like, a coefficient of an input (drive.hpp).
  enum class Role { Given, Discrete, Pre, Held, Flag, Input };
  std::string name;
  SourceRange range;
  std::string unit;
  std::string description;
  double value = 0.0;
  bool structural = false;  // used when the text was read, for sizes or branches: a new value requires reading it again
  bool fixed = true;        // false: computed by initialization, constant afterwards; the value is a guess
  double nominal = 1.0;     // > 0, if it is not fixed
  Role role = Role::Given;
};

// A number that was computed from parameters and changes with them: the value of another parameter, an attribute of a
// variable, the interval of the experiment.
struct Binding {
  enum class Of { Parameter, Start, Min, Max, StartTime, StopTime, DiscreteStart };
  Of of = Of::Parameter;
  std::size_t place = 0;  // of the parameter, the variable or the discrete variable
  NodeId value;           // leaves are parameters
};

// 0 = residual, where residual = left - right as the user wrote it.
struct Equation {
  NodeId residual;
  std::string label;  // unique and short: "line 7", "line 7 [i=3]", or the name given through the API
  std::string text;   // the equation as the user wrote it, for messages and `analyze`
  SourceRange range;
  std::optional<NodeId> simplified = {};  // with homotopy(actual, simplified) replaced by its second argument
};

// A quantity that does not change along a solution: an energy, a momentum. It is not an equation to be solved, but used
// to measure results, and a projection may enforce it.
struct InvariantOfModel {
  std::string name;
  NodeId value;
  SourceRange range;
};

// A first approximation of a variable over the whole interval, for boundary value problems: a function of time.
struct Guess {
  VarId variable{};
  NodeId value;  // leaves are time and parameters
  SourceRange range;
};

// smooth(p, e): the author promises that neither e nor its time derivatives up to order p jump.
struct Promise {
  NodeId expression;
  int derivatives = 0;
};

enum class AssertionLevel { Error, Warning };

// A condition that must hold at the start and after every step. An error ends the run, a warning becomes a remark.
struct Assertion {
  NodeId condition;
  std::string message;
  AssertionLevel level = AssertionLevel::Error;
  bool only_at_start = false;  // of an initial equation section
  std::string label;           // "line 7", "line 7 [i=3]", or "assertion 1" through the API
  std::string text;            // the condition as the user wrote it
  SourceRange range;
};

struct Experiment {
  double start = 0.0;
  double stop = 1.0;
  std::optional<double> tolerance = {};
  std::optional<double> interval = {};
};

struct Model {
  std::string name;
  std::shared_ptr<Pool> pool = std::make_shared<Pool>();
  std::shared_ptr<const Sources> sources = std::make_shared<Sources>();
  std::vector<Variable> variables;    // indexed by VarId
  std::vector<Parameter> parameters;  // indexed by ParamId
  std::vector<Equation> equations;    // indexed by EqnId
  std::vector<Equation> replaced;     // by a repair of the structure; their EqnIds follow those of `equations`
  std::vector<Equation> initial_equations;
  std::vector<Equation> final_equations;  // hold at the stop time: conditions of a boundary value problem
  std::vector<Guess> guesses;
  std::vector<InvariantOfModel> invariants;
  std::vector<Assertion> assertions;
  std::vector<Assertion> settled;  // of parameters alone: they hold, and are tested again for runs with other values
  std::vector<Promise> smooth;
  std::vector<Binding> bindings;
  DiscretePart discrete;
  Experiment experiment;

  const Variable& operator[](VarId id) const { return variables[static_cast<std::size_t>(index(id))]; }
  const Parameter& operator[](ParamId id) const { return parameters[static_cast<std::size_t>(index(id))]; }
  const Equation& operator[](EqnId id) const {
    const auto k = static_cast<std::size_t>(index(id));
    return k < equations.size() ? equations[k] : replaced[k - equations.size()];
  }
};

// A model whose pool accepts new expressions: the model itself, or, if its pool is frozen, a copy with a pool on top of
// it. Expressions of the model mean the same in both.
std::shared_ptr<const Model> growable(const std::shared_ptr<const Model>& model);

// The names refer to the model, which must outlive them.
Names names_of(const Model& model);

// "x", "der(x)", "der(der(x))": the readable name of the k-th derivative of a variable.
std::string derivative_name(const std::string& name, int order);

}  // namespace driftless
