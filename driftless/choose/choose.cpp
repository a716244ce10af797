#include "driftless/choose/choose.hpp"

#include <algorithm>

#include "driftless/initialize/initialize.hpp"
#include "driftless/integrate/solve/guarded_guess.hpp"
#include "driftless/integrate/steppers/work.hpp"

namespace driftless::choose {
namespace {

// The matrices of the indicators are dense.
constexpr std::size_t largest = 1000;

double length(const ChooseOptions& options) { return options.stop - options.start; }

class Choosing {
 public:
  Choosing(std::shared_ptr<const Reduced> base, const structure::Structure& shape, const ChooseOptions& options)
      : base_(std::move(base)), shape_(shape), options_(options), trial_run_(options.effort == Effort::Trial) {}

  Choice operator()() {
    Indicators& indicators = choice_.indicators;
    indicators = sizes_of(*base_, shape_);
    indicators.fixed_step = options_.step.has_value();
    indicators.tolerance = options_.tolerance;
    if (trial_run_) add_forms(indicators, levels());
    if (kind_matters()) indicators.kind = kind_of(levels());
    const Reduced& reduced = *examined();
    if (reduced.slots.size() <= largest && !reduced.implicit && shape_.degrees_of_freedom > 0) look();
    const double step = options_.step.value_or(indicators.accuracy_step);
    indicators.horizon = step > 0.0 ? length(options_) / step : 0.0;
    choice_.recommendation = decide(indicators);
    return std::move(choice_);
  }

 private:
  const Reduced& levels() {
    std::shared_ptr<const Reduced>& levels = choice_.findings.levels;
    if (!levels)
      levels = base_->implicit || std::ranges::none_of(shape_.offsets.c, [](int c) { return c > 0; })
                   ? base_
                   : std::make_shared<const Reduced>(reduce(base_->model, shape_, {.keep_constraints = true}));
    return *levels;
  }

  // Finding the kind of the constraints needs matrices: skipped if every kind gives the same decision.
  bool kind_matters() const {
    Indicators as = choice_.indicators;
    if (trial_run_ || as.kind != Kind::General) return false;
    const int general = decide(as).row;
    as.kind = Kind::Holonomic;
    return decide(as).row != general;
  }

  const std::shared_ptr<const Reduced>& examined() const {
    return choice_.findings.levels ? choice_.findings.levels : base_;
  }

  bool has_no_constraints() const {
    return choice_.indicators.kind == Kind::ExplicitOde || choice_.indicators.kind == Kind::Index1;
  }

  void foretell(System& system) {
    Problem problem(system);
    problem.set_states(system.reduced().permanent);
    choice_.indicators.series_by_explicit = Work(problem).series_by_explicit(options_.tolerance);
  }

  void look() {
    Findings& findings = choice_.findings;
    Diagnostics diagnostics;
    auto start = initialize(*examined(), options_.start, diagnostics, guarded_guess);
    if (diagnostics.has_errors() || !std::holds_alternative<State>(start)) return;
    findings.started = examined();
    findings.start = std::make_shared<const State>(std::get<State>(std::move(start)));
    // The linearization is interpreted, and so are kernels of the adaptive backend, with which the run can then
    // continue.
    const bool interpreted_first = trial_run_ || options_.backend == Backend::Adaptive;
    const auto compiled =
        std::make_shared<const CompiledSystem>(examined(), interpreted_first ? options_.backend : Backend::Interpreter);
    auto system = std::make_shared<System>(compiled, nullptr, findings.start->parameters);
    glance(choice_.indicators, *system, *findings.start, length(options_));
    if (interpreted_first) findings.compiled = compiled;
    if (has_no_constraints()) foretell(*system);
    if (!trial_run_) return;
    const Trial trial(system, *findings.start, {.stop = options_.stop, .tolerance = options_.tolerance});
    measure(choice_.indicators, *system, trial);
  }

  std::shared_ptr<const Reduced> base_;
  const structure::Structure& shape_;
  const ChooseOptions& options_;
  const bool trial_run_;
  Choice choice_;
};

}  // namespace

Choice choose(std::shared_ptr<const Reduced> base, const structure::Structure& shape, const ChooseOptions& options) {
  return Choosing(std::move(base), shape, options)();
}

}  // namespace driftless::choose
