// The step size of a one-step method with an error estimate of order q, as the code DOPRI5 chooses it (Hairer, Nørsett,
// Wanner 1993, Section II.4): proportional-integral control,
//
//   h_new = h * safety * err_n^-(1/(q+1) - 3/4 beta) * err_(n-1)^beta,
//
// with err in units of the tolerance, within [0.2 h, 10 h] (or other limits), and no growth right after a rejected
// step.
//
// Methods of high order take long steps, over which the error changes by orders of magnitude; for them the factor by
// which err has changed in the last step may be assumed for the next one (Gustafsson 1994; Hairer, Wanner 1996, Section
// IV.8), wherever that leads to a smaller step:
//
//   h_new = h * safety * err_n^-(1/(q+1)) * h_n / h_(n-1) * (err_(n-1) / err_n)^(1/(q+1)).
#pragma once

#include "driftless/archive/archive.hpp"

namespace driftless {

class StepControl {
 public:
  struct Limits {
    double beta = 0.04, safety = 0.9;
    double strongest_cut = 0.2, strongest_growth = 10.0;
    double growth_of_first = 10.0;  // of the first step, whose size was a guess from two derivatives
    bool predicts = false;
  };
  // `order` is that of the method that advances the solution: q + 1
  explicit StepControl(int order) : StepControl(order, Limits{}) {}
  StepControl(int order, const Limits& limits) : order_(order), limits_(limits) {}

  double accepted(double h, double error);
  double rejected(double h, double error);

  void archive(Archive& archive) { archive(error_before_, step_before_, after_rejection_); }

 private:
  double exponent() const;

  int order_;
  Limits limits_;
  double error_before_ = 1e-4;
  double step_before_ = 0.0;  // 0: no step yet
  bool after_rejection_ = false;
};

}  // namespace driftless
