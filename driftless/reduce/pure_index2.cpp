#include "driftless/reduce/pure_index2.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/reduce/generic_point.hpp"
#include "driftless/reduce/signature.hpp"
#include "driftless/structure/analysis.hpp"

namespace driftless {
namespace {

constexpr double cancelled = 1e-10;  // of the terms that cancel

class Elimination {
 public:
  explicit Elimination(const std::shared_ptr<const Model>& given) : model_(*growable(given)), pool_(*model_.pool) {
    orders_.assign(model_.variables.size(), 0);
    is_solved_.assign(model_.equations.size(), false);
    for (const Equation& equation : model_.equations)
      for (const NodeId leaf : variables_of(pool_, equation.residual)) {
        int& order = orders_[pool_[leaf].a];
        order = std::max(order, static_cast<int>(pool_[leaf].b));
      }
    structure::Offsets offsets;
    offsets.d = orders_;
    for (const unsigned seed : {1u, 2u, 3u}) points_.emplace_back(model_, offsets, seed, seed == 3);
  }

  // The reason why the model does not have the form y' = f, 0 = g.
  std::optional<std::string> obstacle() const {
    const auto differentiated = std::ranges::count_if(orders_, [](int order) { return order > 0; });
    std::ptrdiff_t with_derivatives = 0;
    for (const Equation& equation : model_.equations) with_derivatives += !is_algebraic(equation);
    const auto all = static_cast<std::ptrdiff_t>(model_.variables.size());
    if (std::ranges::any_of(orders_, [](int order) { return order > 1; }))
      return "a derivative of second order occurs: write it with a variable for the first derivative";
    if (with_derivatives != differentiated)
      return fmt::format("{} equations have derivatives, but {} of {} variables do", with_derivatives, differentiated,
                         all);
    return {};
  }

  // Solves one equation for one variable; false if there is nothing left to solve, or if `reason` says why it cannot
  // be.
  bool eliminate_next(std::string& reason) {
    std::optional<Pivot> best;
    std::string unsolved;
    for (std::size_t i = 0; i < model_.equations.size(); ++i)
      for (const NodeId leaf : algebraic_leaves(i)) {
        const Dependence how = dependence(model_.equations[i].residual, leaf);
        if (how == Dependence::Never) {
          model_.equations[i].residual = with_zero(model_.equations[i].residual, leaf);
          continue;
        }
        const auto linear = linear_in(pool_, model_.equations[i].residual, leaf);
        const auto& name = model_.variables[pool_[leaf].a].name;
        if (how == Dependence::Sometimes) {
          unsolved = fmt::format(
              "{} depends on {} at some points only: the rank of the equations without derivatives "
              "is not constant",
              model_.equations[i].label, name);
          continue;
        }
        if (!linear) {
          if (unsolved.empty())
            unsolved = fmt::format("{} cannot be solved for {} by symbols", model_.equations[i].label, name);
          continue;
        }
        const Pivot pivot{i, leaf, *linear, cost(*linear)};
        if (!best || pivot.cost < best->cost) best = pivot;
      }
    if (!best) {
      reason = unsolved;
      return false;
    }
    replace(*best);
    return true;
  }

  // The model of the remaining variables and equations.
  PureIndex2 result() {
    std::vector<int> place(model_.variables.size(), -1);
    Model next = model_;
    next.variables.clear();
    next.equations.clear();
    for (std::size_t j = 0; j < place.size(); ++j)
      if (!values_.contains(static_cast<std::uint32_t>(j))) {
        place[j] = static_cast<int>(next.variables.size());
        next.variables.push_back(model_.variables[j]);
      }
    Substitution moved(pool_, [&](NodeId leaf) -> std::optional<NodeId> {
      const Node node = pool_[leaf];
      if (node.op != Op::Variable) return {};
      return pool_.variable(static_cast<VarId>(place[node.a]), static_cast<int>(node.b));
    });
    for (std::size_t i = 0; i < model_.equations.size(); ++i)
      if (!is_solved_[i]) next.equations.push_back(model_.equations[i]);
    for_each_expression(next, [&](NodeId& expression) { expression = moved(expression); });
    move_bindings(next, place);
    PureIndex2 result;
    for (const auto& [variable, label] : order_)
      result.eliminated.push_back({model_.variables[variable].name, moved(values_.at(variable)), label});
    result.model = std::make_shared<const Model>(std::move(next));
    return result;
  }

 private:
  enum class Dependence { Never, Sometimes, Always };
  struct Pivot {
    std::size_t equation;
    NodeId leaf;
    LinearIn linear;
    std::size_t cost;
  };

  bool is_algebraic(const Equation& equation) const {
    return std::ranges::none_of(variables_of(pool_, equation.residual), [&](NodeId leaf) { return pool_[leaf].b > 0; });
  }

  // Variables without derivative in an equation without derivatives.
  std::vector<NodeId> algebraic_leaves(std::size_t i) const {
    if (is_solved_[i] || !is_algebraic(model_.equations[i])) return {};
    std::vector<NodeId> leaves = variables_of(pool_, model_.equations[i].residual);
    std::erase_if(leaves, [&](NodeId leaf) { return orders_[pool_[leaf].a] > 0; });
    return leaves;
  }

  double value(NodeId expression, const GenericPoint& point) const {
    return evaluate(pool_, expression, std::cref(point));
  }

  Dependence dependence(NodeId expression, NodeId leaf) {
    const NodeId slope = partial(pool_, expression, leaf);
    const auto is_zero = [&](const GenericPoint& point) { return std::abs(value(slope, point)) <= 1e-300; };
    const auto zeros = std::ranges::count_if(points_, is_zero);
    if (zeros == 0) return Dependence::Always;
    return zeros == static_cast<std::ptrdiff_t>(points_.size()) ? Dependence::Never : Dependence::Sometimes;
  }

  // Divisions by numbers come first, then by parameters, then by varying expressions; then by the length of the result.
  std::size_t cost(const LinearIn& linear) const {
    constexpr std::size_t class_size = 1'000'000;
    const std::size_t kind = pool_.is_constant(linear.coefficient) ? 0 : varies(pool_, linear.coefficient) ? 2 : 1;
    return kind * class_size + std::min(nodes_of(pool_, linear.rest).size(), class_size - 1);
  }

  void replace(const Pivot& pivot) {
    const std::uint32_t variable = pool_[pivot.leaf].a;
    const NodeId solution = pool_.neg(pool_.div(pivot.linear.rest, pivot.linear.coefficient));
    keep_fixed_start(model_.variables[variable], solution);
    order_.emplace_back(variable, model_.equations[pivot.equation].label);
    is_solved_[pivot.equation] = true;
    model_.equations[pivot.equation].residual = pool_.zero();
    const auto substituted = [&](NodeId expression) { return without_cancelled(expression, pivot.leaf, solution); };
    for_each_expression(model_, [&](NodeId& expression) { expression = substituted(expression); });
    for (auto& [other, expression] : values_) expression = substituted(expression);
    values_.emplace(variable, solution);
  }

  // If the variable was fixed at the start, an initial equation fixes its expression instead.
  void keep_fixed_start(const Variable& variable, NodeId value) {
    if (!variable.fixed) return;
    Equation fixed;
    fixed.residual = pool_.sub(value, pool_.constant(variable.start.value_or(0.0)));
    fixed.label = fmt::format("start of {}", variable.name);
    fixed.text = fmt::format("{} = {}", variable.name, variable.start.value_or(0.0));
    fixed.range = variable.range;
    model_.initial_equations.push_back(std::move(fixed));
  }

  // Another variable may cancel by this, although it still occurs: z - z/2 - z/2. It is then replaced by zero.
  NodeId without_cancelled(NodeId expression, NodeId leaf, NodeId solution) {
    if (std::ranges::none_of(variables_of(pool_, expression), [&](NodeId at) { return at == leaf; })) return expression;
    const NodeId outer = partial(pool_, expression, leaf);
    Substitution substitution(pool_, [&](NodeId at) { return at == leaf ? std::optional(solution) : std::nullopt; });
    NodeId result = substitution(expression);
    for (const NodeId other : variables_of(pool_, solution)) {
      const NodeId direct = partial(pool_, expression, other), inner = partial(pool_, solution, other);
      const bool cancels = std::ranges::all_of(points_, [&](const GenericPoint& point) {
        const double a = value_after(direct, leaf, solution, point);
        const double b = value_after(outer, leaf, solution, point) * value(inner, point);
        return std::abs(a + b) <= cancelled * (std::abs(a) + std::abs(b)) && a != 0.0;
      });
      if (!cancels) continue;
      result = with_zero(result, other);
    }
    return result;
  }

  NodeId with_zero(NodeId expression, NodeId leaf) {
    Substitution by_zero(pool_, [&](NodeId at) { return at == leaf ? std::optional(pool_.zero()) : std::nullopt; });
    return by_zero(expression);
  }

  // The value of an expression at a point at which the leaf has the value of its solution.
  double value_after(NodeId expression, NodeId leaf, NodeId solution, const GenericPoint& point) const {
    return evaluate(pool_, expression, [&](NodeId at) { return at == leaf ? value(solution, point) : point(at); });
  }

  static void for_each_expression(Model& model, const std::function<void(NodeId&)>& act) {
    for (std::vector<Equation>* list : {&model.equations, &model.initial_equations})
      for (Equation& equation : *list) {
        act(equation.residual);
        if (equation.simplified) act(*equation.simplified);
      }
    for (InvariantOfModel& invariant : model.invariants) act(invariant.value);
    for (Assertion& assertion : model.assertions) act(assertion.condition);
    for (Promise& promise : model.smooth) act(promise.expression);
  }

  static void move_bindings(Model& model, const std::vector<int>& place) {
    const auto is_of_variable = [](const Binding& binding) {
      return binding.of == Binding::Of::Start || binding.of == Binding::Of::Min || binding.of == Binding::Of::Max;
    };
    std::erase_if(model.bindings, [&](const Binding& b) { return is_of_variable(b) && place[b.place] < 0; });
    for (Binding& binding : model.bindings)
      if (is_of_variable(binding)) binding.place = static_cast<std::size_t>(place[binding.place]);
  }

  Model model_;
  Pool& pool_;
  std::vector<int> orders_;
  std::vector<bool> is_solved_;  // by equation: it was solved for an eliminated variable
  std::vector<GenericPoint> points_;
  std::map<std::uint32_t, NodeId> values_;                    // eliminated variables by the remaining ones
  std::vector<std::pair<std::uint32_t, std::string>> order_;  // in which they were eliminated, and by which equation
};

}  // namespace

std::variant<PureIndex2, std::string> to_pure_index2(const std::shared_ptr<const Model>& model) {
  Elimination elimination(model);
  if (auto obstacle = elimination.obstacle()) return std::move(*obstacle);
  std::string reason;
  while (elimination.eliminate_next(reason)) {
  }
  if (!reason.empty()) return reason;
  PureIndex2 result = elimination.result();
  const auto shape = structure::analyze(signature_of(*result.model));
  const auto* structure = std::get_if<structure::Structure>(&shape);
  if (!structure) return std::string("what is left is structurally singular: the index is not 2");
  if (structure->structural_index > 2) return fmt::format("the index is {}, not 2", structure->structural_index);
  result.index = structure->structural_index;
  return result;
}

}  // namespace driftless
