#include "driftless/integrate/run/run.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "driftless/clock/processor_time.hpp"

namespace driftless {
namespace {

// A singular point found again within this many steps is accepted as one.
constexpr double steps_between_leaps = 8.0;

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
      dead_centre_(context_, pivoting_, methods_),
      stiff_crawl_(context_.problem),
      events_in_step_(context_),
      values_(context_, pivoting_),
      count_(start.t, options.stop - start.t) {}

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
    for (bool goes_on = std::exchange(started_, true) || start(); goes_on && !event_ && is_on_the_way();) {
      const std::size_t details = context_.solution.details.size();
      goes_on = advance();
      if (goes_on || !leaps_over_fold()) continue;
      context_.solution.details.resize(details);
      goes_on = true;
    }
  } catch (const std::bad_alloc&) {
    run_out_of_memory();
  }
}

namespace {

// What is done once before the first step, with the point at the start. Reading the clock takes the time of hundreds of
// operations, so it is read no more often.
class Preparation {
 public:
  explicit Preparation(RunContext& run) : run_(run), begin_(run.clock()) {}
  ~Preparation() { run_.preparation += run_.clock() - begin_; }

 private:
  RunContext& run_;
  double begin_;
};

}  // namespace

bool Run::start() {
  const Preparation measured(context_);
  const IntegrateOptions& options = context_.options;
  Solution& solution = context_.solution;
  output_.describe_columns();
  solution.start = solution.reached = context_.start.t;
  solution.stop = options.stop;
  if (options.rows.begin) options.rows.begin(solution);
  pivoting_.choose_first();
  report_ = output_.deliver(context_.start.t, Origin::Solved);
  if (failed(report_) || options.stop <= context_.start.t) return end(report_);  // or only the start was requested
  if (!has_states()) {
    path_ = std::make_unique<PathPoints>(context_, context_.start.t);
    return true;
  }
  if (const auto reason = not_applicable(options.method, context_.problem))
    refuse_run(Code::MethodNotApplicable, context_, *reason);
  projection_.check();
  jumps_.aim_behind(context_.start.t);
  methods_.make_first();
  jumps_.pass_instant_at_start();
  return true;
}

// A model without states is a set of algebraic equations at every time, and its path is followed point by point.
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
    if (jumps_.gives_up_kink() || pivoting_.renew_chart() || takes_half_of_doubtful() || passes_dead_centre())
      return true;
    explanation_.describe_failure(report_);
    return end(report_);
  }
  if (needs_polynomial() && !context_.stepper->has_polynomial()) {
    return jumps_.takes_half() || end_without_polynomial();
  }
  const bool may_jump = jumps_.may_occur();
  if (!may_jump && !stays_on_branch()) return !failed(report_) || end(report_);
  auto found = events_in_step_.find(begins_inside_);
  if (events_in_step_.lacks_polynomial()) return jumps_.takes_half() || end_without_polynomial();
  if (events_in_step_.is_undecided()) return takes_undecided_again();
  // An event is right only if the part of the step before it is, which is checked as a step that ends there, and if the
  // polynomial is, which belongs to the whole step.
  const double from = context_.solution.reached, end_of_step = context_.stepper->time();
  const double to = found ? found->at : end_of_step;
  Jumps::Jump jump = jumps_.look_at_step(end_of_step, report_);
  if (to < end_of_step && jump == Jumps::Jump::None) jump = jumps_.look_at_step(to, report_);
  if (jump == Jumps::Jump::Ends) return end(report_);
  if (jump == Jumps::Jump::StepAgain || jumps_.ends_at_kink(end_of_step, jump)) return true;
  if (to < end_of_step && jumps_.ends_at_kink(to, jump)) return true;
  if (jumps_.ends_at_pulse(end_of_step, jump)) return true;
  const std::string what = jump == Jumps::Jump::Crossed ? report_.reason : "";
  if (jump == Jumps::Jump::None)
    if (StepReport singular = singular_.look_at_step(to); failed(singular)) {
      if (!takes_again_as_singular()) return end(std::move(singular));
      context_.solution.details.pop_back();
      return true;
    }
  if (may_jump && jump == Jumps::Jump::None && !stays_on_branch()) return !failed(report_) || end(report_);
  if (found) return stop_at_event(std::move(*found));
  const Taken taken = deliver(report_);
  if (taken == Taken::Ends) return end(report_);
  if (taken == Taken::StepAgain) return true;
  return finish_step(from, jump, what);
}

// A leap to another solution that was not noticed shows here as well; a singular point stays where it is.
bool Run::takes_again_as_singular() {
  if (singular_.wants_shorter() && (dead_centre_.is_leaping() ? passes_dead_centre() : jumps_.takes_half()))
    return true;
  const double from = context_.solution.reached, h = context_.stepper->time() - from;
  const bool may_leap = std::holds_alternative<method::Bdf>(context_.method());
  const bool is_first = !taken_again_from_ || from - *taken_again_from_ > steps_between_leaps * h;
  if (!((singular_.found_leap() || (may_leap && is_first)) && branches_.shorten())) return false;
  taken_again_from_ = from;
  return true;
}

bool Run::passes_dead_centre() {
  if (!dead_centre_.leaps_from_failure()) return false;
  branches_.forget();
  singular_.forget();
  report_ = {};
  return true;
}

bool Run::takes_half_of_doubtful() {
  constexpr double shortest = 1e-7;  // of the interval
  const double h = context_.stepper->time() - context_.solution.reached;
  const bool is_in_doubt = report_.code == Code::StatesLost && pivoting_.coordinates().equations().is_in_doubt();
  return is_in_doubt && h > shortest * (context_.options.stop - context_.start.t) && jumps_.takes_half();
}

bool Run::stays_on_branch() {
  if (branches_.trusts_step()) return true;
  if (!branches_.shorten()) report_ = branches_.leap();
  return false;
}

// Called after the step has been delivered.
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
  if (count_.steps() >= context_.options.max_steps)
    return {Outcome::TooManySteps, fmt::format("{} steps did not reach the end", count_.steps())};
  StepReport report = context_.stepper->step();
  if (failed(report)) return report;
  step_is_stored_ = false;
  const Stepper& stepper = *context_.stepper;
  count_.add(stepper.time(), stepper.last_step(), stepper.last_order(), context_.solution.statistics);
  const bool advances = stepper.time() > context_.solution.reached && !count_.crawls();
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
    if (context_.stepper->time() >= target_) values_.keep_step();
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

// Dense output needs the valid part of the step.
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
  dead_centre_.after_step();
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

// The polynomial is needed for an output point inside, for dense output, or to look for jumps. The search for events
// requests it only for the few steps that it must search inside.
bool Run::needs_polynomial() const {
  const IntegrateOptions& options = context_.options;
  return options.dense || options.step_taken || (jumps_.may_occur() && !options.step) ||
         (!output_.is_done() && output_.next_time() < context_.stepper->time());
}

// A step whose points do not satisfy the equations is repeated, to end at the output point within it ...
bool Run::step_to_output() {
  if (context_.options.step || output_.is_done()) return false;
  const double t = output_.next_time();
  if (!(t > context_.solution.reached && t < context_.stepper->time()) || stepped_to_ == t) return false;
  stepped_to_ = t;
  return jumps_.step_again_to(t);
}

// ... or with a restart of the method, once at each point.
bool Run::takes_again() {
  const double here = context_.solution.reached;
  if (context_.options.step || taken_again_from_ == here) return false;
  taken_again_from_ = here;
  return context_.step_again_to(context_.goal);
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
  add_remark_on_folds();
  solution.outcome = report_.outcome;
  solution.code = report_.code ? report_.code : code_of(report_.outcome);
  if (failed(report_))
    solution.message = fmt::format("stopped at t = {:.9g}: {}", solution.reached, report_.reason);
  else if (solution.verdict() == Verdict::NotKept)
    solution.outcome = Outcome::NotKept, solution.code = code_of(Outcome::NotKept),
    solution.message = why_not_kept(solution.certificate, solution.bound);
  if (!context_.options.dense || !has_memory) return;
  solution.observer = [dense = values_.dense_output()](double t, std::vector<double>& y, std::vector<double>& yp,
                                                       std::vector<double>& series) { (*dense)(t, y, yp, series); };
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
  archive(dead_centre_, stepped_to_, taken_again_from_, count_, report_.outcome, report_.reason, report_.advice, ended_,
          finished_, values_);
  archive(report_before_event_.outcome, report_before_event_.reason, report_before_event_.advice, spacing_,
          in_rest_of_step_, step_is_stored_, leapt_at_, folds_, first_fold_);
}

void Run::values_at(double t, std::vector<double>& series) { values_.at(t, path_.get(), series); }

}  // namespace driftless
