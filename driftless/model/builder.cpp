#include "driftless/model/builder.hpp"

#include "driftless/model/drive.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "driftless/expr/apply.hpp"
#include "driftless/expr/calculus.hpp"
#include "driftless/expr/constant_factors.hpp"
#include "driftless/expr/print.hpp"

namespace driftless {
namespace {

constexpr const char* foreign_expression =
    "an expression of another model is used; every model has variables of its own";

[[noreturn]] void fail(Code code, std::string message) {
  Diagnostics diagnostics;
  diagnostics.error(code, {}, std::move(message));
  throw ModelError(std::move(diagnostics), Sources{});
}

void check(const Variable& variable, Diagnostics& diagnostics) {
  const auto complain = [&](Code code, const std::string& what) {
    diagnostics.error(code, {}, fmt::format("variable {}: {}", variable.name, what));
  };
  if (variable.start && !std::isfinite(*variable.start))
    complain(Code::NotFinite, "the start value is not a finite number");
  if (!(variable.nominal > 0.0) || !std::isfinite(variable.nominal)) {
    complain(Code::NominalNotPositive,
             fmt::format("the nominal value must be a positive number, not {}", variable.nominal));
  }
  if (!(variable.min <= variable.max)) {
    complain(Code::MinAboveMax, fmt::format("min = {} is not below max = {}", variable.min, variable.max));
  }
}

void check(const Parameter& parameter, Diagnostics& diagnostics) {
  if (std::isfinite(parameter.value)) return;
  diagnostics.error(Code::NotFinite, {}, fmt::format("parameter {}: the value is not a finite number", parameter.name));
}

void check(const Experiment& experiment, Diagnostics& diagnostics) {
  if (!std::isfinite(experiment.start) || !std::isfinite(experiment.stop) || experiment.stop < experiment.start) {
    diagnostics.error(
        Code::WrongExperiment, {},
        fmt::format("experiment: the stop time must not be before the start time, but it is from {} to {}",
                    experiment.start, experiment.stop));
  }
  const auto positive = [&](const std::optional<double>& value, std::string_view what) {
    if (!value || (*value > 0.0 && std::isfinite(*value))) return;
    diagnostics.error(Code::WrongExperiment, {},
                      fmt::format("experiment: the {} must be a positive number, not {}", what, *value));
  };
  positive(experiment.tolerance, "tolerance");
  positive(experiment.interval, "interval");
}

// Variables and parameters share one space of names, labels of equations another.
class UniqueNames {
 public:
  void add(const std::string& name, const std::string& kind, Diagnostics& diagnostics) {
    if (name.empty()) {
      diagnostics.error(Code::NoValueGiven, {}, fmt::format("a {} has no name", kind));
      return;
    }
    if (name == "time") {
      diagnostics.error(Code::DeclaredTwice, {},
                        fmt::format("a {} cannot be called time: that is the name of time itself", kind));
      return;
    }
    const auto [earlier, is_new] = kinds_.emplace(name, kind);
    if (is_new) return;
    diagnostics.error(Code::DeclaredTwice, {},
                      fmt::format("the {} {} has the name of an earlier {}", kind, name, earlier->second));
  }

 private:
  std::map<std::string, std::string> kinds_;
};

void check(const Equation& equation, const Pool& pool, Diagnostics& diagnostics) {
  const bool finite = !any_node(pool, equation.residual, [&](NodeId id) {
    return pool.is_constant(id) && !std::isfinite(pool.constant_value(id));
  });
  if (finite) return;
  diagnostics.error(Code::NotFinite, {},
                    fmt::format("{}: {} contains a number that is not finite", equation.label, equation.text));
}

}  // namespace

// ---- expressions

NodeId Expr::node_in(Pool& pool) const {
  if (pool_ == nullptr) return pool.constant(value_);
  if (pool_ != &pool) fail(Code::ForeignExpression, foreign_expression);
  return node_;
}

Pool* Expr::common_pool(Expr a, Expr b) { return a.pool_ ? a.pool_ : b.pool_; }

Expr Expr::apply(Op op, Expr a) {
  if (!a.pool_) return driftless::apply(op, a.value_);
  return {*a.pool_, a.pool_->unary(op, a.node_)};
}

Expr Expr::apply(Op op, Expr a, Expr b) {
  Pool* pool = common_pool(a, b);
  if (!pool) return driftless::apply(op, a.value_, b.value_);
  return {*pool, pool->binary(op, a.node_in(*pool), b.node_in(*pool))};
}

Expr if_else(Expr condition, Expr then, Expr otherwise) {
  Pool* pool = condition.pool_ ? condition.pool_ : Expr::common_pool(then, otherwise);
  if (!pool) return condition.value_ != 0.0 ? then : otherwise;
  return {*pool, pool->if_else(condition.node_in(*pool), then.node_in(*pool), otherwise.node_in(*pool))};
}

Expr der(Expr a) {
  if (!a.pool_) return 0.0;
  return {*a.pool_, TimeDerivative(*a.pool_)(a.node_)};
}

Expr partial(Expr a, Expr leaf) {
  const auto is_leaf = [&](Op op) { return leaf.pool_ && (*leaf.pool_)[leaf.node_].op == op; };
  if (!is_leaf(Op::Variable) && !is_leaf(Op::Time))
    fail(Code::WrongArgument, "a partial derivative is taken by what is no variable");
  return {*leaf.pool_, partial(*leaf.pool_, a.node_in(*leaf.pool_), leaf.node_)};
}

std::vector<Expr> leaves_of(Expr a) {
  std::vector<Expr> leaves;
  if (!a.pool_) return leaves;
  for (const NodeId leaf : variables_of(*a.pool_, a.node_)) leaves.push_back({*a.pool_, leaf});
  return leaves;
}

Expr collect_constant_factors(Expr a) {
  if (!a.pool_) return a;
  return {*a.pool_, collect_constant_factors(*a.pool_, a.node_)};
}

EquationSides operator==(Expr left, Expr right) { return {left, right}; }

// ---- the builder

ModelBuilder::ModelBuilder(std::string name) { model_.name = std::move(name); }

Expr ModelBuilder::time() const { return {*model_.pool, model_.pool->time()}; }

Expr ModelBuilder::variable(std::string name, VariableOptions options) {
  model_.variables.push_back({.name = std::move(name),
                              .range = {},
                              .unit = std::move(options.unit),
                              .description = std::move(options.description),
                              .start = options.start,
                              .fixed = options.fixed,
                              .nominal = options.nominal,
                              .min = options.min,
                              .max = options.max,
                              .state_select = options.state_select});
  return {*model_.pool, model_.pool->variable(VarId{static_cast<std::int32_t>(model_.variables.size()) - 1})};
}

Expr ModelBuilder::input(std::string name, VariableOptions options) {
  const Expr made = variable(std::move(name), std::move(options));
  add_input(model_, VarId{static_cast<std::int32_t>(model_.variables.size()) - 1});
  return made;
}

std::vector<Expr> ModelBuilder::variables(const std::string& name, int count, const VariableOptions& options) {
  std::vector<Expr> made;
  for (int i = 1; i <= count; ++i) made.push_back(variable(fmt::format("{}[{}]", name, i), options));
  return made;
}

Expr ModelBuilder::parameter(std::string name, double value, ParameterOptions options) {
  model_.parameters.push_back({.name = std::move(name),
                               .range = {},
                               .unit = std::move(options.unit),
                               .description = std::move(options.description),
                               .value = value,
                               .fixed = options.fixed,
                               .nominal = options.nominal});
  return {*model_.pool, model_.pool->parameter(ParamId{static_cast<std::int32_t>(model_.parameters.size()) - 1})};
}

void ModelBuilder::equation(const EquationSides& sides, std::string label) {
  add(model_.equations, sides, std::move(label), "equation");
}

void ModelBuilder::equation(const EquationSides& sides, const EquationSides& simplified, std::string label) {
  const std::size_t before = model_.equations.size();
  add(model_.equations, sides, std::move(label), "equation");
  if (model_.equations.size() == before) return;
  Pool& pool = *model_.pool;
  model_.equations.back().simplified = pool.sub(simplified.left.node_in(pool), simplified.right.node_in(pool));
}

void ModelBuilder::initial_equation(const EquationSides& sides, std::string label) {
  add(model_.initial_equations, sides, std::move(label), "initial equation");
}

void ModelBuilder::final_equation(const EquationSides& sides, std::string label) {
  add(model_.final_equations, sides, std::move(label), "final equation");
}

void ModelBuilder::guess(Expr variable, Expr value) {
  Pool& pool = *model_.pool;
  const bool is_variable = variable.pool() == &pool && pool[variable.node_in(pool)].op == Op::Variable &&
                           pool[variable.node_in(pool)].b == 0;
  if (!is_variable) {
    diagnostics_.error(Code::WrongBoundaryText, {}, "a guess is given for what is no variable of the model");
    return;
  }
  const VarId id{static_cast<std::int32_t>(pool[variable.node_in(pool)].a)};
  if (value.pool() != nullptr && value.pool() != &pool) {
    diagnostics_.error(Code::ForeignExpression, {},
                       fmt::format("the guess of {}: {}", model_[id].name, foreign_expression));
    return;
  }
  const NodeId node = value.node_in(pool);
  if (!variables_of(pool, node).empty())
    diagnostics_.error(
        Code::WrongBoundaryText, {},
        fmt::format("the guess of {} contains a variable; it may contain time and parameters", model_[id].name));
  model_.guesses.push_back({id, node, {}});
}

void ModelBuilder::add(std::vector<Equation>& to, const EquationSides& sides, std::string label,
                       const std::string& kind) {
  if (label.empty()) label = fmt::format("{} {}", kind, to.size() + 1);
  Pool& pool = *model_.pool;
  for (const Expr& side : {sides.left, sides.right}) {
    if (side.pool() == nullptr || side.pool() == &pool) continue;
    diagnostics_.error(Code::ForeignExpression, {}, fmt::format("{}: {}", label, foreign_expression));
    return;
  }
  const NodeId left = sides.left.node_in(pool);
  const NodeId right = sides.right.node_in(pool);
  const Names names = names_of(model_);
  std::string text = fmt::format("{} = {}", to_string(pool, left, names), to_string(pool, right, names));
  to.push_back({pool.sub(left, right), std::move(label), std::move(text), {}});
}

void ModelBuilder::invariant(std::string name, Expr value) {
  Pool& pool = *model_.pool;
  if (value.pool() != nullptr && value.pool() != &pool) {
    diagnostics_.error(Code::ForeignExpression, {}, fmt::format("{}: {}", name, foreign_expression));
    return;
  }
  const NodeId node = value.node_in(pool);
  if (variables_of(pool, node).empty())
    diagnostics_.error(Code::WrongInvariant, {}, fmt::format("the invariant {} contains no variable", name));
  model_.invariants.push_back({std::move(name), node, {}});
}

void ModelBuilder::assertion(Expr condition, std::string message, AssertionLevel level) {
  Pool& pool = *model_.pool;
  std::string label = fmt::format("assertion {}", model_.assertions.size() + 1);
  if (condition.pool() != nullptr && condition.pool() != &pool) {
    diagnostics_.error(Code::ForeignExpression, {}, fmt::format("{}: {}", label, foreign_expression));
    return;
  }
  const NodeId node = condition.node_in(pool);
  std::string text = to_string(pool, node, names_of(model_));
  model_.assertions.push_back({.condition = node,
                               .message = std::move(message),
                               .level = level,
                               .label = std::move(label),
                               .text = std::move(text),
                               .range = {}});
}

Expr ModelBuilder::smooth(int derivatives, Expr value) {
  const NodeId node = value.node_in(*model_.pool);
  model_.smooth.push_back({node, derivatives});
  return {*model_.pool, node};
}

void ModelBuilder::experiment(const Experiment& experiment) { model_.experiment = experiment; }

std::string ModelBuilder::text(const Expr& expression) const {
  return to_string(*model_.pool, expression.node_in(*model_.pool), names_of(model_));
}

Model ModelBuilder::build() const {
  Diagnostics diagnostics = diagnostics_;
  UniqueNames names;
  for (const Variable& variable : model_.variables) {
    names.add(variable.name, "variable", diagnostics);
    check(variable, diagnostics);
  }
  for (const Parameter& parameter : model_.parameters) {
    if (parameter.role != Parameter::Role::Given) continue;
    names.add(parameter.name, "parameter", diagnostics);
    check(parameter, diagnostics);
  }
  for (const DiscreteVariable& variable : model_.discrete.variables)
    if (!variable.auxiliary) names.add(variable.name, "discrete variable", diagnostics);
  for (const InvariantOfModel& invariant : model_.invariants) names.add(invariant.name, "invariant", diagnostics);
  UniqueNames labels;
  for (const auto* equations : {&model_.equations, &model_.initial_equations, &model_.final_equations}) {
    for (const Equation& equation : *equations) {
      labels.add(equation.label, "equation", diagnostics);
      check(equation, *model_.pool, diagnostics);
    }
  }
  check(model_.experiment, diagnostics);
  if (diagnostics.has_errors()) throw ModelError(std::move(diagnostics), *model_.sources);
  Model model = model_;
  QuietNodes quiet = quiet_;
  for (const Promise& promise : model.smooth) add_quiet(*model.pool, promise.expression, quiet);
  for (Equation& equation : model.equations) equation.residual = hold(model, equation.residual, quiet);
  return model;
}

// ---- traced models

std::vector<Expr> traced_unknowns(ModelBuilder& builder, int n, const TraceOptions& options) {
  if (!options.start.empty() && options.start.size() != static_cast<std::size_t>(n)) {
    fail(Code::WrongSize, fmt::format("{} start values are given for {} unknowns", options.start.size(), n));
  }
  builder.experiment(options.experiment);
  std::vector<Expr> x;
  for (int i = 0; i < n; ++i) {
    VariableOptions variable{.fixed = options.fixed};
    if (!options.start.empty()) variable.start = options.start[static_cast<std::size_t>(i)];
    x.push_back(builder.variable(fmt::format("x[{}]", i + 1), variable));
  }
  return x;
}

Model traced_model(ModelBuilder& builder, int n, const std::vector<Expr>& residuals) {
  if (residuals.size() != static_cast<std::size_t>(n)) {
    fail(Code::WrongSize, fmt::format("the function returns {} residuals for {} unknowns", residuals.size(), n));
  }
  for (const Expr& residual : residuals) builder.equation(0.0 == residual);
  return builder.build();
}

}  // namespace driftless
