#include "driftless/automatic.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "driftless/model/event_dependence.hpp"

namespace driftless {
namespace {

bool is_auto(const Formulation& formulation) { return std::holds_alternative<formulation::Auto>(formulation); }
bool is_auto(const Method& method) { return std::holds_alternative<method::Auto>(method); }
// Options about pivots and Newton's iteration apply only to methods with states and iterations.
bool asks_for_bdf(const SimulateOptions& options) {
  return is_auto(options.method) && !options.step &&
         (options.pivot != PivotMode::Continue || options.newton != NewtonTest::Two);
}

// Dummy derivatives are only the default: a method that is chosen may use another formulation.
bool is_open(const SimulateOptions& options) {
  return is_auto(options.method) && !asks_for_bdf(options) &&
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

bool is_adaptive_explicit(const Method& method) {
  const auto* rk = std::get_if<method::ExplicitRungeKutta>(&method);
  return rk && rk->tableau == method::Explicit::Adaptive;
}

bool has_constrained_positions(const Analysis& analysis) {
  return std::ranges::any_of(analysis.shape.offsets.c, [](int c) { return c >= 2; });
}

constexpr std::ptrdiff_t most_equations_by_array = 100;

// The runs that are tried one after the other until one succeeds: the chosen one, and, if no method was requested,
// methods that apply to every model. An explicit method evaluates a mechanism at few points of a step, so it passes
// positions where constraints depend on each other but the motion is smooth, like a parallelogram with all bars in
// line; implicit methods and series fail there. BDF is the last, because it explains a failure best.
std::vector<SimulateOptions> attempts(const Analysis& analysis, const SimulateOptions& options,
                                      const choose::Recommendation& chosen) {
  std::vector<SimulateOptions> all{with(options, chosen)};
  if (!is_open(options)) return all;
  const auto add = [&](const Method& method) {
    SimulateOptions robust = options;
    robust.formulation = formulation::Dummy{};
    robust.method = method;
    all.push_back(std::move(robust));
  };
  if (options.step) {
    add(method::Radau{3});
    return all;
  }
  // A combination may replace an equation only where its factor is not zero; the array needs no factors.
  if (analysis.repair && !analysis.whole &&
      std::ssize(analysis.repair->as_written->equations) <= most_equations_by_array) {
    add(method::Bdf{});
    all.back().formulation = formulation::DerivativeArray{};
  }
  const bool has_radau = std::holds_alternative<method::Radau>(chosen.method) && !chosen.successors.when_not_stiff;
  if (!has_radau) add(method::Radau{0});
  if (has_constrained_positions(analysis) && !is_adaptive_explicit(chosen.method)) {
    add(method::ExplicitRungeKutta{method::Explicit::Adaptive});
    all.back() = with_default_formulation(all.back(), analysis);
  }
  add(method::Bdf{});
  return all;
}

// What must be computed for the choice: nothing if BDF is the only option.
std::optional<choose::Effort> effort_for(const SimulateOptions& options) {
  if (options.step || !is_auto(options.method)) return choose::Effort::Trial;
  if (!is_open(options)) return {};
  return asks_for_projection(options) ? choose::Effort::Trial : choose::Effort::Glance;
}

// Constant steps with a tableau are for experiments, which use the given formulation.
bool is_explicit_with_home(const SimulateOptions& options) {
  if (is_adaptive_explicit(options.method)) return true;
  const auto* rk = std::get_if<method::ExplicitRungeKutta>(&options.method);
  return rk && !options.step && (rk->tableau == method::Explicit::Dopri5 || rk->tableau == method::Explicit::Dop853);
}

}  // namespace

bool may_succeed_otherwise(Outcome outcome) {
  return !reached_end(outcome) && outcome != Outcome::InitializationFailed && outcome != Outcome::Interrupted &&
         outcome != Outcome::OutOfMemory && outcome != Outcome::AssertionViolated;
}

bool asks_for_choice(const SimulateOptions& options) { return is_auto(options.formulation) || is_auto(options.method); }

choose::Choice choose_for(const Analysis& analysis, const SimulateOptions& options, choose::Effort effort) {
  const Experiment& experiment = analysis.model->experiment;
  choose::Choice choice = choose::choose(analysis.base, analysis.shape,
                                         {.start = options.start.value_or(experiment.start),
                                          .stop = options.stop.value_or(experiment.stop),
                                          .tolerance = options.tolerance,
                                          .step = options.step,
                                          .effort = effort,
                                          .backend = options.backend});
  choice.indicators.restarts = analysis.whole && events_change_equations(*analysis.whole);
  return choice;
}

choose::Recommendation resolve(const SimulateOptions& options, const choose::Indicators& indicators) {
  if (asks_for_bdf(options))
    return {.formulation = is_auto(options.formulation) ? Formulation(formulation::Dummy{}) : options.formulation,
            .method = method::Bdf{},
            .projection = options.projection,
            .reason = "pivots and Newton's iteration are to be its"};
  choose::Recommendation chosen = !is_auto(options.method)       ? choose::decide_for(options.method, indicators)
                                  : !is_open(options)            ? choose::decide_for(options.formulation, indicators)
                                  : asks_for_projection(options) ? choose::decide_by_form(indicators)
                                                                 : choose::decide(indicators);
  if (asks_for_projection(options)) chosen.projection = options.projection;
  return chosen;
}

Ways choose_ways(Analysis& analysis, const SimulateOptions& options) {
  choose::Choice choice;
  if (const auto effort = effort_for(options)) choice = choose_for(analysis, options, *effort);
  const choose::Recommendation chosen = resolve(options, choice.indicators);
  analysis.findings = std::move(choice.findings);
  return {.attempts = attempts(analysis, options, chosen), .chosen = chosen};
}

SimulateOptions with_default_formulation(SimulateOptions options, const Analysis& analysis) {
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
  return is_adaptive_explicit(method) ? Successors{.when_stiff = method::Radau{0}, .when_not_stiff = method}
                                      : Successors{};
}

}  // namespace driftless
