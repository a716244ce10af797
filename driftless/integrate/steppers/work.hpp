// The cost of a run so far, in operations: not measured by a clock, so that the same run always costs the same.
//
// A step counts its evaluations, iterations and factorizations (Statistics); what one of each costs is estimated once
// from the equations: their operations, how many unknowns there are and how dense the matrix is. The estimates are good
// to a factor of about 1.5; they decide between methods whose step sizes differ by much more (method_switching.hpp).
#pragma once

#include "driftless/integrate/steppers/method.hpp"
#include "driftless/integrate/system/problem.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

class Work {
 public:
  explicit Work(const Problem& problem);

  // `order`: of the last step.
  double operator()(const Method& method, const Statistics& counts, int order) const;

  double of_slope() const { return of_slope_; }  // y' from the states

  // Predicted ratio of the work of a series to that of an explicit method, at the same tolerance and where stability
  // bounds neither.
  double series_by_explicit(double tolerance) const;

  void archive(Archive& archive) {  // archived because the states may have changed since it was made
    archive(of_rows_, of_jacobian_, of_elimination_, of_solution_, of_slope_, of_formulas_, convolutions_, unknowns_,
            steep_, linear_);
  }

 private:
  double of_watch(double places) const;  // in a step, at this number of places
  double of_series_step(int order) const;
  double of_explicit_step() const;

  double of_rows_ = 0.0, of_jacobian_ = 0.0;  // one evaluation
  double of_elimination_ = 0.0, of_solution_ = 0.0;
  double of_slope_ = 0.0;
  double of_formulas_ = 0.0, convolutions_ = 0.0;  // of a series, for each order
  double unknowns_ = 0.0;
  double steep_ = 0.0;  // functions of the rows that are watched between the ends of a step (guard.hpp)
  bool linear_ = true;  // are the rows linear in the unknowns they are solved for while the states are held?
};

}  // namespace driftless
