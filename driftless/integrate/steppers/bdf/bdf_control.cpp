#include "driftless/integrate/steppers/bdf/bdf_control.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

// A step size that could grow by less is kept, and with it the matrix.
constexpr double smallest_growth = 1.3, largest_growth = 2.0;

// Step sizes change by whole powers of this: rounding does not change the sequence of steps.
const double notch = std::exp2(1.0 / 6.0);
double in_notches(double factor) { return std::pow(notch, std::floor(std::log(factor) / std::log(notch) + 1e-9)); }

// The factor for the step size that makes the error an eighth of the allowed one.
constexpr double aim = 1.0 / 8.0;
double room(double error, int order) { return std::pow(error / aim + 1e-4, -1.0 / (order + 1)); }

// Terms that decay by less than this factor from order k - 2 to k, in a significant error: seen this often, the order
// is lowered; seen again, it is lowered further; then it stays for a while.
constexpr double equal_terms = 3.0, error_that_matters = 0.15 * aim;
constexpr int often = 8, again = 2, steps_of_rest = 20;

bool decays(const BdfHistory::Errors& e, int order) {
  const double same = (order + 1) * e.same, lower = order * e.lower, twice_lower = (order - 1) * e.twice_lower;
  if (order == 1) return true;
  if (order == 2) return lower > 0.5 * same;
  return std::max(lower, twice_lower) > same;
}

}  // namespace

bool BdfControl::looks_unstable(int order, const BdfHistory::Errors& e) {
  if (rest_ > 0) --rest_;
  const bool equal =
      order > 2 && e.same > error_that_matters && (order - 1) * e.twice_lower < equal_terms * (order + 1) * e.same;
  flat_ = equal ? flat_ + 1 : std::max(0, flat_ - 1);
  if (flat_ < often) return false;
  flat_ = often - again;
  rest_ = steps_of_rest;
  return true;
}

BdfControl::Next BdfControl::accepted(double h, int order, const BdfHistory::Errors& e) {
  ++steps_;
  const double error_before = h == last_step_ && order == last_order_ ? last_error_ : 0.0;
  at_this_order_ = order == last_order_ ? at_this_order_ + 1 : 1;
  last_order_ = order, last_step_ = h, last_error_ = e.same;
  if (calm_ > 0) --calm_;

  // Raising the order is a disturbance, too: at a low order it hides the decay for two steps.
  const bool settled = starting_ || order > 3 || at_this_order_ > 2;
  const bool unstable = looks_unstable(order, e), lower = unstable || (settled && !decays(e, order));
  if (lower || order == BdfHistory::highest_order) starting_ = false;
  if (starting_) return steps_ > 1 ? Next{2.0 * h, order + 1} : Next{h, order};

  Next next{h, order};
  double error = e.same;
  if (lower) {
    next.order = order - 1, error = e.lower;
  } else if (order < BdfHistory::highest_order && at_this_order_ >= order + 2 && rest_ == 0) {
    const double below = order * e.lower, same = (order + 1) * e.same, above = (order + 2) * e.higher;
    if (order > 1 && below <= std::min(same, above))
      next.order = order - 1, error = e.lower;
    else if (order > 1 ? above < same : above < 0.5 * same)
      next.order = order + 1, error = e.higher;
  }
  const double factor = room(error, next.order);
  const double growth = next.order == order ? room(std::max(error, error_before), order) : factor;
  if (growth >= smallest_growth && calm_ == 0)
    next.h = h * std::min(in_notches(growth), largest_growth);
  else if (factor <= 1.0)
    next.h = h * std::clamp(in_notches(factor), 0.5, 1.0 / notch);
  return next;
}

BdfControl::Next BdfControl::rejected(double h, int order, const BdfHistory::Errors& e, int failures) {
  starting_ = false;
  calm_ = order + 3;
  if (failures > 2) return {0.25 * h, 1};
  const int next = decays(e, order) ? order : order - 1;
  if (failures > 1) return {0.25 * h, next};
  return {h * std::clamp(0.9 * room(next == order ? e.same : e.lower, next), 0.25, 0.9), next};
}

}  // namespace driftless
