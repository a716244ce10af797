// Base of one-step methods of constant step size: their steps end at the times of a grid, and after an event a grid of
// the same step size begins.
#pragma once

#include "driftless/integrate/steppers/grid.hpp"
#include "driftless/integrate/steppers/one_step.hpp"

namespace driftless {

class OneStepOnGrid : public OneStep {
 public:
  bool resume(double t, std::span<const double> y, std::span<const double> yp, double stop) final {
    time_ = t;
    grid_.go_on_from(n_, t, stop);
    restart(y, yp);
    return true;
  }
  bool go_on_to(double stop) final {
    grid_.go_on_from(n_, time_, stop);
    return true;
  }

 protected:
  // Precondition: the settings have a step size.
  OneStepOnGrid(const State& start, const StepSettings& settings)
      : OneStep(start), grid_(start.t, settings.stop, *settings.step) {}

  double next_size() const { return grid_.size(n_); }
  void arrive(double h) {
    last_step_ = h;
    time_ = grid_.time(++n_);
  }

  Grid grid_;
  long n_ = 0;  // steps done
};

}  // namespace driftless
