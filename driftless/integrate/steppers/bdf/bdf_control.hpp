// Order and step size of the BDF method.
//
// The orders k - 1, k and k + 1 are compared by the size of the terms (j + 1) sigma_j h^(j+1) y^(j+1) that they leave
// (Brenan, Campbell, Petzold 1996, Section 5.2.4): at a high order these must decrease with j, else the differences are
// noise or the solution is not smooth on the scale of the step, and the order is lowered.
//
// A change of the step size is itself a disturbance: stiff or algebraic components carry an error of h^k times a smooth
// function, which jumps with h. One step later this jump is in the differences of all orders. So the step size is not
// changed for a small gain, and after a rejected step it does not grow until the differences are free of the jump and
// the order could have been raised: otherwise failing doublings and the steps after them would alternate for ever at
// order 1.
//
// The step size aims at an eighth of the error that the test allows. Accepted errors are then small compared to the
// bound most of the time, few steps are rejected, and the global error is made by all steps, not by the peaks among
// them.
//
// If the error test is passed by chance, while a disturbance has not died out, a larger step fails: so a larger step
// must be allowed by the errors of two steps.
//
// The formulas of order 3 to 5 are unstable for oscillations of little damping, which then stay at the size of the
// tolerance and hold the step size down, for ever if the solution has come to rest. A sign of this is that the terms of
// all orders are equal, step after step (Hindmarsh 1992 looks at their ratios more closely): then the order is lowered,
// to 2 if need be, and stays there for a while.
//
// At the start, until this sign or the error test first objects, every step doubles the step size and raises the order.
#pragma once

#include "driftless/integrate/steppers/bdf/bdf_history.hpp"

namespace driftless {

class BdfControl {
 public:
  struct Next {
    double h;
    int order;
    void archive(Archive& archive) { archive(h, order); }
  };

  void start() { *this = {}; }

  // The next step after an accepted step of size h and order k.
  Next accepted(double h, int order, const BdfHistory::Errors& errors);
  // The next step after the error test has failed for the `failures`-th time at this point.
  Next rejected(double h, int order, const BdfHistory::Errors& errors, int failures);

  void archive(Archive& archive) {
    archive(starting_, steps_, at_this_order_, calm_, rest_, flat_, last_order_, last_step_, last_error_);
  }

 private:
  bool looks_unstable(int order, const BdfHistory::Errors& errors);

  bool starting_ = true;
  long steps_ = 0;
  int at_this_order_ = 0;  // steps so far
  int calm_ = 0;           // steps for which the step size may not grow yet
  int rest_ = 0;           // steps for which the order may not grow yet
  int flat_ = 0;           // how often recently the terms of all orders were equal
  int last_order_ = 0;
  double last_step_ = 0.0, last_error_ = 0.0;
};

}  // namespace driftless
