#include "driftless/automatic.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

namespace driftless {
namespace {

bool is_auto(const Formulation& formulation) { return std::holds_alternative<formulation::Auto>(formulation); }
bool is_auto(const Method& method) { return std::holds_alternative<method::Auto>(method); }
// Dummy derivatives are the default, and no wish: a method that is to be chosen may bring another formulation.
bool is_open(const SimulateOptions& options) {
  return is_auto(options.method) &&
         (is_auto(options.formulation) || std::holds_alternative<formulation::Dummy>(options.formulation));
}

bool asks_for_projection(const SimulateOptions& options) {
  return !std::holds_alternative<projection::None>(options.projection);
}

SimulateOptions with(SimulateOptions options, const choose::Recommendation& recommendation) {
  options.formulation = recommendation.formulation;
  options.method = recommendation.method;
  options.projection = recommendation.projection;
  options.successors = recommendation.successors;
  return options;
}

// A run may end early for reasons that no other method would change.
bool failed(Outcome outcome) {
  return outcome != Outcome::Success && outcome != Outcome::InitializationFailed && outcome != Outcome::Interrupted &&
         outcome != Outcome::OutOfMemory;
}

bool is_adaptive_explicit(const Method& method) {
  const auto* rk = std::get_if<method::ExplicitRungeKutta>(&method);
  return rk && rk->tableau == method::Explicit::Adaptive;
}

// Constant steps with a tableau are for experiments, which mean the formulation as it is.
bool is_explicit_with_home(const SimulateOptions& options) {
  if (is_adaptive_explicit(options.method)) return true;
  const auto* rk = std::get_if<method::ExplicitRungeKutta>(&options.method);
  return rk && !options.step && (rk->tableau == method::Explicit::Dopri5 || rk->tableau == method::Explicit::Dop853);
}

}  // namespace

bool asks_for_choice(const SimulateOptions& options) { return is_auto(options.formulation) || is_auto(options.method); }

choose::Choice choose_for(const Analysis& analysis, const SimulateOptions& options, choose::Effort effort) {
  const Experiment& experiment = analysis.model->experiment;
  return choose::choose(analysis.model, analysis.shape, analysis.hidden.has_value(),
                        {.start = options.start.value_or(experiment.start),
                         .stop = options.stop.value_or(experiment.stop),
                         .tolerance = options.tolerance,
                         .step = options.step,
                         .effort = effort,
                         .backend = options.backend});
}

choose::Recommendation resolve(const SimulateOptions& options, const choose::Indicators& indicators) {
  choose::Recommendation chosen = !is_auto(options.method)       ? choose::decide_for(options.method, indicators)
                                  : !is_open(options)            ? choose::decide_for(options.formulation, indicators)
                                  : asks_for_projection(options) ? choose::decide_by_form(indicators)
                                                                 : choose::decide(indicators);
  if (asks_for_projection(options)) chosen.projection = options.projection;
  return chosen;
}

Solution simulate_chosen(std::shared_ptr<const Model> model, const SimulateOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const Analysis analysis = analyze(model);
  const bool at_a_glance = is_open(options) && !options.step && !asks_for_projection(options);
  const choose::Effort effort = at_a_glance ? choose::Effort::Glance : choose::Effort::Trial;
  const choose::Recommendation chosen = resolve(options, choose_for(analysis, options, effort).indicators);
  const std::chrono::duration<double> choosing = std::chrono::steady_clock::now() - begin;
  const SimulateOptions resolved = with(options, chosen);
  std::string failure;
  try {
    Solution solution = simulate(analyze(model, resolved.formulation), resolved);
    solution.remarks.push_back("chosen by " + to_string(chosen));
    solution.statistics.seconds.analyze += choosing.count();
    if (!failed(solution.outcome) || !is_open(options)) return solution;
    failure = solution.message;
  } catch (const ModelError& error) {
    // The formulation or the method does not apply; whatever else is wrong with the model is found again below.
    if (!is_open(options)) throw;
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

SimulateOptions at_home(SimulateOptions options, const Analysis& analysis) {
  const bool half_explicit = std::holds_alternative<method::HalfExplicit>(options.method);
  if (!half_explicit && !is_explicit_with_home(options)) return options;
  if (!std::holds_alternative<formulation::Dummy>(options.formulation) || analysis.hidden) return options;
  const std::vector<int>& c = analysis.shape.offsets.c;
  const int most = c.empty() ? 0 : std::ranges::max(c);  // differentiations of an equation
  const Formulation home = half_explicit ? Formulation(formulation::Index2{}) : Formulation(formulation::Index1{});
  if (most == 0 || not_applicable(*analysis.base, home)) return options;
  options.formulation = home;
  using namespace projection;
  if (!std::holds_alternative<None>(options.projection)) return options;
  if (!half_explicit) options.projection = Coordinates{Levels::Both, Weight::Mass};
  if (half_explicit && most > 1) options.projection = Coordinates{Levels::Position, Weight::Mass};
  return options;
}

Successors successors_of(const Method& method) {
  return is_adaptive_explicit(method) ? Successors{.when_stiff = method::Radau{0}, .when_not_stiff = method} : Successors{};
}

}  // namespace driftless
