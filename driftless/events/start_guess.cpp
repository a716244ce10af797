#include "driftless/events/start_guess.hpp"

#include <cmath>

#include "driftless/expr/calculus.hpp"

namespace driftless {

std::vector<double> guessed_parameters(const Model& model, double t) {
  std::vector<double> values;
  for (const Parameter& parameter : model.parameters) values.push_back(parameter.value);
  for (const DiscreteVariable& variable : model.discrete.variables)
    for (const ParamId id : {variable.value, variable.pre})
      values[static_cast<std::size_t>(index(id))] = variable.start;
  const auto leaf_value = [&](NodeId leaf) {
    const Node node = (*model.pool)[leaf];
    if (node.op == Op::Time) return t;
    if (node.op == Op::Parameter) return values[node.a];
    return node.b == 0 ? model.variables[node.a].start.value_or(0.0) : 0.0;
  };
  for (const Held& held : model.discrete.held) {
    const double guess = evaluate(*model.pool, held.expression, leaf_value);
    values[static_cast<std::size_t>(index(held.held))] = std::isfinite(guess) ? guess : 0.0;
  }
  return values;
}

Model with_parameters(const Model& model, const std::vector<double>& values) {
  Model result = model;
  for (std::size_t p = 0; p < values.size(); ++p) result.parameters[p].value = values[p];
  return result;
}

}  // namespace driftless
