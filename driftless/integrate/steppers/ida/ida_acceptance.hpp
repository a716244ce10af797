// Decides when Newton's iteration of IDA has converged, if two iterations are required: the test of the codes of 1990
// (DASSL), whose rate comes from the iterations of this step alone.
#pragma once

#include "driftless/newton/iterate.hpp"
#include "driftless/newton/rate.hpp"

namespace driftless {

class IdaAcceptance {
 public:
  // `norm`: of the correction of this iteration, the first of which has number 0.
  newton::Verdict operator()(int iteration, double norm, bool as_dassl) {
    if (iteration == 0) corrections_ = {};
    corrections_.add(norm);
    if (iteration == 0) return norm <= accept_first_below ? newton::Verdict::Converged : newton::Verdict::GoOn;
    const double rate = corrections_.mean_of_all();
    if (norm <= accept_later_below) return newton::Verdict::Converged;
    if (!(rate <= worst_rate)) return newton::Verdict::Diverged;
    return newton::left_behind(rate) * norm <= (as_dassl ? tolerance_of_dassl : tolerance) ? newton::Verdict::Converged
                                                                                           : newton::Verdict::GoOn;
  }

  // After the last iteration: corrections this small that no longer shrink are rounding errors.
  bool has_small_corrections() const { return corrections_.number() > 0 && corrections_.last() <= tolerance; }

 private:
  // DASSL accepts at 0.33; a third of that keeps the constraints a tenth of the tolerance closer for a tenth more
  // evaluations.
  static constexpr double tolerance = 0.1, tolerance_of_dassl = 0.33;
  static constexpr double accept_first_below = 3e-8, accept_later_below = 3.3e-5;
  static constexpr double worst_rate = 0.9;

  newton::Sizes corrections_;
};

}  // namespace driftless
