// Base of all one-step methods, whose only memory is the point they have reached.
#pragma once

#include <algorithm>

#include "driftless/integrate/steppers/stepper.hpp"

namespace driftless {

class OneStep : public Stepper {
 public:
  double time() const override { return time_; }
  double last_step() const override { return last_step_; }
  std::span<const double> y() const override { return y_; }
  std::span<const double> yp() const override { return yp_; }

  bool replace(std::span<const double> y, std::span<const double> yp) override {
    std::ranges::copy(y, y_.begin());
    std::ranges::copy(yp, yp_.begin());
    return true;
  }

 protected:
  explicit OneStep(const State& start) : time_(start.t), y_(start.y), yp_(start.yp) {}

  void archive_point(Archive& archive) { archive(time_, last_step_, y_, yp_); }

  double time_, last_step_ = 0.0;
  std::vector<double> y_, yp_;
};

}  // namespace driftless
