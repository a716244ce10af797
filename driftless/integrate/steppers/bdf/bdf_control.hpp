// Order and step size of the BDF method.
//
// The orders k - 1, k and k + 1 are compared by the size of the terms (j + 1) sigma_j h^(j+1) y^(j+1) that they leave
// (Brenan, Campbell, Petzold 1996, Section 5.2.4): at a high order these must decrease with j, else the differences are
// noise or the solution is not smooth on the scale of the step, and the order is lowered.
//
// A change of the step size is itself a disturbance: components that are stiff or algebraic carry an error that belongs
// to the step size, h^k times something smooth, and jump with it. One step later it stands in the differences of all
// orders. So the step size does not change for a trifle, and after a rejected step it does not grow until the
// differences are clean and the order has had a chance to be raised: otherwise a doubling that fails and the steps
// after it alternate for ever at order 1.
//
// The step size aims at an eighth of the error that the test allows. Accepted errors are then small compared to the
// bound most of the time, few steps are rejected, and the global error is made by all steps, not by the peaks among
// them.
//
// Where the error test is passed by chance, after a disturbance that has not died out, a larger step fails: the errors
// of two steps must allow it.
//
// The formulas of order 3 to 5 are unstable for oscillations of little damping, which then stay at the size of the
// tolerance and hold the step size down, for ever if the solution has come to rest. A sign of this is that the terms of
// all orders are equal, step after step (Hindmarsh 1992 looks at their ratios more closely): then the order is lowered,
// to 2 if need be, and rests.
//
// Until the first time that this or the error test says otherwise, every step doubles the step size and raises the
// order.
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

  // After an accepted step of size h and order k: the next one.
  Next accepted(double h, int order, const BdfHistory::Errors& errors);
  // The error test failed for the `failures`-th time at this point.
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
  int flat_ = 0;           // how often of late the terms of all orders were equal
  int last_order_ = 0;
  double last_step_ = 0.0, last_error_ = 0.0;
};

}  // namespace driftless
