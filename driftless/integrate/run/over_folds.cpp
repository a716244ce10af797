// Continuation of a run beyond a fold of its algebraic equations.
#include <fmt/format.h>

#include "driftless/integrate/run/run.hpp"
#include "driftless/integrate/solve/fold.hpp"

namespace driftless {
namespace {

constexpr double shortest_between_folds = 1e-9;  // of the interval

}  // namespace

bool Run::leaps_over_fold() {
  const bool may_be_fold = report_.outcome == Outcome::StepTooSmall || report_.outcome == Outcome::SingularIteration;
  if (!ended_ || !may_be_fold || context_.options.step || context_.is_rewritten() || !context_.on_constraints)
    return false;
  const double t = context_.solution.reached, interval = context_.options.stop - context_.start.t;
  if (t - leapt_at_ <= shortest_between_folds * interval) return false;
  const std::vector<double> y = path_ ? context_.y : context_.from_y, yp = path_ ? context_.yp : context_.from_yp;
  const auto behind = solution_behind_fold(context_.problem, *context_.on_constraints, t, y, yp, interval);
  if (!behind) return false;
  // The end of a step satisfies the equations within the tolerance of the method only, and is not delivered here.
  if (path_ && output_.deliver(t, Origin::Solved).outcome != Outcome::Success) return false;
  const auto slot = static_cast<std::size_t>(behind->slot);
  if (folds_++ == 0)
    first_fold_ = fmt::format(
        "at t = {:.9g} the algebraic equations have a fold: the run goes on from the next solution "
        "along their curve, {} from {:.6g} to {:.6g}",
        behind->fold, context_.reduced.name(context_.reduced.slots[slot].quantity), y[slot], behind->y[slot]);
  leapt_at_ = t;
  ended_ = false;
  go_on(t, behind->y, behind->yp);
  // At the fold the steps have become too small to suggest the size of the next one.
  if (!ended_ && context_.stepper) context_.stepper->resume(t, context_.y, context_.yp, context_.goal);
  return !ended_;
}

void Run::add_remark_on_folds() {
  if (folds_ == 1) context_.solution.remarks.push_back(first_fold_);
  if (folds_ > 1)
    context_.solution.remarks.push_back(
        fmt::format("{}; the same happens {} more times, the last at t = {:.9g}", first_fold_, folds_ - 1, leapt_at_));
}

}  // namespace driftless
