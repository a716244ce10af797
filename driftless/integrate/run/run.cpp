// The loop of a run: steps, and who takes them.
#include "driftless/integrate/run/run.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "driftless/compile/processor_time.hpp"
#include "driftless/integrate/solve/completion.hpp"

namespace driftless {
namespace {

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
      coordinates_(*system_, options.hysteresis),
      switching_(problem_, options.step ? Successors{} : options.successors, options.method),
      checks_(*system_, options.tolerance),
      // Constant steps without exchanges are an experiment: what they step over is its subject.
      forced_(reduced_, system_->choice_entries(), options.pivot == PivotMode::Never && !options.step),
      choice_values_(system_->choice_values()),
      y_(start.y),
      yp_(start.yp),
      quantities_(reduced_.quantities.size()),
      invariants_(system_->invariants_of_model()),
      may_be_delivered_(*system_, options.tolerance, options.step.has_value()),
      from_y_(start.y),
      from_yp_(start.yp),
      switches_(*system_),
      kinks_(*system_, options.tolerance),
      singular_(problem_) {}

double Run::clock() const { return processor_seconds() - compilation(); }

void Run::go() {
  const double begin = clock();
  describe_columns();
  solution_.start = start_.t;
  solution_.stop = options_.stop;
  solution_.reached = start_.t;
  if (options_.rows.begin) options_.rows.begin(solution_);
  choose_states();
  preparation_ += clock() - begin;
  StepReport report = deliver(start_.t, Origin::Solved);
  if (report.outcome != Outcome::Success) return finish(report);
  if (options_.stop <= start_.t) return finish(report);  // only the start was asked for
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
  const double begin = clock();
  if (const auto reason = not_applicable(options_.method, problem_)) refuse(*reason);
  check_projection();
  preparation_ += clock() - begin;
  goal_ = next_goal(start_.t);
  stepper_ = make(options_.method, start_);
  std::unique_ptr<Stepper>& stepper = stepper_;
  pass_instant_at_start(*stepper);
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
      if (gives_up_kink(*stepper) || renew_chart(*stepper)) continue;
      describe_failure(*stepper, report);
      break;
    }
    if (needs_polynomial(*stepper) && !stepper->has_polynomial()) {
      if (takes_half(*stepper)) continue;
      report = {Outcome::SingularIteration, "the equations cannot be solved between the ends of a step"};
      describe_failure(*stepper, report);
      break;
    }
    const double from = solution_.reached;
    const Jump jump = look_for_jump(*stepper, report);
    if (jump == Jump::StepAgain) continue;
    if (jump == Jump::Ends) break;
    const bool is_hunt = jump == Jump::Crossed && hunt_.width > 0.0;
    if (!is_hunt && ends_at_kink(*stepper)) continue;
    const std::string what = jump == Jump::Crossed ? report.reason : "";
    if (jump == Jump::None) {
      StepReport singular = look_for_singular_point(*stepper);
      if (singular.outcome != Outcome::Success) {
        report = std::move(singular);
        break;
      }
    }
    const std::size_t details = solution_.details.size();
    report = deliver_step(*stepper, std::move(report));
    if (report.outcome == Outcome::NotSatisfied && (step_to_output(*stepper) || takes_again(*stepper))) {
      solution_.details.resize(details);
      continue;
    }
    if (report.outcome != Outcome::Success) {
      solution_.reached = std::max(solution_.reached, solution_.times.back());
      keep_segment(*stepper);
      break;
    }
    if (projector_ && projects_recurrence()) stepper->replace(end_y_, end_yp_);
    pivot(*stepper);
    if (switching_.is_due(*stepper, options_.stop)) report = look_at_modes(*stepper);
    if (const Method* next = switching_.successor(report.advice)) hand_over(stepper, *next, report);
    if (!options_.step && !options_.successors.when_stiff)
      if (const auto hopeless = stiff_crawl_(method(), *stepper, options_.stop, options_.max_steps)) {
        report = {Outcome::TooManySteps, *hopeless};
        break;
      }
    from_y_.assign(stepper->y().begin(), stepper->y().end());
    from_yp_.assign(stepper->yp().begin(), stepper->yp().end());
    if (jump == Jump::Crossed) {
      report = count_jump(solution_.reached, solution_.reached - from, what);
      if (report.outcome != Outcome::Success) break;
      start_behind(*stepper, stepper->time());
    } else {
      StepReport going_on = go_on_from_goal(*stepper);
      if (going_on.outcome != Outcome::Success) {
        report = std::move(going_on);
        break;
      }
    }
    if (is_stopped()) {
      report = interruption();
      break;
    }
  }
  add_statistics(method(), *stepper);
  for (const auto& [method, former] : former_) add_statistics(method, *former);
  if (options_.count_work) solution_.statistics.operations += switching_.operations_of_looks();
  remark_on_trials();
  remark_on_projection();
}

StepReport Run::deliver_step(Stepper& stepper, StepReport report) {
  StepReport delivered = has_output_within(stepper) ? output_of_step(stepper) : examine_end(stepper);
  if (delivered.outcome != Outcome::Success) return delivered;
  solution_.reached = stepper.time();
  if (options_.dense) stepper.store(solution_.segments.emplace_back());
  return report;
}

bool Run::has_output_within(const Stepper& stepper) const {
  return next_output_ <= options_.intervals && output_time(next_output_) <= stepper.time();
}

StepReport Run::output_of_step(Stepper& stepper) {
  const double end = end_of_values(stepper);
  StepReport delivered = output_up_to(stepper, end);
  if (delivered.outcome != Outcome::Success) return delivered;
  return end < stepper.time() ? stop_between(stepper, end) : StepReport{};
}

// One evaluation tells whether all quantities exist and whether they satisfy the equations.
StepReport Run::examine_end(Stepper& stepper) {
  y_ = end_y_, yp_ = end_yp_;
  const auto violation = may_be_delivered_({stepper.time(), y_, yp_}, Origin::StepEnd, quantities_);
  if (!is_right(stepper.time())) return output_of_step(stepper);
  return violation ? not_satisfied(*violation) : StepReport{};
}

// For an output point inside, for dense output, or to look for jumps.
bool Run::needs_polynomial(const Stepper& stepper) const {
  return options_.dense || (switches_.exist() && !options_.step) ||
         (next_output_ <= options_.intervals && output_time(next_output_) < stepper.time());
}

bool Run::takes_half(Stepper& stepper) {
  const double a = solution_.reached, middle = std::midpoint(a, stepper.time());
  if (options_.step || !(middle > a && middle < stepper.time())) return false;
  goal_ = middle;
  hunt_ = {};
  instant_is_goal_ = false;
  return stepper.resume(a, from_y_, from_yp_, goal_);
}

// Tried once for each output point.
bool Run::takes_again(Stepper& stepper) {
  if (options_.step || taken_again_from_ == solution_.reached) return false;
  taken_again_from_ = solution_.reached;
  return stepper.resume(solution_.reached, from_y_, from_yp_, goal_);
}

bool Run::step_to_output(Stepper& stepper) {
  if (options_.step || next_output_ > options_.intervals) return false;
  const double t = output_time(next_output_);
  if (!(t > solution_.reached && t < stepper.time()) || stepped_to_ == t) return false;
  stepped_to_ = goal_ = t;
  hunt_ = {};
  instant_is_goal_ = false;
  return stepper.resume(solution_.reached, from_y_, from_yp_, goal_);
}

std::unique_ptr<Stepper> Run::make(const Method& method, const State& start) {
  const double begin = clock();
  const StepSettings settings{.tolerance = options_.tolerance,
                              .stop = goal_,
                              .step = options_.step,
                              .longest_step = options_.longest_step,
                              .newton = options_.newton,
                              .projection = options_.projection};
  std::unique_ptr<Stepper> stepper = make_stepper(method, problem_, start, settings);
  projector_.reset(), output_projector_.reset();
  if (!stepper->projects()) prepare_projection();
  epochs_.back().point_solver = point_solver_ = stepper->point_solver();
  preparation_ += clock() - begin;
  return stepper;
}

void Run::add_statistics(const Method& method, const Stepper& stepper) {
  ConditionNumbers& largest = solution_.statistics.largest_condition;
  const ConditionNumbers before = largest;
  stepper.add_to(solution_.statistics);
  if (before.matrix > largest.matrix) largest = before;
  if (!options_.count_work) return;
  Statistics counts;
  stepper.add_to(counts);
  solution_.statistics.operations += Work(problem_)(method, counts, stepper.last_order());
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
  Path path(problem_, *on_constraints_, start_.t, y_, yp_, options_.stop - start_.t);
  for (int k = 1; k <= options_.intervals; ++k) {
    const double t = output_time(k), before = solution_.reached;
    from_y_ = y_, from_yp_ = yp_;
    if (!follow_to(path, t)) {
      y_ = path.y(), yp_ = path.yp();
      report = {Outcome::StepTooSmall, "Newton's iteration does not converge"};
      describe_breakdown(solution_.reached);
      return;
    }
    report = look_for_pole(before, t);
    if (report.outcome == Outcome::Success) report = deliver(t, Origin::Solved);
    if (report.outcome != Outcome::Success) return;
    if (is_stopped()) {
      report = interruption();
      return;
    }
  }
}

bool Run::follow_to(Path& path, double t) {
  while (path.time() < t) {
    if (!path.leap_towards(std::min(t, path.time() + options_.longest_step))) return false;
    ++solution_.statistics.steps;
    if (options_.dense) solution_.segments.push_back(chord(path.time_before(), path.y_before(), path.time(), path.y()));
    solution_.reached = path.time();
  }
  y_ = path.y(), yp_ = path.yp();
  return true;
}

Segment Run::chord(double begin, const std::vector<double>& from, double end, const std::vector<double>& to) {
  Segment segment{begin, end, 1, to};
  for (std::size_t i = 0; i < to.size(); ++i) segment.coefficients.push_back(to[i] - from[i]);
  return segment;
}

StepReport Run::interruption() const {
  return {Outcome::Interrupted,
          sink_is_full_ ? "the output points can no longer be stored" : "the run was interrupted"};
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
  checks_.add_remarks(solution_.remarks);
  solution_.outcome = report.outcome;
  if (report.outcome != Outcome::Success)
    solution_.message = fmt::format("stopped at t = {:.9g}: {}", solution_.reached, report.reason);
  else if (solution_.verdict() == Verdict::NotKept)
    solution_.outcome = Outcome::NotKept, solution_.message = why_not_kept();
  if (!options_.dense || report.outcome == Outcome::OutOfMemory) return;
  auto dense = std::make_shared<DenseOutput>(system_, epochs_, options_.tolerance, options_.step.has_value());
  if (projects()) dense->project(options_.projection, start_);
  if (!projects() && std::holds_alternative<method::HalfExplicit>(options_.method)) dense->complete();
  solution_.observer = [dense](double t, std::vector<double>& y, std::vector<double>& yp, std::vector<double>& series) {
    (*dense)(t, y, yp, series);
  };
}

}  // namespace driftless
