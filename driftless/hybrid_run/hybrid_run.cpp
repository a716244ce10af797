#include "driftless/hybrid_run/hybrid_run.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/clock/processor_time.hpp"
#include "driftless/run_start.hpp"

namespace driftless {
namespace {

constexpr double never = -std::numeric_limits<double>::infinity();
constexpr std::size_t events_of_chatter = 50;
constexpr double interval_of_chatter = 1e-10;  // of the run, for this many events

}  // namespace

HybridRun::HybridRun(const PreparedRun& prepared, const SimulateOptions& options, std::shared_ptr<const Model> numbers,
                     const IntegrateOptions& integration, Solution& solution, NotStarted)
    : prepared_(prepared),
      options_(options),
      numbers_(growable(numbers ? std::move(numbers) : prepared.analysis.model)),
      part_(numbers_->discrete),
      solution_(solution),
      integration_(integration),
      modes_(prepared, options_, numbers_),
      contacts_(modes_, options_, solution),
      results_(modes_, integration, solution),
      delays_(*numbers_, options.tolerance),
      iteration_(*numbers_, *this),
      in_relations_(event_numbers_in_relations(*numbers_)) {
  Diagnostics diagnostics;
  order_of(*numbers_, diagnostics);
  if (diagnostics.has_errors()) throw ModelError(diagnostics, *numbers_->sources);
  for (const Parameter& parameter : numbers_->parameters) parameters_.push_back(parameter.value);
}

HybridRun::HybridRun(const PreparedRun& prepared, const SimulateOptions& options, std::shared_ptr<const Model> numbers,
                     const IntegrateOptions& integration, Solution& solution)
    : HybridRun(prepared, options, std::move(numbers), integration, solution, NotStarted{}) {
  find_start();
}

HybridRun::HybridRun(const PreparedRun& prepared, const SimulateOptions& options, std::shared_ptr<const Model> numbers,
                     const IntegrateOptions& integration, Solution& solution, const State& start)
    : HybridRun(prepared, options, std::move(numbers), integration, solution, NotStarted{}) {
  parameters_ = start.parameters;
  Unsolved why;
  mode_ = modes_.at(parameters_, why).value();
  begin_at(start);
}

HybridRun::~HybridRun() = default;

// ---- start (start.cpp)

void HybridRun::begin_at(const State& start) {
  describe_start(modes_[mode_].prepared->analysis, options_, *numbers_, start, solution_);
  begin_run(start);
  start_ = modes_[mode_].begin;
  if (!ended_) results_.begin_epoch(start.t, mode_, parameters_);
}

// Begins a run of the present mode.
void HybridRun::begin_run(const State& start) {
  HybridMode& mode = modes_[mode_];
  mode.begin = start;
  mode.begin.parameters = parameters_;
  IntegrateOptions integration = integration_;
  integration.projection = mode.prepared->projection;
  integration.first_output = integration_.first_output.value_or(solution_.start);
  integration.rows = results_.sink_of(mode);
  if (delays_.exist())
    integration.step_taken = [this, &mode](double from, double to, const HybridDelays::Observe& observe) {
      delays_.add_step(from, to, mode.reduced().quantities, observe);
    };
  mode.set_parameters(parameters_);
  mode.run = std::make_unique<Run>(mode.system, start, integration, mode.part);
  mode.run->go_to_unmeasured(never);
  ended_ = mode.run->has_ended();
}

// ---- the loop

void HybridRun::go_to(double t) {
  if (ended_) return;
  const double begin = processor_seconds(), compilation = seconds_of_preparation();
  go_through_events_to(t);
  const double preparation = seconds_of_preparation() - compilation;
  Statistics::Seconds& seconds = solution_.statistics.seconds;
  seconds.compile += preparation;
  seconds.integrate += processor_seconds() - begin - preparation;
}

double HybridRun::seconds_of_preparation() const {
  double seconds = seconds_of_compilation();
  for (std::size_t k = 0; k < modes_.size(); ++k)
    if (modes_[k].run) seconds += modes_[k].run->preparation();
  return seconds;
}

void HybridRun::go_through_events_to(double t) {
  while (!ended_) {
    HybridMode& mode = modes_[mode_];
    Run& run = *mode.run;
    if (!run.event()) run.go_to_unmeasured(t);
    solution_.reached = mode.part.reached;
    results_.keep_segments(mode);
    if (run.has_ended()) {
      ended_ = true;
      pass_terminal_event();
    }
    if (ended_ || !run.event() || run.reached() > t) return;  // an event after t waits until the run gets there
    handle_event();
  }
}

void HybridRun::values_at(double t, std::vector<double>& series) {
  results_.values_at(t, modes_[mode_], parameters_, series);
}

void HybridRun::finish() {
  if (std::exchange(finished_, true) || modes_.size() == 0 || !modes_[mode_].run) return;
  for (std::size_t k = 0; k < modes_.size(); ++k)
    if (modes_[k].run) modes_[k].run->finish();
  results_.collect(mode_);
}

void HybridRun::end_at(double t, Outcome outcome, std::string reason, std::optional<Code> code) {
  solution_.reached = t;
  modes_[mode_].run->end_at_event({outcome, std::move(reason), Advice::GoOn, code});
  ended_ = true;
}

// ---- after an event

// Have neither the values of continuous variables changed nor any number in their equations?
bool HybridRun::goes_on_unchanged(double t, const ContinuousPoint& point) {
  HybridMode& mode = modes_[mode_];
  if (point.mode != mode_ || point.mode != from_.mode || !mode.run->event() || t >= solution_.stop) return false;
  if (!modes_.same_equations(before_, parameters_) || point.y != from_.y || point.yp != from_.yp) return false;
  mode.set_parameters_of_run(parameters_);
  if (!mode.run->go_on_unchanged()) return false;
  ended_ = mode.run->has_ended();
  results_.begin_epoch(t, mode_, parameters_);
  return true;
}

void HybridRun::go_on(double t, const ContinuousPoint& point) {
  if (modes_[from_.mode].run) modes_.keep_step(from_.mode, before_);
  mode_ = point.mode;
  HybridMode& mode = modes_[mode_];
  if (mode.run) {
    mode.set_parameters_of_run(parameters_);
    mode.run->go_on(t, point.y, point.yp, modes_.step_for(mode_, parameters_));
    ended_ = mode.run->has_ended();
  } else {
    State start;
    start.t = t;
    start.y = point.y;
    start.yp = point.yp;
    begin_run(start);
  }
  solution_.reached = t;
  results_.begin_epoch(t, mode_, parameters_);
}

// False if there is no contact, or if the method cannot integrate its equations.
bool HybridRun::enters(double t, const std::optional<ContinuousPoint>& contact) {
  if (!contact) return false;
  try {
    go_on(t, *contact);
    return true;
  } catch (const ModelError& error) {
    contacts_.give_up(error);
    return false;
  }
}

bool HybridRun::is_endless(double t) {
  recent_.push_back(t);
  if (recent_.size() < events_of_chatter) return false;
  const double advance = t - recent_.front();
  recent_.erase(recent_.begin());
  if (advance > interval_of_chatter * (solution_.stop - solution_.start)) return false;
  const std::vector<std::string> causes =
      solution_.events.empty() ? std::vector<std::string>{} : solution_.events.back().causes;
  end_at(t, Outcome::StepTooSmall,
         fmt::format("{} events follow each other within {:.2g} ({})", events_of_chatter, advance,
                     fmt::join(causes, ", ")),
         Code::EndlessJumps);
  return true;
}

}  // namespace driftless
