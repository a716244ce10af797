#include "driftless/integrate/run/run.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "driftless/clock/processor_time.hpp"
#include "driftless/linear/number.hpp"

namespace driftless {
namespace {

// So many steps within this part of the interval are a failure.
constexpr long steps_of_a_crawl = 10'000;
constexpr double shortest_crawl = 1e-9;

// Those of high order are long.
EventSearch::Steps steps_for(const Method& method) {
  if (std::holds_alternative<method::Taylor>(method)) return EventSearch::Steps::Long;
  return std::holds_alternative<method::Radau>(method) ? EventSearch::Steps::Medium : EventSearch::Steps::Short;
}

bool failed(const StepReport& report) { return report.outcome != Outcome::Success; }

// Between two points of a path without states: dense output solves the equations from there.
Segment chord(double begin, const std::vector<double>& from, double end, const std::vector<double>& to) {
  Segment segment{begin, end, 1, to};
  for (std::size_t i = 0; i < to.size(); ++i) segment.coefficients.push_back(to[i] - from[i]);
  return segment;
}

}  // namespace

Run::Run(std::shared_ptr<System> system, const State& start, const IntegrateOptions& options, Solution& solution)
    : context_(std::move(system), start, options, solution),
      checks_(*context_.system, options.tolerance),
      gate_(*context_.system, options.tolerance, options.step.has_value()),
      projection_(context_),
      pivoting_(context_,
                [this] {
                  singular_.states_changed();
                  projection_.states_changed();
                }),
      singular_(context_, pivoting_.coordinates()),
      points_(context_, projection_),
      explanation_(context_, gate_, checks_, pivoting_),
      output_(context_, gate_, checks_, points_, explanation_),
      jumps_(context_, points_, output_, singular_),
      methods_(context_, projection_, pivoting_),
      stiff_crawl_(context_.problem),
      milestone_{.t = start.t} {}

void Run::go_to(double t) {
  if (ended_) return;
  target_ = t;
  const double begin = processor_seconds(), compilation = seconds_of_compilation() + context_.preparation;
  try {
    const auto is_on_the_way = [&] { return reached() < t || reached() >= context_.options.stop; };
    for (bool goes_on = std::exchange(started_, true) || start(); goes_on && !event_ && is_on_the_way();)
      goes_on = advance();
  } catch (const std::bad_alloc&) {
    run_out_of_memory();
  }
  const double preparation = seconds_of_compilation() + context_.preparation - compilation;
  Statistics::Seconds& seconds = context_.solution.statistics.seconds;
  seconds.compile += preparation;
  seconds.integrate += processor_seconds() - begin - preparation;
}

bool Run::start() {
  const double begin = context_.clock();
  const IntegrateOptions& options = context_.options;
  Solution& solution = context_.solution;
  output_.describe_columns();
  solution.start = solution.reached = context_.start.t;
  solution.stop = options.stop;
  if (options.rows.begin) options.rows.begin(solution);
  pivoting_.choose_first();
  context_.preparation += context_.clock() - begin;
  report_ = output_.deliver(context_.start.t, Origin::Solved);
  if (failed(report_) || options.stop <= context_.start.t) return end(report_);  // or only the start was asked for
  if (!has_states()) {
    path_ = std::make_unique<Path>(context_.problem, *context_.on_constraints, context_.start.t, context_.y,
                                   context_.yp, options.stop - context_.start.t);
    return true;
  }
  const double checking = context_.clock();
  if (const auto reason = not_applicable(options.method, context_.problem))
    refuse_run(Code::MethodNotApplicable, context_, *reason);
  projection_.check();
  context_.preparation += context_.clock() - checking;
  jumps_.aim_behind(context_.start.t);
  methods_.make_first();
  jumps_.pass_instant_at_start();
  return true;
}

// Without, at every time the model is a set of algebraic equations, and the path is followed point by point.
bool Run::has_states() const {
  const Reduced& reduced = context_.reduced;
  return !context_.problem.active().empty() ||
         std::ranges::any_of(reduced.quantities, [&](Quantity q) { return reduced.place(q) == Place::Rate; });
}

bool Run::end(StepReport report) {
  report_ = std::move(report);
  ended_ = true;
  return false;
}

bool Run::advance() {
  if (ended_) return false;
  if (!(context_.solution.reached < context_.options.stop)) return end(report_);
  return path_ ? advance_on_path() : advance_by_step();
}

// ---- steps

bool Run::advance_by_step() {
  report_ = take_step();
  if (failed(report_)) {
    if (jumps_.gives_up_kink() || pivoting_.renew_chart()) return true;
    explanation_.describe_failure(report_);
    return end(report_);
  }
  if (needs_polynomial() && !context_.stepper->has_polynomial()) {
    if (jumps_.takes_half()) return true;
    report_ = {Outcome::SingularIteration, "the equations cannot be solved between the ends of a step"};
    explanation_.describe_failure(report_);
    return end(report_);
  }
  if (const auto found = event_in_step()) return stop_at_event(*found);
  const double from = context_.solution.reached;
  const Jumps::Jump jump = jumps_.look_at_step(report_);
  if (jump == Jumps::Jump::Ends) return end(report_);
  if (jump == Jumps::Jump::StepAgain || jumps_.ends_at_kink(jump)) return true;
  const std::string what = jump == Jumps::Jump::Crossed ? report_.reason : "";
  if (jump == Jumps::Jump::None)
    if (StepReport singular = singular_.look_at_step(); failed(singular)) return end(std::move(singular));
  const Taken taken = deliver(report_);
  if (taken == Taken::Ends) return end(report_);
  if (taken == Taken::StepAgain) return true;
  report_ = prepare_next_step(jump, from, what);
  return failed(report_) ? end(report_) : true;
}

StepReport Run::take_step() {
  if (steps_ >= context_.options.max_steps)
    return {Outcome::TooManySteps, fmt::format("{} steps did not reach the end", steps_)};
  StepReport report = context_.stepper->step();
  if (failed(report)) return report;
  count_step();
  const bool advances = context_.stepper->time() > context_.solution.reached && !crawls();
  StepReport end = advances ? take_end() : explanation_.fails_to_advance();
  return failed(end) ? end : report;
}

StepReport Run::take_end() {
  const Stepper& stepper = *context_.stepper;
  context_.end_y.assign(stepper.y().begin(), stepper.y().end());
  context_.end_yp.assign(stepper.yp().begin(), stepper.yp().end());
  if (auto lost = pivoting_.lost_states(stepper.time(), stepper.y(), stepper.yp()))
    return {Outcome::SingularIteration, std::move(*lost), Advice::GoOn, Code::StatesLost};
  return projection_.project_end(stepper.time());
}

Run::Taken Run::deliver(StepReport& report) {
  Solution& solution = context_.solution;
  const std::size_t details = solution.details.size();
  StepReport delivered = output_.deliver_step();
  if (!failed(delivered)) {
    if (context_.stepper->time() >= target_) keep_last_step();
    solution.reached = context_.stepper->time();
    if (context_.options.dense) context_.stepper->store(solution.segments.emplace_back());
    return Taken::Delivered;
  }
  report = std::move(delivered);
  if (report.outcome == Outcome::NotSatisfied && (step_to_output() || takes_again())) {
    solution.details.resize(details);
    return Taken::StepAgain;
  }
  end_within_step();
  return Taken::Ends;
}

// The stepper may start anew behind the step, and then has no polynomial of it any more. A step without a polynomial is
// replaced by its chord: the equations are solved from there.
void Run::keep_last_step() {
  last_step_ = {};
  if (context_.stepper->has_polynomial())
    context_.stepper->store(last_step_);
  else
    last_step_ = chord(context_.solution.reached, context_.from_y, context_.stepper->time(), context_.end_y);
}

// Dense output needs what was right of the step.
void Run::end_within_step() {
  Solution& solution = context_.solution;
  solution.reached = std::max(solution.reached, solution.times.back());
  const Stepper& stepper = *context_.stepper;
  if (context_.options.dense && solution.reached > stepper.time() - stepper.last_step())
    context_.stepper->store(solution.segments.emplace_back());
}

StepReport Run::prepare_next_step(Jumps::Jump jump, double from, const std::string& what) {
  const IntegrateOptions& options = context_.options;
  if (projection_.moves_steps()) context_.stepper->replace(context_.end_y, context_.end_yp);
  pivoting_.after_step();
  methods_.after_step(report_);
  const Stepper& stepper = *context_.stepper;
  if (!options.step && !options.successors.when_stiff)
    if (const auto hopeless = stiff_crawl_(context_.method(), stepper, options.stop, options.max_steps))
      return {Outcome::TooManySteps, *hopeless, Advice::GoOn, Code::StiffForMethod};
  context_.from_y.assign(stepper.y().begin(), stepper.y().end());
  context_.from_yp.assign(stepper.yp().begin(), stepper.yp().end());
  StepReport report = jump == Jumps::Jump::Crossed ? jumps_.go_on_behind(from, what) : jumps_.go_on_from_goal();
  if (failed(report)) return report;
  return is_stopped() ? interruption() : StepReport{};
}

// For an output point inside, for dense output, or to look for jumps.
bool Run::needs_polynomial() const {
  const IntegrateOptions& options = context_.options;
  return options.dense || context_.events || (jumps_.may_occur() && !options.step) ||
         (!output_.is_done() && output_.next_time() < context_.stepper->time());
}

// A step whose points do not satisfy the equations: it is taken again, to end at the output point within it ...
bool Run::step_to_output() {
  if (context_.options.step || output_.is_done()) return false;
  const double t = output_.next_time();
  if (!(t > context_.solution.reached && t < context_.stepper->time()) || stepped_to_ == t) return false;
  stepped_to_ = t;
  return jumps_.step_again_to(t);
}

// ... or with a new start of the method, once at each point.
bool Run::takes_again() {
  const double here = context_.solution.reached;
  if (context_.options.step || taken_again_from_ == here) return false;
  taken_again_from_ = here;
  return context_.step_again_to(context_.goal);
}

void Run::count_step() {
  Statistics& statistics = context_.solution.statistics;
  const double h = context_.stepper->last_step();
  ++steps_;
  statistics.largest_step = std::max(statistics.largest_step, h);
  statistics.smallest_step = steps_ == 1 ? h : std::min(statistics.smallest_step, h);
  statistics.mean_order += (context_.stepper->last_order() - statistics.mean_order) / static_cast<double>(steps_);
}

bool Run::crawls() {
  if (steps_ - milestone_.steps < steps_of_a_crawl) return false;
  const double t = context_.stepper->time(), advance = t - milestone_.t;
  milestone_ = {steps_, t};
  return advance < shortest_crawl * (context_.options.stop - context_.start.t);
}

// ---- events

std::optional<EventSearch::Found> Run::event_in_step() {
  if (!context_.events) return {};
  const auto path = [&](double t, std::span<double> quantities) { return points_.observe(t, quantities); };
  return context_.events->find(context_.solution.reached, context_.stepper->time(), path, steps_for(context_.method()));
}

bool Run::stop_at_event(const EventSearch::Found& found) {
  Solution& solution = context_.solution;
  report_ = output_.deliver_event(found.at);
  if (failed(report_)) {
    end_within_step();
    return end(report_);
  }
  keep_last_step();
  if (context_.options.dense) context_.stepper->store(solution.segments.emplace_back());
  pause_at(found);
  return true;
}

void Run::pause_at(const EventSearch::Found& found) {
  context_.solution.reached = found.at;
  event_ = found;
  event_point_ = {};
  event_point_.t = found.at;
  event_point_.y = context_.y;
  event_point_.yp = context_.yp;
}

void Run::set_parameters(std::span<const double> values) {
  System& system = *context_.system;
  const long before = system.parameters_version();
  system.set_parameters(values);
  if (system.parameters_version() == before) return;
  checks_.take_parameters(values);
  jumps_.take_parameters(values);
  if (context_.events) context_.events->take_parameters(values);
}

bool Run::solve(double t, std::vector<double>& y, std::vector<double>& yp) {
  if (!(*context_.on_constraints)(t, y, yp)) return false;
  context_.system->set_rates(t, y, yp);
  return true;
}

void Run::go_on(double t, std::span<const double> y, std::span<const double> yp) {
  event_.reset();
  context_.y.assign(y.begin(), y.end());
  context_.yp.assign(yp.begin(), yp.end());
  context_.from_y = context_.end_y = context_.y;
  context_.from_yp = context_.end_yp = context_.yp;
  context_.solution.reached = t;
  report_ = output_.deliver(t, Origin::Solved);
  output_.skip_up_to(t);
  if (failed(report_)) {
    end(report_);
    return;
  }
  if (t >= context_.options.stop) return;
  jumps_.forget();
  jumps_.aim_behind(t);
  if (path_)
    path_ = std::make_unique<Path>(context_.problem, *context_.on_constraints, t, context_.y, context_.yp,
                                   context_.options.stop - t);
  else if (context_.stepper)
    context_.stepper->resume(t, context_.y, context_.yp, context_.goal);
}

void Run::end_at_event(StepReport report) {
  event_.reset();
  end(std::move(report));
}

// ---- no states

bool Run::advance_on_path() {
  const double before = context_.solution.reached;
  const auto instant = context_.events ? context_.events->next_instant(before) : std::nullopt;
  const bool is_output = !instant || output_.next_time() <= *instant;
  const double t = is_output ? output_.next_time() : *instant;
  context_.from_y = context_.y, context_.from_yp = context_.yp;
  if (!follow_to(t)) {
    context_.y = path_->y(), context_.yp = path_->yp();
    explanation_.describe_breakdown(context_.solution.reached);
    return end({Outcome::StepTooSmall, "Newton's iteration does not converge"});
  }
  report_ = jumps_.look_for_pole(before, t);
  if (failed(report_)) return end(report_);
  if (const auto found = event_on_path(before, t)) return stop_at_event_on_path(*found);
  if (!is_output) return true;
  report_ = output_.deliver(t, Origin::Solved);
  if (failed(report_)) return end(report_);
  output_.skip();
  if (is_stopped()) return end(interruption());
  return true;
}

// The equations are solved at any time between.
std::optional<EventSearch::Found> Run::event_on_path(double a, double b) {
  if (!context_.events) return {};
  context_.end_y = context_.y, context_.end_yp = context_.yp;
  const auto path = [&](double t, std::span<double> quantities) {
    if (!solve_on_path(a, b, t)) return false;
    context_.system->observe({t, context_.y, context_.yp}, quantities);
    return linear::all_finite(quantities);
  };
  // From one output point to the next anything may happen.
  const auto found = context_.events->find(a, b, path, EventSearch::Steps::Oscillating);
  context_.y = context_.end_y, context_.yp = context_.end_yp;
  return found;
}

bool Run::solve_on_path(double a, double b, double t) {
  context_.y = t >= b ? context_.end_y : context_.from_y;
  context_.yp = t >= b ? context_.end_yp : context_.from_yp;
  return t >= b || t <= a || (*context_.on_constraints)(t, context_.y, context_.yp);
}

bool Run::stop_at_event_on_path(const EventSearch::Found& found) {
  solve_on_path(-HUGE_VAL, context_.solution.reached, found.at);
  std::erase_if(context_.solution.segments, [&](const Segment& segment) { return segment.begin >= found.at; });
  report_ = output_.deliver(found.at, Origin::Solved);
  output_.skip_up_to(found.at);
  if (failed(report_)) return end(report_);
  pause_at(found);
  return true;
}

bool Run::follow_to(double t) {
  Solution& solution = context_.solution;
  while (path_->time() < t) {
    if (!path_->leap_towards(std::min(t, path_->time() + context_.options.longest_step))) return false;
    ++solution.statistics.steps;
    if (context_.options.dense)
      solution.segments.push_back(chord(path_->time_before(), path_->y_before(), path_->time(), path_->y()));
    solution.reached = path_->time();
  }
  context_.y = path_->y(), context_.yp = path_->yp();
  return true;
}

// ---- the end

bool Run::is_stopped() const {
  const auto& progress = context_.options.progress;
  return output_.is_full() || (progress && !progress(context_.solution.reached));
}

StepReport Run::interruption() const {
  return {Outcome::Interrupted,
          output_.is_full() ? "the output points can no longer be stored" : "the run was interrupted"};
}

void Run::run_out_of_memory() {
  context_.stepper.reset();
  output_.drop_incomplete();
  end({Outcome::OutOfMemory, "no memory is left"});
}

void Run::finish() {
  if (std::exchange(finished_, true)) return;
  Solution& solution = context_.solution;
  const bool has_memory = report_.outcome != Outcome::OutOfMemory;
  if (has_memory && !path_ && context_.stepper) {
    methods_.add_statistics();
    methods_.add_remark();
    projection_.add_remark();
  }
  checks_.add_remarks(solution.remarks);
  solution.outcome = report_.outcome;
  solution.code = report_.code ? report_.code : code_of(report_.outcome);
  if (failed(report_))
    solution.message = fmt::format("stopped at t = {:.9g}: {}", solution.reached, report_.reason);
  else if (solution.verdict() == Verdict::NotKept)
    solution.outcome = Outcome::NotKept, solution.code = code_of(Outcome::NotKept),
    solution.message = why_not_kept(solution.certificate, solution.bound);
  if (!context_.options.dense || !has_memory) return;
  solution.observer = [dense = make_dense_output()](double t, std::vector<double>& y, std::vector<double>& yp,
                                                    std::vector<double>& series) { (*dense)(t, y, yp, series); };
}

std::shared_ptr<DenseOutput> Run::make_dense_output() const {
  const IntegrateOptions& options = context_.options;
  auto dense =
      std::make_shared<DenseOutput>(context_.system, pivoting_.epochs(), options.tolerance, options.step.has_value());
  if (context_.projects()) dense->project(options.projection, context_.start);
  if (!context_.projects() && std::holds_alternative<method::HalfExplicit>(options.method)) dense->complete();
  return dense;
}

void Run::archive(Archive& archive) {
  context_.archive(archive);
  pivoting_.archive(archive);
  archive.expect(path_ != nullptr, "number of states");
  if (path_)
    archive(*path_);
  else if (context_.stepper)
    methods_.archive(archive);
  archive(projection_, jumps_, singular_, output_, checks_, gate_, stiff_crawl_);
  archive(stepped_to_, taken_again_from_, steps_, milestone_.steps, milestone_.t, report_.outcome, report_.reason,
          report_.advice, ended_, finished_, last_step_);
}

// A run without states has no polynomial: the equations are solved at t, from the line between the last two points.
void Run::values_at(double t, std::vector<double>& series) {
  if (!observer_) observer_ = make_dense_output();
  observer_->use(pivoting_.epochs());
  std::vector<double> y = context_.start.y, yp = context_.start.yp;
  if (path_ && t > context_.start.t) {
    const double a = path_->time_before(), b = path_->time();
    yp = path_->yp();
    for (std::size_t i = 0; i < y.size(); ++i)
      y[i] = std::lerp(path_->y_before()[i], path_->y()[i], b > a ? (t - a) / (b - a) : 1.0);
  } else if (t > context_.start.t) {
    if (t == last_step_.end)
      y = context_.end_y, yp = context_.end_yp;
    else if (t > last_step_.begin && t < last_step_.end)
      evaluate(last_step_, t, y, yp);
    else  // between a step that ends before a jump and the new start behind it
      y = context_.from_y, yp = context_.from_yp;
  }
  series.resize(context_.solution.series());
  (*observer_)(t, y, yp, series);
}

}  // namespace driftless
