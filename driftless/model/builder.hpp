// Models written in C++. A pendulum, as Cartesian coordinates and a rod of length L:
//
//   ModelBuilder m("Pendulum");
//   auto L = m.parameter("L", 1.0);
//   auto g = m.parameter("g", 9.81);
//   auto x = m.variable("x", {.start = 1.0});
//   auto y = m.variable("y", {.start = 0.0, .fixed = true});
//   auto lambda = m.variable("lambda");
//   m.equation(der(der(x)) == -lambda * x);
//   m.equation(der(der(y)) == -lambda * y - g);
//   m.equation(x * x + y * y == L * L, "rod");
//   m.initial_equation(der(y) == 0.0);
//   m.experiment({.stop = 10.0});
//   Model model = m.build();
//
// Or traced from a function that computes residuals F(t, x, ẋ), which is called once:
//
//   Model decay = trace("Decay", 1, [](auto t, auto x, auto dx) { return std::vector{dx[0] + t * x[0]}; });
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driftless/diagnostics/diagnostic.hpp"
#include "driftless/model/hold.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

struct EquationSides;

// An expression of one builder, or a number. It is a small value; the builder, or the model made
// from it, keeps the expression alive. Mixing expressions of two builders throws a ModelError.
//
// All functions are found by argument-dependent lookup only, so std::sin and plain numbers are not affected.
class Expr {
 public:
  Expr() : Expr(0.0) {}
  Expr(double value) : value_(value) {}  // implicit, so that 2*x and x == 0 can be written
  Expr(Pool& pool, NodeId node) : pool_(&pool), node_(node) {}

  const Pool* pool() const { return pool_; }  // null: a number
  NodeId node_in(Pool& pool) const;           // the node in this pool, which must be the pool of the expression
  bool is_zero() const { return pool_ ? pool_->is_constant(node_, 0.0) : value_ == 0.0; }  // decided by its form only

  Expr& operator+=(Expr other) { return *this = *this + other; }
  Expr& operator-=(Expr other) { return *this = *this - other; }
  Expr& operator*=(Expr other) { return *this = *this * other; }
  Expr& operator/=(Expr other) { return *this = *this / other; }

  friend Expr operator+(Expr a) { return a; }
  friend Expr operator-(Expr a) { return apply(Op::Neg, a); }
  friend Expr operator+(Expr a, Expr b) { return apply(Op::Add, a, b); }
  friend Expr operator-(Expr a, Expr b) { return apply(Op::Sub, a, b); }
  friend Expr operator*(Expr a, Expr b) { return apply(Op::Mul, a, b); }
  friend Expr operator/(Expr a, Expr b) { return apply(Op::Div, a, b); }
  friend Expr pow(Expr a, Expr b) { return apply(Op::Pow, a, b); }

  friend Expr sqrt(Expr a) { return apply(Op::Sqrt, a); }
  friend Expr exp(Expr a) { return apply(Op::Exp, a); }
  friend Expr log(Expr a) { return apply(Op::Log, a); }
  friend Expr log10(Expr a) { return apply(Op::Log10, a); }
  friend Expr sin(Expr a) { return apply(Op::Sin, a); }
  friend Expr cos(Expr a) { return apply(Op::Cos, a); }
  friend Expr tan(Expr a) { return apply(Op::Tan, a); }
  friend Expr asin(Expr a) { return apply(Op::Asin, a); }
  friend Expr acos(Expr a) { return apply(Op::Acos, a); }
  friend Expr atan(Expr a) { return apply(Op::Atan, a); }
  friend Expr atan2(Expr y, Expr x) { return apply(Op::Atan2, y, x); }
  friend Expr sinh(Expr a) { return apply(Op::Sinh, a); }
  friend Expr cosh(Expr a) { return apply(Op::Cosh, a); }
  friend Expr tanh(Expr a) { return apply(Op::Tanh, a); }
  friend Expr asinh(Expr a) { return apply(Op::Asinh, a); }
  friend Expr acosh(Expr a) { return apply(Op::Acosh, a); }
  friend Expr atanh(Expr a) { return apply(Op::Atanh, a); }
  friend Expr abs(Expr a) { return apply(Op::Abs, a); }
  friend Expr sign(Expr a) { return apply(Op::Sign, a); }
  friend Expr min(Expr a, Expr b) { return apply(Op::Min, a, b); }
  friend Expr max(Expr a, Expr b) { return apply(Op::Max, a, b); }
  friend Expr floor(Expr a) { return apply(Op::Floor, a); }
  friend Expr ceil(Expr a) { return apply(Op::Ceil, a); }

  // Conditions, for if_else.
  friend Expr operator<(Expr a, Expr b) { return apply(Op::Less, a, b); }
  friend Expr operator<=(Expr a, Expr b) { return apply(Op::LessEqual, a, b); }
  friend Expr operator>(Expr a, Expr b) { return apply(Op::Less, b, a); }
  friend Expr operator>=(Expr a, Expr b) { return apply(Op::LessEqual, b, a); }
  friend Expr operator&&(Expr a, Expr b) { return apply(Op::And, a, b); }
  friend Expr operator||(Expr a, Expr b) { return apply(Op::Or, a, b); }
  friend Expr operator!(Expr a) { return apply(Op::Not, a); }
  friend Expr if_else(Expr condition, Expr then, Expr otherwise);

  // The time derivative, of a variable and of any expression.
  friend Expr der(Expr a);

  // The partial derivative by time, by a variable or by a time derivative of one, all others held.
  friend Expr partial(Expr a, Expr leaf);

  // The variables and derivatives of variables in the expression, each once.
  friend std::vector<Expr> leaves_of(Expr a);
  // The same value, with factors ±2^k cancelled (expr/constant_factors.hpp): m instead of 2*m/2.
  friend Expr collect_constant_factors(Expr a);
  friend bool same(Expr a, Expr b) { return a.pool_ && a.pool_ == b.pool_ && a.node_ == b.node_; }  // by form

  // An equation, not a comparison.
  friend EquationSides operator==(Expr left, Expr right);

 private:
  static Expr apply(Op op, Expr a);
  static Expr apply(Op op, Expr a, Expr b);
  static Pool* common_pool(Expr a, Expr b);

  Pool* pool_ = nullptr;
  NodeId node_{};
  double value_ = 0.0;  // of a number
};

struct EquationSides {
  Expr left, right;
};

struct VariableOptions {
  std::optional<double> start = {};
  bool fixed = false;
  double nominal = 1.0;
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  StateSelect state_select = StateSelect::Default;
  std::string unit = {};
  std::string description = {};
};

struct ParameterOptions {
  std::string unit = {};
  std::string description = {};
  bool fixed = true;  // false: the value is a guess, and initialization computes the parameter
  double nominal = 1.0;
};

struct DiscreteOptions {
  DiscreteType type = DiscreteType::Real;
  double start = 0.0;  // of its left limit at the start
  bool fixed = false;  // and of the variable itself
  std::vector<std::string> literals = {};
  std::string unit = {};
  std::string description = {};
};

class ModelBuilder {
 public:
  explicit ModelBuilder(std::string name);

  Expr time() const;
  Expr variable(std::string name, VariableOptions options = {});
  // A variable that is given from outside (SimulateOptions::inputs); otherwise its value is its start.
  Expr input(std::string name, VariableOptions options = {});
  std::vector<Expr> variables(const std::string& name, int count, const VariableOptions& options = {});  // name[1], ...
  Expr parameter(std::string name, double value, ParameterOptions options = {});

  // Without a label the equations are called "equation 1", "equation 2", ...
  void equation(const EquationSides& sides, std::string label = {});
  // With a simplified form, from which the start can be found if the equation itself does not lead to it
  // (docs/initialize.md).
  void equation(const EquationSides& sides, const EquationSides& simplified, std::string label = {});
  void initial_equation(const EquationSides& sides, std::string label = {});

  // Boundary value problems (docs/boundary.md): conditions at the stop time, and a first approximation of a variable as
  // a function of time and parameters.
  void final_equation(const EquationSides& sides, std::string label = {});
  void guess(Expr variable, Expr value);

  // A quantity that stays constant along solutions, such as an energy: its values are a column of the solution like a
  // variable.
  void invariant(std::string name, Expr value);

  // A condition that must hold during the run: a violated assertion ends the run; a violated warning becomes a remark.
  void assertion(Expr condition, std::string message, AssertionLevel level = AssertionLevel::Error);

  // The same value, with the promise that neither it nor its time derivatives up to the given order jump: an equation
  // that contains it may be differentiated.
  Expr smooth(int derivatives, Expr value);

  // Events (docs/events.md). Relations in equations change at events only, unless they are in no_event(...).
  //
  //   const Expr bounces = m.discrete("bounces", {.type = DiscreteType::Integer});
  //   const Expr hit = m.when(h < 0.0);                 // true at the events at which h < 0 becomes true
  //   m.discrete_equation(bounces == if_else(hit, m.pre(bounces) + 1.0, m.pre(bounces)));
  //   m.reinit(hit, v, -e * v);
  Expr discrete(std::string name, DiscreteOptions options = {});
  void discrete_equation(const EquationSides& sides, std::string label = {});
  void initial_discrete_equation(const EquationSides& sides, std::string label = {});
  Expr pre(Expr discrete);
  Expr edge(Expr boolean);
  Expr change(Expr discrete);
  Expr when(Expr condition, std::string label = {});
  Expr sample(Expr start, Expr interval);
  // The value that the expression had a time T > 0 ago; before start + T its value at the start. `time`: T, an
  // expression of parameters.
  Expr delay(Expr value, Expr time);
  // The same for a time that may change during the run, 0 < time <= longest. `longest`: an expression of parameters.
  Expr delay(Expr value, Expr time, Expr longest);
  Expr initial();
  Expr terminal();
  void reinit(Expr condition, Expr variable, Expr value, std::string label = {});
  void terminate(Expr condition, std::string message);
  // The same value; its relations cause no event and are evaluated at every point.
  Expr no_event(Expr value);

  void experiment(const Experiment& experiment);

  // Throws a ModelError with all errors.
  Model build() const;

  std::string text(const Expr& expression) const;  // with the names of its variables, as messages show it

 private:
  void add(std::vector<Equation>& to, const EquationSides& sides, std::string label, const std::string& kind);
  void add(std::vector<DiscreteEquation>& to, const EquationSides& sides, std::string label, const std::string& kind);
  std::optional<NodeId> own(const Expr& expression, const std::string& label);
  const DiscreteVariable* discrete_variable(const Expr& leaf, const char* operation);

  Model model_;
  QuietNodes quiet_;
  Diagnostics diagnostics_;  // errors found while equations are added
};

struct TraceOptions {
  std::vector<double> start = {};  // one for each unknown, or none
  bool fixed = false;              // the start values are imposed exactly instead of being guesses
  Experiment experiment = {};
  // From the same t, x, ẋ: quantities that stay constant, with their names.
  std::function<std::vector<std::pair<std::string, Expr>>(Expr t, const std::vector<Expr>& x,
                                                          const std::vector<Expr>& dx)>
      invariants = {};
};

// The model 0 = F(t, x, ẋ) with n unknowns x[1], ..., x[n]. `residuals(t, x, dx)` gets an Expr and
// two vectors of Expr, and returns a vector of Expr.
template <typename F>
Model trace(std::string name, int n, F&& residuals, const TraceOptions& options = {});

// ---- details

std::vector<Expr> traced_unknowns(ModelBuilder& builder, int n, const TraceOptions& options);
Model traced_model(ModelBuilder& builder, int n, const std::vector<Expr>& residuals);

template <typename F>
Model trace(std::string name, int n, F&& residuals, const TraceOptions& options) {
  ModelBuilder builder(std::move(name));
  const std::vector<Expr> x = traced_unknowns(builder, n, options);
  std::vector<Expr> dx;
  for (const Expr& unknown : x) dx.push_back(der(unknown));
  if (options.invariants)
    for (auto& [invariant, value] : options.invariants(builder.time(), x, dx))
      builder.invariant(std::move(invariant), value);
  return traced_model(builder, n, std::forward<F>(residuals)(builder.time(), x, dx));
}

}  // namespace driftless
