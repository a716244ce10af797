#include "driftless/integrate/steppers/radau/stage_acceptance.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

constexpr double worst_rate = 0.99;
constexpr double accept_first_below = 3e-8;  // independent of the previous step
constexpr double rounding = 0.01;            // a correction below this that no longer shrinks
constexpr double least_size = 1e-16;

}  // namespace

StageAcceptance::StageAcceptance(const Limits& limits)
    : limits_(limits), contraction_(std::pow(std::max(limits.contraction, 1e-16), 0.8)) {}

newton::Verdict StageAcceptance::operator()(double size) {
  sizes_.add(size);
  const bool is_first = sizes_.number() == 1;
  if (!is_first) {
    rate_ = sizes_.mean_of_two();
    if (size <= rounding && sizes_.quotient() >= 0.5) return newton::Verdict::Converged;
    if (rate_ >= worst_rate) return newton::Verdict::Diverged;
    contraction_ = newton::left_behind(rate_);
    const int left = limits_.most_iterations - 1 - sizes_.number();
    const double at_last = contraction_ * size * std::pow(rate_, left) / limits_.tolerance;
    if (left >= 0 && at_last >= 1.0) {
      cut_ = std::pow(std::clamp(at_last, 1e-4, 20.0), -1.0 / (4.0 + left));
      return newton::Verdict::Diverged;
    }
  }
  sizes_.raise_last(least_size);
  const bool may_accept = !is_first || limits_.may_accept_first || size <= accept_first_below;
  return may_accept && contraction_ * size <= limits_.tolerance ? newton::Verdict::Converged : newton::Verdict::GoOn;
}

}  // namespace driftless
