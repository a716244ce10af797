// The times of a run with a constant step size: start + n h without accumulated rounding, and the stop time last.
#pragma once

namespace driftless {

class StepGrid {
 public:
  StepGrid(double start, double step, double stop) : start_(start), step_(step), stop_(stop) {}

  double next() {
    const double t = start_ + static_cast<double>(++n_) * step_;
    return t > stop_ - 1e-6 * step_ ? stop_ : t;  // no last step of the size of rounding
  }

 private:
  double start_, step_, stop_;
  long n_ = 0;
};

}  // namespace driftless
