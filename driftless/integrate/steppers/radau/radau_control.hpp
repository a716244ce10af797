// Step size and number of stages of Radau steps. The error is of the order h^(s+1). Many iterations of Newton's kind
// speak for a smaller step, and so does an error that grew since the last one (Gustafsson 1994). The order of the next
// step is the one that promises the least work per unit of time.
#pragma once

#include "driftless/archive/archive.hpp"

namespace driftless {

class RadauControl {
 public:
  // What is known of a number of stages.
  struct Order {
    int stages;
    int most_iterations;
    double tolerance;  // of its error estimate
  };
  // A step that was made, accepted or not.
  struct Step {
    Order order;
    double h, error;   // in units of the tolerance
    int iterations;    // of Newton's kind
    double rate;       // of their convergence
    int failures;      // of this step so far
    double last_step;  // that of the same order before; 0: there was none
  };

  void start();
  void note_failure_of_iteration();  // steps grow slowly for some time
  void note_accepted(double error);
  void note_order();  // another one has been taken

  double next_size(const Step& step) const;

  // At the end of an accepted step, which is to be followed by one of size `next`. Null: there is no such order.
  enum class Change { None, Up, Down };
  Change change_of_order(const Step& step, double next, const Order* above, const Order* below);

  void archive(Archive& archive) { archive(last_error_, calm_, steps_of_order_); }

 private:
  double last_error_ = 1e-2;
  int calm_ = 0;  // steps until growth is no longer limited
  int steps_of_order_ = 0;
};

}  // namespace driftless
