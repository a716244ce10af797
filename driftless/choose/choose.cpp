#include "driftless/choose/choose.hpp"

#include "driftless/initialize/initialize.hpp"

namespace driftless::choose {
namespace {

// The matrices of the indicators are dense.
constexpr std::size_t largest = 1000;

double length(const ChooseOptions& options) { return options.stop - options.start; }

std::shared_ptr<const Reduced> reduce_for_trial(std::shared_ptr<const Model> model, const structure::Structure& shape,
                                                bool implicit) {
  return std::make_shared<const Reduced>(implicit ? reduce_implicit(std::move(model), shape)
                                                  : reduce(std::move(model), shape, {.keep_constraints = true}));
}

void look(Indicators& indicators, std::shared_ptr<const Reduced> base, const ChooseOptions& options) {
  Diagnostics diagnostics;
  const auto start = initialize(*base, options.start, diagnostics);
  if (diagnostics.has_errors() || !std::holds_alternative<State>(start)) return;
  const bool trial_run = options.effort == Effort::Trial;
  auto system = std::make_shared<System>(std::move(base), trial_run ? options.backend : Backend::Interpreter);
  glance(indicators, *system, std::get<State>(start), length(options));
  if (!trial_run) return;
  const Trial trial(system, std::get<State>(start), {.stop = options.stop, .tolerance = options.tolerance});
  measure(indicators, *system, trial);
}

}  // namespace

Choice choose(std::shared_ptr<const Model> model, const structure::Structure& shape, bool implicit,
              const ChooseOptions& options) {
  const std::shared_ptr<const Reduced> base = reduce_for_trial(std::move(model), shape, implicit);
  Choice choice;
  Indicators& indicators = choice.indicators;
  indicators = structure_of(*base, shape);
  indicators.fixed_step = options.step.has_value();
  indicators.tolerance = options.tolerance;
  if (base->slots.size() <= largest && !implicit && shape.degrees_of_freedom > 0)
    look(indicators, base, options);
  const double step = options.step.value_or(indicators.accuracy_step);
  indicators.horizon = step > 0.0 ? length(options) / step : 0.0;
  choice.recommendation = decide(indicators);
  return choice;
}

}  // namespace driftless::choose
