#include "driftless/scoreboard/verdict.hpp"

#include <algorithm>
#include <cmath>

namespace driftless::scoreboard {
namespace {

constexpr double change = 1e-5, sharp = 1e-9;

// In the first way signs alternate, in the second they change after every second number.
double sign_of(std::size_t number, int way) { return (way == 0 ? number : number / 2) % 2 == 0 ? 1.0 : -1.0; }

Model disturbed_starts(Model model, int way) {
  std::size_t number = 0;
  for (Variable& variable : model.variables)
    if (variable.fixed && variable.start)
      *variable.start += change * sign_of(number++, way) * (std::abs(*variable.start) + variable.nominal);
  return model;
}

Model disturbed_parameters(Model model, int way) {
  std::size_t number = 0;
  for (Parameter& parameter : model.parameters)
    if (!parameter.structural) parameter.value *= 1.0 + change * sign_of(number++, way);
  return model;
}

std::optional<Solution> run_sharply(const Model& model, double stop, const Method& method) {
  SimulateOptions options;
  options.method = method;
  options.tolerance = sharp;
  options.stop = stop;
  options.intervals = 1;
  options.dense = false;
  options.max_steps = 200'000;
  try {
    Solution solution = simulate(model, options);
    if (solution.outcome == Outcome::Success) return solution;
    return {};
  } catch (const ModelError&) {
    return {};
  }
}

double distance(const Model& model, const Solution& one, const Solution& other, const ReferenceEnd& end) {
  double largest = 0.0;
  for (const ReferenceEnd::Value& exact : end.values) {
    const auto variable = std::ranges::find(model.variables, exact.variable, &Variable::name);
    if (variable == model.variables.end()) continue;
    largest = std::max(largest, std::abs(one.final(exact.variable) - other.final(exact.variable)) /
                                    (std::abs(exact.value) + variable->nominal));
  }
  return largest;
}

}  // namespace

double end_error(const Model& model, const Solution& solution, const ReferenceEnd& end) {
  double largest = 0.0;
  for (const ReferenceEnd::Value& exact : end.values) {
    const auto variable = std::ranges::find(model.variables, exact.variable, &Variable::name);
    if (variable == model.variables.end()) continue;  // a derivative
    const double error =
        std::abs(solution.final(exact.variable) - exact.value) / (std::abs(exact.value) + variable->nominal);
    if (std::isnan(error)) return error;
    largest = std::max(largest, error);
  }
  return largest;
}

double measured_condition(const Model& model, const ReferenceEnd& end) {
  double condition = std::max(1.0, end.amplification);
  for (const char* name : {"radau", "bdf"}) {
    const Method method = *parse_method(name);
    const auto plain = run_sharply(model, end.stop, method);
    if (!plain) continue;
    for (int way = 0; way < 2; ++way)
      for (const Model& moved : {disturbed_starts(model, way), disturbed_parameters(model, way)})
        // A changed model without a consistent start gives no measurement.
        if (const auto other = run_sharply(moved, end.stop, method))
          condition = std::max(condition, distance(model, *plain, *other, end) / change);
    break;
  }
  return condition;
}

}  // namespace driftless::scoreboard
