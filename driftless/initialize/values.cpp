#include "driftless/initialize/values.hpp"

#include <cmath>

#include "driftless/expr/calculus.hpp"

namespace driftless {

Values values_of(const Reduced& reduced, const InitialProblem& problem, const std::vector<double>& found,
                 const std::vector<double>& parameters, double t) {
  Values values(reduced.addresses.size());
  for (std::size_t j = 0; j < values.size(); ++j) values[j].assign(reduced.addresses[j].size(), std::nan(""));
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (problem.unknowns[k].parameter >= 0) continue;
    const Quantity q = problem.unknowns[k].quantity;
    std::vector<double>& orders = values[index(q.variable)];
    if (static_cast<int>(orders.size()) <= q.order) orders.resize(q.order + 1, std::nan(""));
    orders[q.order] = found[k];
  }
  const Pool& pool = *reduced.model->pool;
  const auto value_of_leaf = [&](NodeId leaf) {
    const Node& node = pool[leaf];
    if (node.op == Op::Time) return t;
    if (node.op == Op::Parameter) return parameters[node.a];
    return values[node.a][node.b];
  };
  for (const Definition& definition : reduced.definitions) {
    const double value = evaluate(pool, definition.value, value_of_leaf);
    double& stored = values[index(definition.quantity.variable)][definition.quantity.order];
    if (std::isnan(stored)) stored = value;
  }
  return values;
}

std::vector<double> parameters_of(const Model& model, const InitialProblem& problem, const std::vector<double>& found) {
  std::vector<double> parameters;
  for (const Parameter& parameter : model.parameters) parameters.push_back(parameter.value);
  for (std::size_t k = 0; k < found.size(); ++k)
    if (const int p = problem.unknowns[k].parameter; p >= 0) parameters[p] = found[k];
  return parameters;
}

InitialProblem with_guesses(InitialProblem problem, const Values& values) {
  for (InitialUnknown& unknown : problem.unknowns) {
    if (unknown.is_candidate() || unknown.parameter >= 0) continue;
    const std::vector<double>& orders = values[index(unknown.quantity.variable)];
    if (unknown.quantity.order >= static_cast<int>(orders.size())) continue;
    const double value = orders[unknown.quantity.order];
    if (std::isnan(value)) continue;
    unknown.guess = value;
    unknown.given = true;
  }
  return problem;
}

}  // namespace driftless
