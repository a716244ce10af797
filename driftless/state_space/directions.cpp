#include "driftless/state_space/directions.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/diagnostics/spelling.hpp"
#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

constexpr int most_derivatives = 3;  // of the polynomials of inputs

std::size_t place(ParamId id) { return static_cast<std::size_t>(index(id)); }

// Changes u^(k) by 1 and no other derivative: (time - t)^k / k! in powers of time - origin.
Direction derivative_of_input(const DirectionsAt& at, const ModelInput& input, int k) {
  Direction direction{.name = derivative_name(input.name, k), .order = k, .variable = input.variable};
  const double s = at.t - at.parameters[place(input.origin)];
  double binomial = 1.0, factorial = 1.0;
  for (int i = 2; i <= k; ++i) factorial *= i;
  for (int j = 0; j <= k; ++j) {
    const double rate = binomial * std::pow(-s, k - j) / factorial;
    if (rate != 0.0) direction.rates.emplace_back(place(input.c[static_cast<std::size_t>(j)]), rate);
    binomial = binomial * (k - j) / (j + 1);
  }
  return direction;
}

std::variant<std::vector<Direction>, std::string> directions_of_input(const DirectionsAt& at, const ModelInput& input) {
  if (input.discrete) return fmt::format("the input '{}' changes at events only", input.name);
  if (input.declared)
    return fmt::format("the input '{}' has the value of its declaration; leave that out, or name it among the inputs",
                       input.name);
  const int order = at.orders[static_cast<std::size_t>(index(input.variable))];
  if (order > most_derivatives)
    return fmt::format("the input '{}' must be differentiated {} times, of which only {} are known", input.name, order,
                       most_derivatives);
  std::vector<Direction> directions;
  for (int k = 0; k <= order; ++k) directions.push_back(derivative_of_input(at, input, k));
  return directions;
}

// Bindings are not sorted by dependence, so this is repeated until nothing changes; no parameter depends on itself.
// Inputs are held, including those whose start is computed from the parameter.
Direction direction_of_parameter(const DirectionsAt& at, std::size_t chosen) {
  const Model& model = at.model;
  Pool& pool = *model.pool;
  std::vector<double> rates(model.parameters.size(), 0.0);
  rates[chosen] = 1.0;
  const auto follows = [&](const Binding& binding) {
    if (binding.of != Binding::Of::Parameter || binding.place == chosen) return false;
    const Parameter& parameter = model.parameters[binding.place];
    return parameter.role == Parameter::Role::Given && std::ranges::find(at.given, parameter.name) == at.given.end() &&
           any_node(pool, binding.value,
                    [&](NodeId node) { return pool[node].op == Op::Parameter && rates[pool[node].a] != 0.0; });
  };
  const auto rate_of = [&](NodeId value) {
    Differential differential(
        pool, [&](NodeId leaf) { return pool.constant(pool[leaf].op == Op::Parameter ? rates[pool[leaf].a] : 0.0); });
    return evaluate(pool, differential(value), [&](NodeId leaf) { return at.parameters[pool[leaf].a]; });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const Binding& binding : model.bindings)
      if (follows(binding))
        changed |= std::exchange(rates[binding.place], rate_of(binding.value)) != rates[binding.place];
  }
  Direction direction{.name = model.parameters[chosen].name, .value = at.parameters[chosen]};
  for (std::size_t p = 0; p < rates.size(); ++p)
    if (rates[p] != 0.0) direction.rates.emplace_back(p, rates[p]);
  return direction;
}

}  // namespace

std::variant<std::vector<Direction>, std::string> directions_of(const DirectionsAt& at, const std::string& name) {
  const Model& model = at.model;
  const auto input = std::ranges::find(model.discrete.inputs, name, &ModelInput::name);
  if (input != model.discrete.inputs.end()) return directions_of_input(at, *input);
  std::vector<std::string_view> names;
  for (const ModelInput& other : model.discrete.inputs) names.push_back(other.name);
  for (std::size_t p = 0; p < model.parameters.size(); ++p) {
    const Parameter& parameter = model.parameters[p];
    if (parameter.role != Parameter::Role::Given) continue;
    names.push_back(parameter.name);
    if (parameter.name != name) continue;
    if (parameter.structural) return fmt::format("the parameter '{}' was used up when the model was read", name);
    return std::vector<Direction>{direction_of_parameter(at, p)};
  }
  const bool is_variable = std::ranges::find(model.variables, name, &Variable::name) != model.variables.end();
  if (is_variable) return fmt::format("'{}' is neither an input nor a parameter: the equations determine it", name);
  return fmt::format("{} has no input or parameter '{}'{}", model.name, name, did_you_mean(name, names));
}

}  // namespace driftless
