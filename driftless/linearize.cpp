#include "driftless/linearize.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "driftless/prepared_run.hpp"
#include "driftless/run_point.hpp"
#include "driftless/state_space/linearize_at.hpp"
#include "driftless/state_space/modes.hpp"

namespace driftless {
namespace {

constexpr std::size_t most_outputs = 100;  // if none are named

[[noreturn]] void refuse(const Model& model, Code code, const std::string& reason) {
  Diagnostics diagnostics;
  diagnostics.error(code, {}, fmt::format("{} cannot be linearized: {}", model.name, reason));
  throw ModelError(diagnostics, *model.sources);
}

std::vector<std::string> inputs_of(const Model& model) {
  std::vector<std::string> names;
  for (const ModelInput& input : model.discrete.inputs)
    if (!input.discrete && !input.declared) names.push_back(input.name);
  return names;
}

std::vector<std::string> outputs_of(const Model& model) {
  const std::vector<std::string> inputs = inputs_of(model);
  std::vector<std::string> names;
  for (const Variable& variable : model.variables)
    if (!variable.auxiliary && std::ranges::find(inputs, variable.name) == inputs.end()) names.push_back(variable.name);
  if (names.size() > most_outputs) names.clear();
  return names;
}

void find_modes(StateSpace& system) {
  if (system.states.size() <= most_states_with_modes)
    if (auto modes = modes_of(system.A)) {
      system.has_modes = true;
      system.modes = std::move(*modes);
    }
  if (system.inputs.empty() || system.inputs.size() != system.outputs.size()) return;
  if (system.states.size() > most_states_with_zeros) return;
  if (auto zeros = zeros_of(system)) {
    system.has_zeros = true;
    system.zeros = std::move(*zeros);
  }
}

StateSpace linearize_point(const RunPoint& point, const LinearizeOptions& options, std::vector<std::string> given) {
  const Model& model = *point.base->model;
  const Selected selected{.states = options.states,
                          .inputs = options.inputs.value_or(inputs_of(model)),
                          .outputs = options.outputs.value_or(outputs_of(model)),
                          .given = std::move(given)};
  System system(std::make_shared<const CompiledSystem>(growable(point.base), Backend::Interpreter), nullptr,
                point.state.parameters);
  auto result = linearize_at(system, {point.state.t, point.state.y, point.state.yp}, selected);
  if (const auto* why = std::get_if<NotLinear>(&result)) refuse(model, why->code, why->reason);
  StateSpace space = std::get<StateSpace>(std::move(result));
  if (options.modes) find_modes(space);
  return space;
}

}  // namespace

StateSpace linearize(const Simulation& run, const LinearizeOptions& options) {
  std::vector<std::string> given;
  const RunPoint point = run.point(given);
  return linearize_point(point, options, std::move(given));
}

StateSpace linearize(const Compiled& compiled, const LinearizeOptions& options, const RunInputs& inputs,
                     std::optional<double> t) {
  RunInputs own = inputs;
  const Model& model = compiled.model();
  const double stop = own.stop.value_or(compiled.options().stop.value_or(model.experiment.stop));
  if (t && !(*t <= stop)) own.stop = *t;
  own.dense = false;
  Simulation run(compiled, own);
  if (t && !(*t >= run.time()))
    refuse(model, Code::WrongTimeSpan, fmt::format("t = {} lies before the start of the run", *t));
  if (t && run.outcome() != Outcome::InitializationFailed) run.advance_to(*t);
  if (run.outcome() == Outcome::InitializationFailed || (t && run.time() < *t))
    refuse(model, Code::StartNotFound, fmt::format("the run ends at t = {:.9g}: {}", run.time(), run.message()));
  return linearize(run, options);
}

StateSpace linearize(const Analysis& known, const SteadyPoint& point, const LinearizeOptions& options) {
  const Analysis analysis = growable(without_events(known));
  RunPoint at{analysis.base, {}};
  at.state.t = point.t;
  for (const Slot& slot : analysis.base->slots)
    at.state.y.push_back(
        slot.quantity.order == 0 ? point.values[static_cast<std::size_t>(index(slot.quantity.variable))] : 0.0);
  at.state.yp.assign(at.state.y.size(), 0.0);
  for (const Parameter& parameter : analysis.model->parameters) at.state.parameters.push_back(parameter.value);
  return linearize_point(at, options, {});
}

StateSpace linearize_at_rest(const std::shared_ptr<const Model>& model, const LinearizeOptions& options,
                             const RunInputs& inputs, std::optional<double> t) {
  const Analysis analysis =
      growable(without_events(analyze(growable(with_inputs(model, inputs.parameters, inputs.starts)))));
  const double time = t.value_or(inputs.start.value_or(analysis.model->experiment.start));
  const SteadyPoint point = find_steady_point(*analysis.base, time);
  if (!point.found)
    refuse(*model, Code::NoSolutionAtStart,
           point.proven_absent ? "it has no steady state: its equations contradict each other if nothing moves"
                               : "no steady state was found from these starts: driftless steady says more");
  return linearize(analysis, point, options);
}

}  // namespace driftless
