// The times of a run with a constant step size. If h divides the interval up to rounding, N = round((stop - start) / h)
// equal steps end at the stop time exactly; otherwise a last, shorter step does.
#pragma once

#include <algorithm>
#include <cmath>

#include "driftless/archive/archive.hpp"

namespace driftless {

class Grid {
 public:
  static constexpr double most_steps = 1e15;  // more cannot be counted, and would not advance the time

  Grid(double start, double stop, double step) : start_(start), stop_(stop), step_(step) {
    const double quotient = (stop - start) / step, nearest = std::round(quotient);
    divides_ = nearest >= 1.0 && std::abs(quotient - nearest) <= 1e-9 * nearest;
    steps_ = static_cast<long>(std::min(divides_ ? nearest : std::ceil(quotient), most_steps));
    if (divides_) step_ = (stop - start) / nearest;
  }

  long steps() const { return steps_; }
  double step() const { return step_; }
  bool divides() const { return divides_; }                                                   // no shorter last step
  double size(long n) const { return n + 1 < steps_ || divides_ ? step_ : stop_ - time(n); }  // from time(n) on
  double time(long n) const { return n >= steps_ ? stop_ : start_ + static_cast<double>(n) * step_; }

  void archive(Archive& archive) { archive(start_, stop_, step_, steps_, divides_); }

 private:
  double start_, stop_, step_;
  long steps_ = 0;
  bool divides_ = false;
};

}  // namespace driftless
