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

// Those of high order are long: a step of DOP853 may be half an oscillation, which no cubic through its ends describes.
EventSearch::Steps steps_for(const Method& method) {
  if (std::holds_alternative<method::Taylor>(method)) return EventSearch::Steps::Long;
  const bool is_multistep = std::holds_alternative<method::Bdf>(method) || std::holds_alternative<method::Ida>(method);
  return is_multistep ? EventSearch::Steps::Short : EventSearch::Steps::Medium;
}

// Collocation methods damp oscillations that their steps do not resolve, so the ends of a step do not tell of them.
bool ends_tell_of_oscillations(const Method& method) {
  return !std::holds_alternative<method::Taylor>(method) && !std::holds_alternative<method::Radau>(method);
}

// The first step behind an event is not longer than so many of the times between events: it would be looked through for
// many events of which only the first counts.
constexpr double events_of_first_step = 4.0;
constexpr double weight_of_spacing = 0.125;
constexpr int events_of_shrinking = 4;               // one after the other sooner than the one before: then no step
constexpr double spacings_of_shrinking_step = 32.0;  // is so long that its end hides what happens at its beginning

// Of the interval: a step in which it is open whether there is an event is not halved any more.
constexpr double shortest_undecided = 1e-12;
// Of the interval: in a step so short the polynomial stands for unknowns that cannot be solved for inside of it.
constexpr double shortest_solved = 1e-8;

// A singular point that is found again so soon is one.
constexpr double steps_between_leaps = 8.0;

double few_units(double t) { return 64.0 * (std::nextafter(std::abs(t), HUGE_VAL) - std::abs(t)); }

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
      singular_(context_),
      branches_(context_),
      points_(context_, projection_),
      explanation_(context_, gate_, checks_, pivoting_),
      output_(context_, gate_, checks_, points_, explanation_),
      jumps_(context_, points_, output_, singular_),
      methods_(context_, projection_, pivoting_),
      stiff_crawl_(context_.problem),
      milestone_{.t = start.t} {}

void Run::go_to(double t) {
  if (ended_) return;
  const double begin = processor_seconds(), compilation = seconds_of_compilation() + context_.preparation;
  go_to_unmeasured(t);
  const double preparation = seconds_of_compilation() + context_.preparation - compilation;
  Statistics::Seconds& seconds = context_.solution.statistics.seconds;
  seconds.compile += preparation;
  seconds.integrate += processor_seconds() - begin - preparation;
}

void Run::go_to_unmeasured(double t) {
  if (ended_) return;
  target_ = t;
  try {
    const auto is_on_the_way = [&] { return reached() < t || reached() >= context_.options.stop; };
    for (bool goes_on = std::exchange(started_, true) || start(); goes_on && !event_ && is_on_the_way();)
      goes_on = advance();
  } catch (const std::bad_alloc&) {
    run_out_of_memory();
  }
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
  const bool is_rest = begins_inside_ = std::exchange(in_rest_of_step_, false);
  if (is_rest && context_.solution.reached >= context_.stepper->time())
    return finish_step(context_.solution.reached, Jumps::Jump::None, "");
  report_ = is_rest ? report_before_event_ : take_step();
  if (failed(report_)) {
    if (jumps_.gives_up_kink() || pivoting_.renew_chart()) return true;
    explanation_.describe_failure(report_);
    return end(report_);
  }
  if (needs_polynomial() && !context_.stepper->has_polynomial()) {
    return jumps_.takes_half() || end_without_polynomial();
  }
  const bool may_jump = jumps_.may_occur();
  if (!may_jump && !stays_on_branch()) return !failed(report_) || end(report_);
  auto found = event_in_step();
  if (lacks_polynomial_ && jumps_.takes_half()) return true;
  if (lacks_polynomial_) return end_without_polynomial();
  if (is_unsolved_ || (context_.events && context_.events->undecided())) return takes_undecided_again();
  if (found) return stop_at_event(std::move(*found));
  const double from = context_.solution.reached;
  const Jumps::Jump jump = jumps_.look_at_step(report_);
  if (jump == Jumps::Jump::Ends) return end(report_);
  if (jump == Jumps::Jump::StepAgain || jumps_.ends_at_kink(jump)) return true;
  const std::string what = jump == Jumps::Jump::Crossed ? report_.reason : "";
  if (jump == Jumps::Jump::None)
    if (StepReport singular = singular_.look_at_step(); failed(singular)) {
      // A leap of a multistep method to another solution that was not noticed shows here as well; a singular point
      // stays where it is.
      const double h = context_.stepper->time() - from;
      const bool may_leap = std::holds_alternative<method::Bdf>(context_.method());
      const bool is_first = !taken_again_from_ || from - *taken_again_from_ > steps_between_leaps * h;
      if (!may_leap || !is_first || !branches_.shorten()) return end(std::move(singular));
      taken_again_from_ = from;
      context_.solution.details.pop_back();
      return true;
    }
  if (may_jump && jump == Jumps::Jump::None && !stays_on_branch()) return !failed(report_) || end(report_);
  const Taken taken = deliver(report_);
  if (taken == Taken::Ends) return end(report_);
  if (taken == Taken::StepAgain) return true;
  return finish_step(from, jump, what);
}

bool Run::stays_on_branch() {
  if (branches_.trusts_step()) return true;
  if (!branches_.shorten()) report_ = branches_.leap();
  return false;
}

// That has been delivered.
bool Run::finish_step(double from, Jumps::Jump jump, const std::string& what) {
  report_ = prepare_next_step(jump, from, what);
  return failed(report_) ? end(report_) : true;
}

bool Run::end_without_polynomial() {
  report_ = {Outcome::SingularIteration, "the equations cannot be solved between the ends of a step"};
  explanation_.describe_failure(report_);
  return end(report_);
}

StepReport Run::take_step() {
  if (steps_ >= context_.options.max_steps)
    return {Outcome::TooManySteps, fmt::format("{} steps did not reach the end", steps_)};
  StepReport report = context_.stepper->step();
  if (failed(report)) return report;
  step_is_stored_ = false;
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
    tell_step(context_.stepper->time());
    solution.reached = context_.stepper->time();
    store_step();
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

void Run::tell_step(double to) {
  if (!context_.options.step_taken) return;
  const auto observe = [&](double t, std::span<double> quantities) { return points_.observe(t, quantities); };
  context_.options.step_taken(context_.solution.reached, to, observe);
}

void Run::store_step() {
  if (context_.options.dense && !std::exchange(step_is_stored_, true))
    context_.stepper->store(context_.solution.segments.emplace_back());
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
  if (solution.reached > stepper.time() - stepper.last_step()) store_step();
}

StepReport Run::prepare_next_step(Jumps::Jump jump, double from, const std::string& what) {
  const IntegrateOptions& options = context_.options;
  if (projection_.moves_steps()) context_.stepper->replace(context_.end_y, context_.end_yp);
  branches_.take_step();
  pivoting_.after_step();
  methods_.after_step(report_);
  branches_.limit_steps();
  if (jump == Jumps::Jump::Crossed) branches_.forget();
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

// For an output point inside, for dense output, or to look for jumps. The search for events asks for it where it has to
// look inside, which few steps need.
bool Run::needs_polynomial() const {
  const IntegrateOptions& options = context_.options;
  return options.dense || options.step_taken || (jumps_.may_occur() && !options.step) ||
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
  lacks_polynomial_ = solves_inside_ = is_unsolved_ = false;
  if (!context_.events) return {};
  const bool is_looked_at = context_.events->are_always_calm() && !begins_inside_;
  if (is_looked_at && is_quiet_step()) return {};
  const auto path = [this](double t, std::span<double> quantities) { return observe_for_events(t, quantities); };
  const double begin = context_.solution.reached, end = context_.stepper->time();
  EventSearch::Steps steps = steps_for(context_.method());
  const EventSearch::Speed speed =
      context_.events->speed({begin, context_.from_y, context_.from_yp}, {end, context_.end_y, context_.end_yp}, steps);
  const bool is_calm = speed == EventSearch::Speed::Calm;
  const bool may_be_quiet = is_calm && !context_.events->depends_on_time_in_rows() && !begins_inside_;
  if (may_be_quiet && !is_looked_at && is_quiet_step()) return {};
  if (!is_calm) steps = EventSearch::Steps::Oscillating;
  // The slopes of unknowns that follow time or states by rows are known from differences only: their middle is looked
  // at.
  const bool is_multistep = steps_for(context_.method()) == EventSearch::Steps::Short;
  const bool follows_rows =
      context_.events->depends_on_time_in_rows() || (is_multistep && context_.events->depends_on_untested());
  if (follows_rows && steps == EventSearch::Steps::Short) steps = EventSearch::Steps::Medium;
  solves_inside_ = follows_rows && context_.completes_points() && context_.on_constraints->determined();
  is_unsolved_ = speed == EventSearch::Speed::InRows && !solves_inside_;
  if (is_unsolved_) return {};
  if (is_calm && !follows_rows && !is_multistep)
    context_.events->use_polynomials(*context_.stepper, context_.from_y, context_.end_y);
  auto found = context_.events->find(begin, end, path, steps);
  if (is_unsolved_ && is_calm && end - begin <= shortest_solved * (context_.options.stop - context_.start.t)) {
    is_unsolved_ = solves_inside_ = false;
    found = context_.events->find(begin, end, path, steps);
  }
  // No step can be taken from an event that lies beside the stop time by rounding.
  if (found && end == context_.options.stop && end - found->at <= few_units(end)) found->at = end;
  return found;
}

bool Run::is_quiet_step() {
  RunContext& c = context_;
  return ends_tell_of_oscillations(c.method())
             ? c.events->is_quiet(c.solution.reached, c.stepper->time(), c.from_y, c.end_y)
             : c.events->is_quiet_along(*c.stepper, c.solution.reached, c.from_y, c.end_y);
}

// Events are not to be missed: where it is open whether there is one, the first half of the step is taken.
bool Run::takes_undecided_again() {
  const double h = context_.stepper->time() - context_.solution.reached;
  if (h > shortest_undecided * (context_.options.stop - context_.start.t) && jumps_.takes_half()) return true;
  const auto open = context_.events->undecided();
  const std::string why = open
                              ? fmt::format("{} changes so fast that it cannot be told whether it causes an event",
                                            context_.reduced.model->discrete.held[static_cast<std::size_t>(*open)].text)
                              : "the equations cannot be solved inside of a step, so it cannot be told whether "
                                "relations cause events there";
  return end({Outcome::StepTooSmall, why, Advice::GoOn, Code::EventUnresolved});
}

// Of the polynomial of the step as it is. Behind an event that has changed nothing continuous that is also the
// beginning: the point that was delivered there differs from it by what solving the equations has moved.
bool Run::observe_for_events(double t, std::span<double> quantities) {
  RunContext& c = context_;
  if (t >= c.stepper->time()) return c.events->observe(c.stepper->time(), c.end_y, c.end_yp, quantities);
  if (t <= c.solution.reached && !begins_inside_)
    return c.events->observe(c.solution.reached, c.from_y, c.from_yp, quantities);
  if (lacks_polynomial_ || !c.stepper->has_polynomial()) return !(lacks_polynomial_ = true);
  c.stepper->interpolate(t, c.y, c.yp);
  if (solves_inside_ && !solve(t, c.y, c.yp)) return !(is_unsolved_ = true);
  return c.events->observe(t, c.y, c.yp, quantities);
}

bool Run::stop_at_event(EventSearch::Found found) {
  tell_step(found.at);
  report_before_event_ = std::move(report_);
  report_ = output_.deliver_event(found.at);
  if (report_.code == Code::EventUnresolved && (step_to_output() || takes_again())) return true;
  if (failed(report_)) {
    end_within_step();
    return end(report_);
  }
  if (found.at >= target_) keep_last_step();
  store_step();
  pause_at(std::move(found));
  return true;
}

void Run::pause_at(EventSearch::Found found) {
  context_.solution.reached = found.at;
  event_point_.t = found.at;
  event_point_.y = context_.y;
  event_point_.yp = context_.yp;
  event_ = std::move(found);
}

void Run::set_parameters(std::span<const double> values) {
  System& system = *context_.system;
  system.set_parameters(values);
  if (context_.events) context_.events->take_parameters(values);  // at an event they are evaluated with others
  if (parameters_taken_ == system.parameters_version()) return;
  parameters_taken_ = system.parameters_version();
  checks_.take_parameters(values);
  jumps_.take_parameters(values);
}

bool Run::solve(double t, std::vector<double>& y, std::vector<double>& yp) {
  if (!(*context_.on_constraints)(t, y, yp)) return false;
  context_.system->set_rates(t, y, yp);
  return true;
}

void Run::go_on(double t, std::span<const double> y, std::span<const double> yp, double longest_first) {
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
  branches_.forget();
  jumps_.aim_behind(t);
  if (path_)
    path_ = std::make_unique<Path>(context_.problem, *context_.on_constraints, t, context_.y, context_.yp,
                                   context_.options.stop - t);
  else if (context_.stepper) {
    pivoting_.behind_event(t, context_.y, context_.yp);
    longest_first = std::min(longest_first, longest_step_behind_event(t));
    context_.stepper->resume_behind_event(t, context_.y, context_.yp, context_.goal, longest_first);
    methods_.after_step(report_before_event_);
  }
  if (is_stopped()) end(interruption());
}

double Run::longest_step_behind_event(double t) {
  const double spacing = t - std::exchange(spacing_.last, t);
  if (!(spacing > 0.0)) return HUGE_VAL;
  spacing_.shrinking = spacing < std::exchange(spacing_.latest, spacing) ? spacing_.shrinking + 1 : 0;
  spacing_.mean += (spacing_.mean > 0.0 ? weight_of_spacing : 1.0) * (spacing - spacing_.mean);
  const double longest = events_of_first_step * spacing_.mean;
  return spacing_.shrinking >= events_of_shrinking ? std::min(longest, spacings_of_shrinking_step * spacing) : longest;
}

bool Run::go_on_unchanged() {
  if (!context_.stepper || path_ || jumps_.is_hunting()) return false;
  const double t = context_.solution.reached, end_of_step = context_.stepper->time(), before = context_.goal;
  jumps_.aim_behind(t);
  const double goal = context_.goal;
  if (goal != before && goal > end_of_step && !context_.stepper->go_on_to(goal)) return false;
  event_.reset();
  in_rest_of_step_ = true;
  context_.y = context_.from_y = event_point_.y;
  context_.yp = context_.from_yp = event_point_.yp;
  output_.deliver_again(t);
  if (is_stopped()) end(interruption());
  return true;
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
  auto found = event_on_path(before, t);
  tell_path(before, t, found ? found->at : t);
  if (found) return stop_at_event_on_path(std::move(*found));
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
    return context_.events->observe(t, context_.y, context_.yp, quantities);
  };
  // From one output point to the next anything may happen.
  const auto found = context_.events->find(a, b, path, EventSearch::Steps::Oscillating);
  context_.y = context_.end_y, context_.yp = context_.end_yp;
  return found;
}

bool Run::observe_on_path(double a, double b, double t, std::span<double> quantities) {
  if (!solve_on_path(a, b, t)) return false;
  context_.system->observe({t, context_.y, context_.yp}, quantities);
  return linear::all_finite(quantities);
}

// From a to `to`, which lies before the end b of the path that was followed, or is that end.
void Run::tell_path(double a, double b, double to) {
  if (!context_.options.step_taken) return;
  context_.end_y = context_.y, context_.end_yp = context_.yp;
  const auto observe = [&](double t, std::span<double> quantities) { return observe_on_path(a, b, t, quantities); };
  context_.options.step_taken(a, to, observe);
  context_.y = context_.end_y, context_.yp = context_.end_yp;
}

bool Run::solve_on_path(double a, double b, double t) {
  context_.y = t >= b ? context_.end_y : context_.from_y;
  context_.yp = t >= b ? context_.end_yp : context_.from_yp;
  return t >= b || t <= a || (*context_.on_constraints)(t, context_.y, context_.yp);
}

bool Run::stop_at_event_on_path(EventSearch::Found found) {
  solve_on_path(-HUGE_VAL, context_.solution.reached, found.at);
  std::erase_if(context_.solution.segments, [&](const Segment& segment) { return segment.begin >= found.at; });
  report_ = output_.deliver(found.at, Origin::Solved);
  output_.skip_up_to(found.at);
  if (failed(report_)) return end(report_);
  pause_at(std::move(found));
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
  archive(projection_, jumps_, singular_, branches_, output_, checks_, gate_, stiff_crawl_);
  if (context_.events) archive(*context_.events);
  archive(stepped_to_, taken_again_from_, steps_, milestone_.steps, milestone_.t, report_.outcome, report_.reason,
          report_.advice, ended_, finished_, last_step_);
  archive(report_before_event_.outcome, report_before_event_.reason, report_before_event_.advice, spacing_.last,
          spacing_.mean, spacing_.latest, spacing_.shrinking, in_rest_of_step_, step_is_stored_);
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
