#include "driftless/started_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "driftless/automatic.hpp"
#include "driftless/clock/processor_time.hpp"
#include "driftless/compile/machine_code_use.hpp"
#include "driftless/integrate/run/integrate.hpp"
#include "driftless/integrate/steppers/grid.hpp"

namespace driftless {
namespace {

constexpr int most_intervals = 10'000'000;

[[noreturn]] void refuse_request(Code code, const std::string& reason, const Model& model) {
  Diagnostics diagnostics;
  diagnostics.error(code, {}, reason);
  throw ModelError(diagnostics, *model.sources);
}

// Refuses numbers of steps or points that are too large for any purpose and for the counters.
void check_counts(const SimulateOptions& options, const Model& model, double start, double stop) {
  if (!(start <= stop && std::isfinite(start) && std::isfinite(stop)))
    refuse_request(
        Code::WrongTimeSpan,
        fmt::format("a run is from a time to a later one, and both are finite: not from {} to {}", start, stop), model);
  if (!(options.tolerance > 0.0 && options.tolerance <= 1.0))
    refuse_request(Code::ToleranceOutOfRange, fmt::format("the tolerance {} is not between 0 and 1", options.tolerance),
                   model);
  if (options.step) {
    const double steps = (stop - start) / *options.step;
    if (!(*options.step > 0.0 && std::isfinite(*options.step)))
      refuse_request(Code::WrongStepSize, fmt::format("the step size {} is not positive", *options.step), model);
    if (steps > std::min(static_cast<double>(options.max_steps), Grid::most_steps))
      refuse_request(
          Code::WrongStepSize,
          fmt::format("the step size {} asks for {:.3g} steps, but {} are allowed: choose a larger step size, "
                      "or allow more steps (--max-steps)",
                      *options.step, steps, options.max_steps),
          model);
  }
  const std::optional<double> interval = model.experiment.interval;
  if (options.intervals && (*options.intervals < 1 || *options.intervals > most_intervals))
    refuse_request(Code::TooManyPoints,
                   fmt::format("{} output intervals are not between 1 and {}", *options.intervals, most_intervals),
                   model);
  if (!options.intervals && interval && (stop - start) / *interval > most_intervals)
    refuse_request(
        Code::TooManyPoints,
        fmt::format("Interval = {} in the experiment annotation asks for {:.3g} output intervals, but {} are "
                    "allowed: choose a number (--intervals)",
                    *interval, (stop - start) / *interval, most_intervals),
        model);
}

}  // namespace

int output_intervals(std::optional<int> asked, const Experiment& experiment, double start, double stop) {
  return asked.value_or(
      experiment.interval
          ? std::clamp(static_cast<int>(std::lround((stop - start) / *experiment.interval)), 1, most_intervals)
          : 500);
}

namespace {

IntegrateOptions integration_of(const SimulateOptions& options, const Experiment& experiment, double start,
                                double stop) {
  IntegrateOptions integration;
  integration.stop = stop;
  integration.method = options.method;
  integration.successors = options.successors.value_or(successors_of(options.method));
  integration.projection = options.projection;
  integration.step = options.step;
  if (options.max_step) integration.longest_step = *options.max_step;
  integration.tolerance = options.tolerance;
  integration.intervals = output_intervals(options.intervals, experiment, start, stop);
  integration.pivot = options.pivot;
  integration.newton = options.newton;
  integration.max_steps = options.max_steps;
  integration.dense = options.dense;
  integration.count_work = options.count_work;
  integration.progress = options.progress;
  integration.rows = options.rows;
  return integration;
}

// Each way has its own expressions on top of those of the model.
std::shared_ptr<const Model> upon(const std::shared_ptr<const Model>& numbers, const Analysis& analysis) {
  if (!numbers || numbers->pool == analysis.model->pool) return numbers;
  auto copy = std::make_shared<Model>(*numbers);
  copy->pool = analysis.model->pool;
  return copy;
}

}  // namespace

StartedRun::StartedRun(const PreparedRun& prepared, const SimulateOptions& options,
                       const std::shared_ptr<const Model>& numbers)
    : prepared_(prepared),
      options_(options),
      numbers_(upon(numbers, prepared.analysis)),
      solution_(std::make_unique<Solution>()) {
  describe();
  first_output_ = solution_->start;
  if (has_events()) {
    begin_with_events(nullptr);
    return;
  }
  const double begin_of_start = processor_seconds();
  Diagnostics diagnostics;
  auto found = start_of(prepared_, numbers_, solution_->start, diagnostics);
  solution_->statistics.seconds.initialize = processor_seconds() - begin_of_start;
  if (diagnostics.has_errors()) throw ModelError(diagnostics, *prepared_.analysis.model->sources);
  if (const auto* why = std::get_if<NoConsistentStart>(&found))
    explain_missing_start(prepared_.analysis, *why, *solution_);
  else
    begin(std::get<State>(std::move(found)));
}

StartedRun::StartedRun(const PreparedRun& prepared, const SimulateOptions& options,
                       const std::shared_ptr<const Model>& numbers, State start, double first_output)
    : prepared_(prepared),
      options_(options),
      numbers_(upon(numbers, prepared.analysis)),
      solution_(std::make_unique<Solution>()),
      first_output_(first_output) {
  options_.start = start.t;
  describe();
  if (has_events())
    begin_with_events(&start);
  else
    begin(std::move(start));
}

void StartedRun::describe() {
  const Analysis& analysis = prepared_.analysis;
  const Model& model = numbers_ ? *numbers_ : *analysis.model;
  Solution& solution = *solution_;
  solution.model = model.name;
  solution.formulation = analysis.hidden ? "implicit" : to_string(analysis.formulation);
  solution.method = to_string(options_.method);
  solution.projection = to_string(options_.projection);
  solution.tolerance = options_.tolerance;
  solution.step = options_.step;
  solution.structure = summary_of(analysis);
  const double start = options_.start.value_or(model.experiment.start),
               stop = options_.stop.value_or(model.experiment.stop);
  check_steps(options_, model);
  check_counts(options_, model, start, stop);
  solution.start = solution.reached = start;
  solution.stop = stop;
}

void StartedRun::begin(State start) {
  const Analysis& analysis = prepared_.analysis;
  Solution& solution = *solution_;
  base_start_ = start;
  if (numbers_ && start.parameters.empty())
    for (const Parameter& parameter : numbers_->parameters) start.parameters.push_back(parameter.value);
  start_ = extended(std::move(start), *analysis.reduced);
  const Model& model = numbers_ ? *numbers_ : *analysis.model;
  describe_start(analysis, options_, model, start_, solution);
  system_ = std::make_shared<System>(prepared_.system, numbers_, start_.parameters);
  if (options_.jacobian == Derivatives::Differences) system_->use_difference_quotients();
  integration_ = integration_of(options_, model.experiment, first_output_, solution.stop);
  if (first_output_ != solution.start) integration_.first_output = first_output_;
  run_ = std::make_unique<Run>(system_, start_, integration_, solution);
  epochs_ = {{.from = start_.t, .parameters = {system_->parameters().begin(), system_->parameters().end()}}};
}

bool StartedRun::has_events() const { return !prepared_.analysis.model->discrete.is_empty(); }

void StartedRun::begin_with_events(const State* start) {
  const Model& model = numbers_ ? *numbers_ : *prepared_.analysis.model;
  integration_ = integration_of(options_, model.experiment, first_output_, solution_->stop);
  if (first_output_ != solution_->start) integration_.first_output = first_output_;
  const double begin = processor_seconds();
  hybrid_ = start ? std::make_unique<HybridRun>(prepared_, options_, numbers_, integration_, *solution_, *start)
                  : std::make_unique<HybridRun>(prepared_, options_, numbers_, integration_, *solution_);
  base_start_ = hybrid_->start();
  solution_->statistics.seconds.initialize = processor_seconds() - begin;
}

void StartedRun::go_to(double t) {
  if (!run_ && !hybrid_) return;
  machine_code_was_called = false;
  if (hybrid_)
    hybrid_->go_to(t);
  else
    run_->go_to(t);
  Evaluation& evaluation = solution_->statistics.evaluation;
  if (machine_code_was_called)
    evaluation = Evaluation::Compiled;
  else if (evaluation == Evaluation::Unknown)
    evaluation = Evaluation::Interpreted;
}

// The shortest time is reported: other programs on the machine make a run longer, never shorter.
void StartedRun::finish() {
  if (hybrid_) hybrid_->finish();
  if (run_) run_->finish();
  if (!hybrid_ && !run_) return;
  integration_.rows = {};
  const double begin = processor_seconds();
  while (reached_end(solution_->outcome) && options_.repeat_seconds > 0.0 &&
         processor_seconds() - begin + solution_->statistics.seconds.integrate < options_.repeat_seconds) {
    Solution again;
    repeat(again);
    if (!reached_end(again.outcome)) break;
    double& shortest = solution_->statistics.seconds.integrate;
    shortest = std::min(shortest, again.statistics.seconds.integrate);
  }
}

void StartedRun::repeat(Solution& again) {
  if (run_) return integrate(system_, start_, integration_, again);
  again.start = again.reached = solution_->start;
  again.stop = solution_->stop;
  HybridRun run(prepared_, options_, numbers_, integration_, again);
  run.go_to(std::numeric_limits<double>::infinity());
  run.finish();
}

State StartedRun::changed(double t, const std::shared_ptr<const Model>& numbers, const NamedValues& variables) {
  const std::shared_ptr<const Model> other = upon(numbers, prepared_.analysis);
  if (hybrid_) return hybrid_->changed(t, other, variables);
  // Parameters that were computed at the start keep their values.
  std::vector<double> parameters;
  for (std::size_t p = 0; p < other->parameters.size(); ++p)
    parameters.push_back(other->parameters[p].fixed ? other->parameters[p].value : system_->parameters()[p]);
  std::vector<double> series;
  values_at(t, series);
  State state =
      changed_state(prepared_, other, std::move(parameters), {system_->reduced().quantities, series}, t, variables);
  state.degrees_of_freedom = base_start_.degrees_of_freedom;
  return state;
}

RunPoint StartedRun::point_at(double t) {
  if (hybrid_) return hybrid_->point_at(t);
  std::vector<double> series;
  values_at(t, series);
  const std::span<const double> parameters = system_->parameters();
  const std::shared_ptr<const Model>& numbers = numbers_ ? numbers_ : prepared_.analysis.model;
  return {prepared_.analysis.base, changed_state(prepared_, numbers, {parameters.begin(), parameters.end()},
                                                 {system_->reduced().quantities, series}, t, {})};
}

void StartedRun::archive(Archive& archive) {
  if (hybrid_)
    hybrid_->archive(archive);
  else
    run_->archive(archive);
}

}  // namespace driftless
