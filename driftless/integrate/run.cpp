// The loop of a run: steps, and who takes them.
#include "driftless/integrate/run.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "driftless/compile/processor_time.hpp"
#include "driftless/integrate/completion.hpp"

namespace driftless {
namespace {

// By how much, relative to their size, unknowns may change in one leap along a path without states.
constexpr double longest_leap = 0.2;

// So many steps within this part of the interval are a failure.
constexpr long steps_of_a_crawl = 10'000;
constexpr double shortest_crawl = 1e-9;

}  // namespace

Run::Run(std::shared_ptr<System> system, const State& start, const IntegrateOptions& options, Solution& solution)
    : system_(std::move(system)),
      reduced_(system_->reduced()),
      options_(options),
      solution_(solution),
      start_(start),
      problem_(*system_),
      atlas_(*system_, options.hysteresis),
      succession_(problem_, options.step ? Successors{} : options.successors, options.method),
      choice_values_(system_->choice_values()),
      y_(start.y),
      yp_(start.yp),
      quantities_(reduced_.quantities.size()),
      residuals_(reduced_.constraints.size()),
      invariants_(system_->invariants_of_model()) {}

void Run::go() {
  const double begin = processor_seconds();
  describe_columns();
  solution_.start = start_.t;
  solution_.stop = options_.stop;
  solution_.reached = start_.t;
  if (options_.rows.begin) options_.rows.begin(solution_);
  choose_states();
  preparation_ += processor_seconds() - begin;
  if (!deliver(start_.t)) return finish(undefined_at(start_.t));
  StepReport report;
  if (problem_.active().empty() && !has_rates())
    run_algebraic(report);
  else
    run_steps(report);
  finish(report);
}

bool Run::has_rates() const {
  return std::ranges::any_of(reduced_.quantities, [&](Quantity q) { return reduced_.place(q) == Place::Rate; });
}

void Run::refuse(const std::string& reason) const {
  Diagnostics diagnostics;
  diagnostics.error({}, reason);
  throw ModelError(diagnostics, *reduced_.model->sources);
}

void Run::run_steps(StepReport& report) {
  const double begin = processor_seconds();
  if (const auto reason = not_applicable(options_.method, problem_)) refuse(*reason);
  check_projection();
  preparation_ += processor_seconds() - begin;
  stepper_ = make(options_.method, start_);
  std::unique_ptr<Stepper>& stepper = stepper_;
  while (solution_.reached < options_.stop) {
    report = steps_ < options_.max_steps
                 ? stepper->step()
                 : StepReport{Outcome::TooManySteps, fmt::format("{} steps did not reach the end", steps_)};
    if (report.outcome == Outcome::Success) {
      count_step(*stepper);
      const bool advances = stepper->time() > solution_.reached && !crawls(*stepper);
      StepReport end = advances ? take_end(*stepper) : fails_to_advance();
      if (end.outcome != Outcome::Success) report = std::move(end);
    }
    if (report.outcome != Outcome::Success) {
      if (renew_chart(*stepper)) continue;
      describe_failure(*stepper, report);
      break;
    }
    const double end = end_of_values(*stepper);
    if (!output_up_to(*stepper, end) || end < stepper->time()) {
      report = stop_between(*stepper, end);
      break;
    }
    solution_.reached = stepper->time();
    if (options_.dense) stepper->store(solution_.segments.emplace_back());
    if (projector_ && projects_recurrence()) stepper->replace(end_y_, end_yp_);
    pivot(*stepper);
    if (succession_.is_due(*stepper, options_.stop)) report = look_at_modes(*stepper);
    if (const Method* next = succession_.heir(report.advice)) hand_over(stepper, *next, report);
    if (is_stopped()) {
      report = interruption();
      break;
    }
  }
  add_statistics(*stepper);
  remark_on_projection();
}

std::unique_ptr<Stepper> Run::make(const Method& method, const State& start) {
  const double begin = processor_seconds();
  const StepSettings settings{.tolerance = options_.tolerance,
                              .stop = options_.stop,
                              .step = options_.step,
                              .newton = options_.newton,
                              .projection = options_.projection};
  std::unique_ptr<Stepper> stepper = make_stepper(method, problem_, start, settings);
  projector_.reset(), output_projector_.reset();
  if (!stepper->projects()) prepare_projection();
  preparation_ += processor_seconds() - begin;
  return stepper;
}

StepReport Run::look_at_modes(const Stepper& stepper) {
  choose_states(stepper);
  return succession_.examine(stepper);
}

void Run::hand_over(std::unique_ptr<Stepper>& stepper, const Method& next, const StepReport& report) {
  if (solution_.reached >= options_.stop || (projects_recurrence() && !can_replace(next))) return;
  solution_.remarks.push_back(fmt::format("{}: {} takes over from {} at t = {:.6g}, where {}",
                                          report.advice == Advice::Stiff ? "stiff" : "not stiff", to_string(next),
                                          to_string(method()), stepper->time(), report.reason));
  add_statistics(*stepper);
  State here;
  here.t = stepper->time();
  here.y.assign(stepper->y().begin(), stepper->y().end());
  here.yp.assign(stepper->yp().begin(), stepper->yp().end());
  succession_.take_over(next);
  begin_era(here.t);
  std::unique_ptr<Stepper> heir = make(next, here);
  const double begin = processor_seconds();
  stepper = std::move(heir);
  preparation_ += processor_seconds() - begin;  // kernels that are given up count as those that are made
}

void Run::add_statistics(const Stepper& stepper) {
  ConditionNumbers& largest = solution_.statistics.largest_condition;
  const ConditionNumbers before = largest;
  stepper.add_to(solution_.statistics);
  if (before.matrix > largest.matrix) largest = before;
}

void Run::count_step(const Stepper& stepper) {
  Statistics& statistics = solution_.statistics;
  const double h = stepper.last_step();
  ++steps_;
  statistics.largest_step = std::max(statistics.largest_step, h);
  statistics.smallest_step = steps_ == 1 ? h : std::min(statistics.smallest_step, h);
  statistics.mean_order += (stepper.last_order() - statistics.mean_order) / static_cast<double>(steps_);
}

bool Run::crawls(const Stepper& stepper) {
  if (steps_ - milestone_.steps < steps_of_a_crawl) return false;
  const double advance = stepper.time() - milestone_.t;
  milestone_ = {steps_, stepper.time()};
  return advance < shortest_crawl * (options_.stop - start_.t);
}

StepReport Run::fails_to_advance() const {
  const System::Point missing = problem_.undefined_at();
  if (!missing.y.empty() && std::abs(missing.t - solution_.reached) <= 1e-9 * (options_.stop - start_.t))
    return {Outcome::EvaluationFailed, "an expression has no value"};
  return {Outcome::StepTooSmall, "the step size became too small to advance the time"};
}

void Run::run_algebraic(StepReport& report) {
  for (int k = 1; k <= options_.intervals; ++k) {
    const double t = output_time(k);
    if (!follow_to(t)) {
      report = {Outcome::StepTooSmall, "Newton's iteration does not converge"};
      describe_breakdown(solution_.reached);
      return;
    }
    if (!deliver(t)) {
      report = undefined_at(t);
      return;
    }
    if (is_stopped()) {
      report = interruption();
      return;
    }
  }
}

bool Run::follow_to(double t) {
  const double smallest = 1e-12 * (options_.stop - start_.t);
  double h = t - solution_.reached;
  std::vector<double> y = y_, yp = yp_;
  while (solution_.reached < t) {
    const double next = h < t - solution_.reached ? solution_.reached + h : t;
    if ((*on_constraints_)(next, y, yp) && on_constraints_->first_correction() <= longest_leap) {
      ++solution_.statistics.steps;
      if (options_.dense) solution_.segments.push_back(chord(solution_.reached, y_, next, y));
      solution_.reached = next;
      y_ = y, yp_ = yp;
      h *= 2.0;
    } else {
      y = y_, yp = yp_;
      if ((h *= 0.5) < smallest) return false;
    }
  }
  return true;
}

Segment Run::chord(double begin, const std::vector<double>& from, double end, const std::vector<double>& to) {
  Segment segment{begin, end, 1, to};
  for (std::size_t i = 0; i < to.size(); ++i) segment.coefficients.push_back(to[i] - from[i]);
  return segment;
}

StepReport Run::interruption() const {
  return {Outcome::Interrupted, sink_is_full_ ? "the output points can no longer be stored" : "the run was interrupted"};
}

void Run::run_out_of_memory() {
  stepper_.reset();
  const std::size_t series = solution_.series();
  const std::size_t rows = series == 0 ? solution_.times.size() : solution_.values.size() / series;
  solution_.times.resize(std::min(rows, solution_.times.size()));
  solution_.values.resize(solution_.times.size() * series);
  solution_.constraint_drift.resize(
      std::min(solution_.constraint_drift.size(), solution_.times.size() * solution_.drift_levels));
  solution_.segments.clear();
  finish({Outcome::OutOfMemory, "no memory is left"});
}

void Run::finish(const StepReport& report) {
  solution_.outcome = report.outcome;
  if (report.outcome != Outcome::Success)
    solution_.message = fmt::format("stopped at t = {:.9g}: {}", solution_.reached, report.reason);
  if (!options_.dense || report.outcome == Outcome::OutOfMemory) return;
  auto dense = std::make_shared<DenseOutput>(system_, eras_);
  if (projects()) dense->project(options_.projection, start_);
  if (!projects() && std::holds_alternative<method::HalfExplicit>(options_.method)) dense->complete();
  solution_.observer = [dense](double t, std::vector<double>& y, std::vector<double>& yp, std::vector<double>& series) {
    (*dense)(t, y, yp, series);
  };
}

}  // namespace driftless
