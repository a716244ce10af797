// A short run of the model with dummy derivatives, without drift and restarts, to examine the solution before a method
// is chosen.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "driftless/initialize/initialize.hpp"
#include "driftless/integrate/system/system.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless::choose {

struct TrialOptions {
  double stop = 1.0;
  double tolerance = 1e-6;  // of the run for which a method is chosen; the trial is a hundred times sharper
  double fraction = 0.1;    // of the interval
  long max_steps = 500;
};

class Trial {
 public:
  // `system`: of a reduction with all levels of all constraints.
  Trial(std::shared_ptr<System> system, const State& start, const TrialOptions& options);

  double begin() const { return solution_.start; }
  double end() const { return solution_.reached; }
  bool moved() const { return end() > begin(); }

  struct Point {
    double t = 0.0;
    std::vector<double> y, yp;
  };
  Point at(double t) const;  // between begin and end

  // The step that the accuracy of the solution suggests: with it, the quadratic through three points predicts the next
  // within the tolerance, at half of the times of the run. It does not see the stiffness of the equations, only how
  // fast the solution changes.
  double accuracy_step() const { return accuracy_step_; }

 private:
  double find_accuracy_step(const TrialOptions& options) const;

  std::shared_ptr<System> system_;
  Solution solution_;
  std::vector<int> series_of_slot_, series_of_rate_;  // -1: none
  double accuracy_step_ = 0.0;
};

}  // namespace driftless::choose
