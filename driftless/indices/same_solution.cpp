#include "driftless/indices/same_solution.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/compiled.hpp"
#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

constexpr double tolerance_of_comparison = 1e-8;

Solution run_for_comparison(const std::shared_ptr<const Model>& model) {
  return simulate(compile(model, {.tolerance = tolerance_of_comparison, .dense = false}));
}

double value_at(const Model& model, const Solution& solution, std::size_t row, NodeId expression) {
  return evaluate(*model.pool, expression, [&](NodeId id) {
    const Node& leaf = (*model.pool)[id];
    if (leaf.op == Op::Time) return solution.times[row];
    if (leaf.op == Op::Parameter) return model.parameters[leaf.a].value;
    const auto column = solution.find(derivative_name(model.variables[leaf.a].name, static_cast<int>(leaf.b)));
    return column ? solution.value(row, *column) : std::nan("");
  });
}

}  // namespace

SolutionDifference difference_of_solutions(const std::shared_ptr<const Model>& model, const PureIndex2& rewritten) {
  SolutionDifference result;
  result.tolerance = tolerance_of_comparison;
  const Solution first = run_for_comparison(model), second = run_for_comparison(rewritten.model);
  for (const Solution* one : {&first, &second})
    if (one->outcome != Outcome::Success) result.failure = one->message;
  if (!result.failure.empty()) return result;
  const auto compare = [&](const std::string& name, std::size_t row, double value) {
    const double expected = first.value(row, *first.find(name));
    const auto known = std::ranges::find(model->variables, name, &Variable::name);
    const double difference = std::abs(value - expected) / (known->nominal + std::abs(expected));
    if (std::isnan(result.largest) || difference <= result.largest) return;  // NaN is kept
    result.largest = difference;
    result.variable = name;
  };
  for (std::size_t row = 0; row < std::min(first.times.size(), second.times.size()); ++row) {
    for (const Variable& variable : rewritten.model->variables)
      compare(variable.name, row, second.value(row, *second.find(variable.name)));
    for (const PureIndex2::Eliminated& one : rewritten.eliminated)
      compare(one.variable, row, value_at(*rewritten.model, second, row, one.value));
  }
  return result;
}

}  // namespace driftless
