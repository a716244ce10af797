#include "driftless/integrate/run/method_switching.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace driftless {
namespace {

bool is_series(const Method& method) { return std::holds_alternative<method::Taylor>(method); }
bool is_bdf(const Method& method) { return std::holds_alternative<method::Bdf>(method); }
bool is_radau(const Method& method) { return std::holds_alternative<method::Radau>(method); }

// Steps until the modes are first examined, the most steps between examinations without a sign, and the steps from a
// sign to its confirmation. An examination costs about nine slopes.
struct Pace {
  int first, longest, confirming;
};
Pace pace_of(const Method& method) {
  return is_radau(method)    ? Pace{8, 16, 4}
         : is_series(method) ? Pace{15, 120, 5}
         : is_bdf(method)    ? Pace{30, 120, 5}
                             : Pace{40, 320, 10};
}

// Speeds are measured over windows of this many steps; a trial takes three windows, and up to six while the method is
// still getting faster.
int window_of(const Method& method) { return is_bdf(method) ? 20 : is_radau(method) || is_series(method) ? 4 : 10; }
constexpr int windows_of_trial = 3, most_windows = 6, windows_behind = 3;
constexpr double gets_faster = 1.3;
constexpr double doubt = 0.5;  // uncertainty of the weights of the work

// Work, counted in slopes: of a step ...
double work_of_step(const Method& method, int order) {
  return is_series(method)  ? 40.0
         : is_bdf(method)   ? 3.0
         : is_radau(method) ? 10.0 * (order + 1) / 2
         : order > 5        ? 12.0
                            : 7.0;
}
// ... and per unit of h |z|, if stability bounds the steps: 7 slopes reach 3.3 with order 5, 12 reach 6.1 with order 8.
double work_if_bounded(const Method& method) { return is_series(method) ? 6.0 : 2.0; }

constexpr double advantage = 3.0;  // of the other method, to be worth a change

// If less of the run is left, an examination does not pay: a trial of an implicit method takes some 300 slopes.
double shortest_rest(const Method& method) { return is_series(method) ? 2000.0 : is_explicit(method) ? 3000.0 : 600.0; }
// If a stepper has found that stability bounds its steps, no trial is needed: the rest must only cost more than one.
constexpr double shortest_stiff_rest = 300.0;

// A step size that is the largest so far, or doubles between two examinations, is still growing: its bound is not
// reached.
constexpr double below_largest = 0.9, doubles = 2.0;
// A step size far smaller than some hundred steps ago is transient: a switch, a jump of a relaxation.
constexpr double passing = 0.1, fades = 0.98;

// Of series: h r / p; (p!)^(1/p) / p is 0.42 for p = 20, and (tolerance p!)^(1/p) / p, for a mode of full size, about
// 0.2.
constexpr double near_bound_of_series = 0.2, of_any_mode = 0.3;
// Of explicit methods: h |z|; the bound lies at 3.3 and 6.1 on the real axis, at a third of that on the imaginary one.
double near_bound_of_explicit(int order) { return order > 5 ? 2.0 : 1.0; }
constexpr int signs_of_stiffness = 2;

// Nonlinear rows take two or three evaluations for a slope, and so does each level of constraints. If a slope takes
// more than this many, most of them are wasted.
constexpr double costly = 10.0;

std::string describe(Advice advice, const Mode& mode, double h) {
  return advice == Advice::NotStiff
             ? fmt::format(
                   "stability no longer asks for steps as small as {:.2g}: the fastest mode has |lambda| = {:.2g}", h,
                   mode.rate)
         : mode.mostly_decays()
             ? fmt::format("steps of {:.2g} are bounded by a mode that decays at the rate {:.2g}", h, mode.decay)
             : fmt::format("steps of {:.2g} may be bounded by a mode with |lambda| = {:.2g}", h, mode.rate);
}

}  // namespace

MethodSwitching::MethodSwitching(Problem& problem, const Successors& successors, const Method& first)
    : problem_(problem), successors_(successors), method_(first) {
  begin();
}

void MethodSwitching::archive(Archive& archive) {
  archive.section("switching of methods");
  driftless::archive(archive, method_);
  for (std::optional<Method>* successor : {&successors_.when_stiff, &successors_.when_not_stiff}) {
    bool applies = successor->has_value();  // a successor that does not was dropped
    archive(applies);
    if (!applies) successor->reset();
  }
  bool has_modes = fastest_.has_value(), has_work = work_.has_value();
  archive(has_modes, has_work);
  if (has_modes && !fastest_) fastest_.emplace(problem_);
  if (has_work && !work_) work_.emplace(problem_);
  if (fastest_) archive(*fastest_);
  if (work_) archive(*work_);
  archive(states_changed_, wait_, left_, signs_, signs_of_ease_, step_before_, largest_step_, recent_step_, steps_,
          measured_from_, mark_time_, mark_work_, mark_evaluations_, evaluations_per_step_, speed_, speed_before_,
          suspicion_, left_costly_, on_trial_, stood_trial_, verdict_, returns_, speed_to_beat_, slow_windows_,
          implicit_in_vain_, explicit_in_vain_);
}

void MethodSwitching::take_over(const Method& next) {
  if (!is_explicit(method_) && is_explicit(next) && !returns_) signs_of_ease_ *= 2;
  on_trial_ = std::exchange(suspicion_, false) && !returns_ && speed_ > 0.0;
  // Stability is known not to bound the steps; so the successor is rejected only if the estimate of its work was quite
  // wrong.
  speed_to_beat_ = is_explicit(next) ? doubt * speed_ : speed_;
  if (std::exchange(returns_, false)) {
    ++(is_explicit(method_) ? explicit_in_vain_ : implicit_in_vain_);
    left_costly_ = false;
  }
  method_ = next;
  begin();
}

void MethodSwitching::begin() {
  const int in_vain = is_explicit(method_) ? implicit_in_vain_ : explicit_in_vain_;
  wait_ = left_ = pace_of(method_).first << std::min(2 * in_vain, 12);
  signs_ = 0;
  step_before_ = largest_step_ = recent_step_ = 0.0;
  steps_ = 0;
  measured_from_ = on_trial_ ? 0 : std::max(0, left_ - window_of(method_) - 1);
  mark_work_ = speed_ = speed_before_ = evaluations_per_step_ = 0.0;
  slow_windows_ = 0;
  stood_trial_ = verdict_ = false;
}

const Method* MethodSwitching::successor(Advice advice) {
  if (advice == Advice::GoOn) return nullptr;
  if (is_explicit(method_) && implicit_in_vain_ > 0 && !returns_ && steps_ < wait_) return nullptr;
  std::optional<Method>& next = advice == Advice::NotStiff ? successors_.when_not_stiff : successors_.when_stiff;
  if (next && not_applicable(*next, problem_)) next.reset();
  return next && next->index() != method_.index() ? &*next : nullptr;
}

// Measures at the end of every window. On trial the first window begins after the first step; otherwise one window
// precedes the first examination, so that a run that ends before needs no weights.
void MethodSwitching::measure(const Stepper& stepper) {
  const long measured = steps_++ - measured_from_;
  const bool is_first = measured == 0;
  const int window = window_of(method_);
  if (measured < 0 || ((measured + 1) % window != 0 && !is_first)) return;
  if (!work_) work_.emplace(problem_);
  Statistics counts;
  stepper.add_to(counts);
  const double work = (*work_)(method_, counts, stepper.last_order());
  const double evaluations = static_cast<double>(counts.residual_evaluations);
  const double new_evaluations = evaluations - std::exchange(mark_evaluations_, evaluations);
  if (is_first) {
    mark_time_ = stepper.time(), mark_work_ = work;
    return;
  }
  evaluations_per_step_ = new_evaluations / window;
  speed_before_ = std::exchange(speed_, (stepper.time() - mark_time_) / std::max(work - mark_work_, 1.0));
  mark_time_ = stepper.time(), mark_work_ = work;
  slow_windows_ = speed_ < speed_to_beat_ ? slow_windows_ + 1 : 0;
  if (slow_windows_ == 0 && steps_ >= windows_of_trial * window_of(method_)) stood_trial_ = true;
}

// A method that has passed its trial is still measured: if it is slower than its predecessor for some windows, it is
// dropped.
bool MethodSwitching::trial_is_over() const {
  const int window = window_of(method_);
  if (!on_trial_ || steps_ % window != 0 || steps_ < windows_of_trial * window) return false;
  return slow_windows_ >= (stood_trial_ ? windows_behind : 1) &&
         (speed_ <= gets_faster * speed_before_ || steps_ >= most_windows * window);
}

double MethodSwitching::operations_of_looks() {
  if (!fastest_) return 0.0;
  if (!work_) work_.emplace(problem_);
  return static_cast<double>(fastest_->slopes()) * work_->of_slope();
}

double MethodSwitching::rest(const Stepper& stepper, double stop) const {
  return work_of_step(method_, stepper.last_order()) * (stop - stepper.time()) / stepper.last_step();
}

bool MethodSwitching::heeds_stepper(const Stepper& stepper, double stop) {
  const bool is_measuring = suspicion_ && !(speed_ > 0.0);
  return !is_measuring && rest(stepper, stop) >= shortest_stiff_rest && successor(Advice::Stiff);
}

bool MethodSwitching::confirms_stepper(const Stepper& stepper) {
  const std::optional<Mode> mode = fastest_mode(stepper);
  suspicion_ = mode && !mode->mostly_decays();
  if (!suspicion_ || speed_ > 0.0) return true;
  measured_from_ = std::min(measured_from_, steps_);
  return false;
}

std::optional<Mode> MethodSwitching::fastest_mode(const Stepper& stepper) {
  if (!fastest_) fastest_.emplace(problem_);
  if (std::exchange(states_changed_, false)) fastest_->states_changed();
  return (*fastest_)(stepper.time(), stepper.y(), stepper.yp());
}

bool MethodSwitching::is_due(const Stepper& stepper, double stop) {
  if (!successors_.when_stiff && !successors_.when_not_stiff) return false;
  measure(stepper);
  largest_step_ = std::max(largest_step_, stepper.last_step());
  recent_step_ = std::max(fades * recent_step_, stepper.last_step());
  --left_;
  if (on_trial_ && trial_is_over()) return verdict_ = true;
  if (stood_trial_ && is_explicit(method_)) on_trial_ = false;
  if (on_trial_ && !stood_trial_) return false;
  if (left_ > 0 || !(is_explicit(method_) ? successors_.when_stiff : successors_.when_not_stiff)) return false;
  if (!is_explicit(method_) && left_costly_) return false;
  if (!is_explicit(method_) &&
      (stepper.last_step() > below_largest * largest_step_ || stepper.last_step() < passing * recent_step_))
    return false;
  return rest(stepper, stop) >= shortest_rest(method_);
}

StepReport MethodSwitching::examine(const Stepper& stepper) {
  returns_ = suspicion_ = false;
  if (std::exchange(verdict_, false)) {
    returns_ = true;
    return {.reason = "the trial is over", .advice = is_explicit(method_) ? Advice::Stiff : Advice::NotStiff};
  }
  const std::optional<Mode> mode = fastest_mode(stepper);
  const Advice advice = mode ? judge(*mode, stepper) : Advice::GoOn;
  step_before_ = stepper.last_step();
  if (advice == Advice::GoOn) {
    const bool contradicts = std::exchange(signs_, 0) > 0;
    left_ = wait_ = contradicts ? pace_of(method_).first : std::min(2 * wait_, pace_of(method_).longest);
    return {};
  }
  left_ = pace_of(method_).confirming;
  if (++signs_ < (advice == Advice::NotStiff ? signs_of_ease_ : signs_of_stiffness)) return {};
  suspicion_ = advice != Advice::Stiff || !proves_stiffness(*mode, stepper);
  left_costly_ = advice == Advice::Costly;
  return {.reason = advice == Advice::Costly ? fmt::format("a step of {:.2g} takes {:.0f} evaluations of the equations",
                                                           stepper.last_step(), evaluations_per_step_)
                                             : describe(advice, *mode, stepper.last_step()),
          .advice = advice};
}

bool MethodSwitching::proves_stiffness(const Mode& mode, const Stepper& stepper) const {
  const bool is_series_at_bound = stepper.last_step() * mode.decay > of_any_mode * stepper.last_order();
  return mode.mostly_decays() && (!is_series(method_) || is_series_at_bound);
}

// Rejected steps, and Newton's iterations that converge slowly or not at all.
bool MethodSwitching::is_costly(const Stepper& stepper) const {
  return std::holds_alternative<method::ExplicitRungeKutta>(method_) &&
         evaluations_per_step_ > costly * work_of_step(method_, stepper.last_order());
}

Advice MethodSwitching::judge(const Mode& mode, const Stepper& stepper) const {
  const double h = stepper.last_step();
  if (is_series(method_)) {
    const double part = h / stepper.last_order();
    const bool is_bounded =
        part * mode.rate > of_any_mode || (part * mode.decay > near_bound_of_series && mode.mostly_decays());
    return is_bounded ? Advice::Stiff : Advice::GoOn;
  }
  if (is_explicit(method_))
    return h * mode.rate > near_bound_of_explicit(stepper.last_order()) ? Advice::Stiff
           : is_costly(stepper)                                         ? Advice::Costly
                                                                        : Advice::GoOn;
  const double otherwise = work_if_bounded(*successors_.when_not_stiff) * h * mode.rate;
  const bool is_cheaper = advantage * otherwise < work_of_step(method_, stepper.last_order());
  return is_cheaper && h <= doubles * step_before_ ? Advice::NotStiff : Advice::GoOn;
}

}  // namespace driftless
