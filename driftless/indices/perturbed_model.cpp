#include "driftless/indices/perturbed_model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "driftless/expr/calculus.hpp"
#include "driftless/reduce/generic_point.hpp"

namespace driftless {
namespace {

constexpr double phase_between_neighbours = std::numbers::pi / 2 + 0.37;

std::string unused_name(const Model& model, std::string name) {
  const auto is_used = [&] {
    const auto has_name = [&](const auto& entry) { return entry.name == name; };
    return std::ranges::any_of(model.parameters, has_name) || std::ranges::any_of(model.variables, has_name);
  };
  while (is_used()) name += "_";
  return name;
}

NodeId add_parameter(Model& model, const std::string& name) {
  const auto id = static_cast<ParamId>(model.parameters.size());
  model.parameters.emplace_back().name = name;
  return model.pool->parameter(id);
}

// The largest |∂f/∂x| times the size of x, near the starts; 1 if there is none.
double size_of_equation(const Model& model, const Equation& equation, double time_scale) {
  const auto value_of_leaf = [&](NodeId id) {
    const Node& leaf = (*model.pool)[id];
    if (leaf.op == Op::Time) return model.experiment.start;
    if (leaf.op == Op::Parameter) return model.parameters[leaf.a].value;
    return leaf.b > 0 ? 0.0 : model.variables[leaf.a].start.value_or(0.0);
  };
  double largest = 0.0;
  for (const Partial& p : gradient(*model.pool, equation.residual)) {
    const Node& leaf = (*model.pool)[p.leaf];
    const double slope = std::abs(evaluate(*model.pool, p.derivative, value_of_leaf));
    const double size = size_of(model.variables[leaf.a]) / std::pow(time_scale, static_cast<double>(leaf.b));
    if (std::isfinite(slope * size)) largest = std::max(largest, slope * size);
  }
  return largest > 0.0 ? largest : 1.0;
}

}  // namespace

PerturbedModel perturbed_model(const std::shared_ptr<const Model>& given, double time_scale, bool free_starts) {
  Model model = *growable(given);
  Pool& pool = *model.pool;
  PerturbedModel result{nullptr, unused_name(model, "offset_of_disturbance"),
                        unused_name(model, "amplitude_of_disturbance"), unused_name(model, "frequency_of_disturbance")};
  const NodeId offset = add_parameter(model, result.offset), amplitude = add_parameter(model, result.amplitude);
  const NodeId frequency = add_parameter(model, result.frequency);
  const NodeId angle = pool.mul(frequency, pool.sub(pool.time(), pool.constant(model.experiment.start)));
  for (std::size_t i = 0; i < model.equations.size(); ++i) {
    const double k = static_cast<double>(i);
    const NodeId wave = pool.unary(Op::Sin, pool.add(angle, pool.constant(k * phase_between_neighbours)));
    const NodeId disturbance = pool.add(pool.mul(offset, pool.constant(std::cos(k))), pool.mul(amplitude, wave));
    Equation& equation = model.equations[i];
    const NodeId scaled = pool.mul(pool.constant(size_of_equation(model, equation, time_scale)), disturbance);
    equation.residual = pool.add(equation.residual, scaled);
    if (equation.simplified) equation.simplified = pool.add(*equation.simplified, scaled);
  }
  if (free_starts)
    for (Variable& variable : model.variables) variable.fixed = false;
  result.model = std::make_shared<const Model>(std::move(model));
  return result;
}

}  // namespace driftless
