// The times of a run with a constant step size. If h divides the interval up to rounding, N = round((stop - start) / h)
// equal steps end at the stop time exactly; otherwise a last, shorter step does. An event cuts a step; after it a new
// grid begins, up to the next event that is known in advance.
#pragma once

#include <algorithm>
#include <cmath>

#include "driftless/archive/archive.hpp"

namespace driftless {

class Grid {
 public:
  static constexpr double most_steps = 1e15;  // more could not be counted, nor advance the time

  Grid(double start, double stop, double step) : asked_(step) { go_on_from(0, start, stop); }

  // The n-th of its times is this one.
  void go_on_from(long n, double start, double stop) {
    first_ = n;
    start_ = start;
    stop_ = stop;
    const double quotient = (stop - start) / asked_, nearest = std::round(quotient);
    divides_ = nearest >= 1.0 && std::abs(quotient - nearest) <= 1e-9 * nearest;
    last_ = first_ + static_cast<long>(std::min(divides_ ? nearest : std::ceil(quotient), most_steps));
    step_ = divides_ ? (stop - start) / nearest : asked_;
  }

  long steps() const { return last_ - first_; }
  double step() const { return step_; }
  bool divides() const { return divides_; }                                                  // no shorter last step
  double size(long n) const { return n + 1 < last_ || divides_ ? step_ : stop_ - time(n); }  // from time(n) on
  double time(long n) const { return n >= last_ ? stop_ : start_ + static_cast<double>(n - first_) * step_; }

  void archive(Archive& archive) { archive(start_, stop_, asked_, step_, first_, last_, divides_); }

 private:
  double asked_, start_ = 0.0, stop_ = 0.0, step_ = 0.0;
  long first_ = 0, last_ = 0;
  bool divides_ = false;
};

}  // namespace driftless
