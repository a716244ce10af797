#include "driftless/integrate/succession.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace driftless {
namespace {

bool is_series(const Method& method) { return std::holds_alternative<method::Taylor>(method); }
bool is_bdf(const Method& method) { return std::holds_alternative<method::Bdf>(method); }
bool is_implicit(const Method& method) { return is_bdf(method) || std::holds_alternative<method::Radau>(method); }

// Steps until the first look, between looks without a sign at most, and from a sign to its confirmation. A look costs
// about nine slopes.
struct Pace {
  int first, longest, confirming;
};
Pace pace_of(const Method& method) {
  return is_implicit(method) && !is_bdf(method) ? Pace{8, 16, 4} : Pace{30, 120, 5};
}

// Work, counted in slopes: of a step ...
double work_of_step(const Method& method, int order) {
  return is_series(method) ? 40.0 : is_bdf(method) ? 3.0 : 10.0 * (order + 1) / 2;
}
// ... and per unit of h |z|, if stability bounds the steps: 7 slopes reach 3.3 with order 5, 12 reach 6.1 with order 8.
double work_if_bounded(const Method& method) { return is_series(method) ? 6.0 : 2.0; }

constexpr double advantage = 3.0;  // of the other method, to be worth a change

// A shorter rest of the run is not worth a look. A series that modes hold up takes many more steps.
double shortest_rest(const Method& method) { return is_series(method) ? 4000.0 : 600.0; }

// A step size that is larger than ever before, or doubles between two looks, is growing still: what bounds it is ahead.
constexpr double below_largest = 0.9, doubles = 2.0;

constexpr double near_bound_of_series = 0.2;  // h r / p; (p!)^(1/p) / p is 0.42 for p = 20
constexpr int signs_of_stiffness = 2;

std::string describe(Advice advice, const Mode& mode, double h) {
  return advice == Advice::Stiff
             ? fmt::format("steps of {:.2g} are bounded by a mode that decays at the rate {:.2g}", h, mode.decay)
             : fmt::format("stability no longer asks for steps as small as {:.2g}: the fastest mode has |lambda| = {:.2g}",
                           h, mode.rate);
}

}  // namespace

Succession::Succession(Problem& problem, const Successors& successors, const Method& first)
    : problem_(problem), successors_(successors), method_(first) {
  begin();
}

void Succession::take_over(const Method& next) {
  if (is_implicit(method_) && !is_implicit(next)) signs_of_ease_ *= 2;
  method_ = next;
  begin();
}

void Succession::begin() {
  wait_ = left_ = pace_of(method_).first;
  signs_ = 0;
  step_before_ = largest_step_ = 0.0;
}

const Method* Succession::heir(Advice advice) {
  if (advice == Advice::GoOn) return nullptr;
  std::optional<Method>& next = advice == Advice::Stiff ? successors_.when_stiff : successors_.when_not_stiff;
  if (next && not_applicable(*next, problem_)) next.reset();
  return next && next->index() != method_.index() ? &*next : nullptr;
}

bool Succession::is_due(const Stepper& stepper, double stop) {
  const bool looks =
      (is_series(method_) && successors_.when_stiff) || (is_implicit(method_) && successors_.when_not_stiff);
  largest_step_ = std::max(largest_step_, stepper.last_step());
  if (!looks || --left_ > 0) return false;
  if (is_implicit(method_) && stepper.last_step() > below_largest * largest_step_) return false;
  const double steps = (stop - stepper.time()) / stepper.last_step();
  return work_of_step(method_, stepper.last_order()) * steps >= shortest_rest(method_);
}

StepReport Succession::examine(const Stepper& stepper) {
  if (!fastest_) fastest_.emplace(problem_);
  if (std::exchange(states_changed_, false)) fastest_->states_changed();
  const std::optional<Mode> mode = (*fastest_)(stepper.time(), stepper.y(), stepper.yp());
  const Advice advice = mode ? judge(*mode, stepper) : Advice::GoOn;
  step_before_ = stepper.last_step();
  if (advice == Advice::GoOn) {
    const bool contradicts = std::exchange(signs_, 0) > 0;
    left_ = wait_ = contradicts ? pace_of(method_).first : std::min(2 * wait_, pace_of(method_).longest);
    return {};
  }
  left_ = pace_of(method_).confirming;
  if (++signs_ < (advice == Advice::Stiff ? signs_of_stiffness : signs_of_ease_)) return {};
  return {.reason = describe(advice, *mode, stepper.last_step()), .advice = advice};
}

Advice Succession::judge(const Mode& mode, const Stepper& stepper) const {
  const double h = stepper.last_step();
  if (is_series(method_)) {
    const bool is_bounded = h * mode.decay > near_bound_of_series * stepper.last_order();
    return is_bounded && mode.mostly_decays() ? Advice::Stiff : Advice::GoOn;
  }
  const double otherwise = work_if_bounded(*successors_.when_not_stiff) * h * mode.rate;
  const bool is_cheaper = advantage * otherwise < work_of_step(method_, stepper.last_order());
  return is_cheaper && h <= doubles * step_before_ ? Advice::NotStiff : Advice::GoOn;
}

}  // namespace driftless
