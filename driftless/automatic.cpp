#include "driftless/automatic.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace driftless {
namespace {

bool is_auto(const Formulation& formulation) { return std::holds_alternative<formulation::Auto>(formulation); }
bool is_auto(const Method& method) { return std::holds_alternative<method::Auto>(method); }

SimulateOptions with(SimulateOptions options, const choose::Recommendation& recommendation) {
  options.formulation = recommendation.formulation;
  options.method = recommendation.method;
  options.projection = recommendation.projection;
  return options;
}

// A run may end early for reasons that no other method would change.
bool failed(Outcome outcome) {
  return outcome != Outcome::Success && outcome != Outcome::InitializationFailed && outcome != Outcome::Interrupted;
}

bool is_adaptive_explicit(const Method& method) {
  const auto* rk = std::get_if<method::ExplicitRungeKutta>(&method);
  return rk && rk->tableau == method::Explicit::Adaptive;
}

}  // namespace

bool asks_for_choice(const SimulateOptions& options) { return is_auto(options.formulation) || is_auto(options.method); }

choose::Choice choose_for(const Analysis& analysis, const SimulateOptions& options) {
  const Experiment& experiment = analysis.model->experiment;
  return choose::choose(analysis.model, analysis.shape, analysis.hidden.has_value(),
                        {.start = options.start.value_or(experiment.start),
                         .stop = options.stop.value_or(experiment.stop),
                         .tolerance = options.tolerance,
                         .step = options.step,
                         .backend = options.backend});
}

choose::Recommendation resolve(const SimulateOptions& options, const choose::Indicators& indicators) {
  choose::Recommendation chosen = is_auto(options.formulation) && is_auto(options.method) ? choose::decide(indicators)
                                  : is_auto(options.method) ? choose::decide_for(options.formulation, indicators)
                                                            : choose::decide_for(options.method, indicators);
  if (!std::holds_alternative<projection::None>(options.projection)) chosen.projection = options.projection;
  return chosen;
}

Solution simulate_chosen(std::shared_ptr<const Model> model, const SimulateOptions& options) {
  const Analysis analysis = analyze(model);
  const choose::Recommendation chosen = resolve(options, choose_for(analysis, options).indicators);
  const SimulateOptions resolved = with(options, chosen);
  std::string failure;
  try {
    Solution solution = simulate(analyze(model, resolved.formulation), resolved);
    solution.remarks.push_back("chosen by " + to_string(chosen));
    if (!failed(solution.outcome) || !is_auto(options.formulation) || !is_auto(options.method)) return solution;
    failure = solution.message;
  } catch (const ModelError& error) {
    // The formulation or the method does not apply; whatever else is wrong with the model is found again below.
    if (!is_auto(options.formulation) || !is_auto(options.method)) throw;
    failure = error.diagnostics().all().empty() ? "" : error.diagnostics().all().front().message;
  }
  SimulateOptions robust = options;
  robust.formulation = formulation::Dummy{};
  robust.method = options.step ? Method(method::Radau{3}) : Method(method::Bdf{});
  Solution solution = simulate(analysis, robust);
  solution.remarks.push_back(fmt::format("{} would have been chosen by row {}, but {}; dummy derivatives instead",
                                         to_string(chosen.method), chosen.row, failure));
  return solution;
}

bool brings_formulation(const SimulateOptions& options) {
  return is_adaptive_explicit(options.method) && std::holds_alternative<formulation::Dummy>(options.formulation) &&
         std::holds_alternative<projection::None>(options.projection);
}

Solution simulate_explicit(std::shared_ptr<const Model> model, const SimulateOptions& options) {
  const Analysis dummy = analyze(model);
  const auto is_differentiated = [](int c) { return c > 0; };
  if (dummy.hidden || std::ranges::none_of(dummy.shape.offsets.c, is_differentiated)) return simulate(dummy, options);
  if (not_applicable(*dummy.base, formulation::Index1{})) return simulate(dummy, options);
  SimulateOptions on_constraints = options;
  on_constraints.formulation = formulation::Index1{};
  on_constraints.projection = projection::Coordinates{projection::Levels::Both, projection::Weight::Mass};
  return simulate(analyze(model, on_constraints.formulation), on_constraints);
}

std::optional<Method> successor(const Method& method) {
  return is_adaptive_explicit(method) ? std::optional<Method>(method::Radau{0}) : std::nullopt;
}

}  // namespace driftless
