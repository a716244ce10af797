// Step size and number of stages of Radau steps. The error is of the order h^(s+1). Many Newton iterations reduce the
// next step, and so does an error that has grown since the last step (Gustafsson 1994). The order of the next step is
// the one with the least predicted work per unit of time.
#pragma once

#include "driftless/archive/archive.hpp"

namespace driftless {

class RadauControl {
 public:
  // Data of the method with this number of stages.
  struct Order {
    int stages;
    int most_iterations;
    double tolerance;  // of its error estimate
  };
  // A step that was made, accepted or not.
  struct Step {
    Order order;
    double h, error;   // in units of the tolerance
    int iterations;    // of Newton's iteration
    double rate;       // of their convergence
    int failures;      // of this step so far
    double last_step;  // the previous one of the same order; 0: none
  };

  void start();
  void note_failure_of_iteration();  // limits the growth of steps for some time
  void note_accepted(double error);
  void note_order();  // the order has changed

  double next_size(const Step& step) const;

  // The change of order after an accepted step, if the next one has size `next`. `above`, `below`: null if there is no
  // such order.
  enum class Change { None, Up, Down };
  Change change_of_order(const Step& step, double next, const Order* above, const Order* below);

  void archive(Archive& archive) { archive(last_error_, calm_, steps_of_order_); }

 private:
  double last_error_ = 1e-2;
  int calm_ = 0;  // steps until growth is no longer limited
  int steps_of_order_ = 0;
};

}  // namespace driftless
