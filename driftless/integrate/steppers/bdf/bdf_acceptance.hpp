// When the iteration of a BDF step has converged. Its matrix may belong to an earlier step with another alpha.
//
// The rate is that of the last two corrections, not a mean over all: if one component converges at once and another
// slowly, only the slow one remains. The rate estimates the distance to the solution where the matrix is about right.
// After a correction of more than ten tolerances, in which an algebraic unknown jumps, a function such as tanh may be
// flat although the matrix has its steep slope: corrections are then small, and hardly shrink. Two of them do not show
// it. So after such a jump, and if the change of alpha does not explain the rate, one more correction is made and must
// be small.
#pragma once

#include "driftless/newton/iterate.hpp"
#include "driftless/newton/rate.hpp"

namespace driftless {

class BdfAcceptance {
 public:
  struct Limits {
    double bound;          // of the error of the iteration
    double rounding;       // a correction of this size changes values by their last digits only
    double least_rate;     // the error of some components shrinks only by this factor, even if others converge faster
    double rate_of_first;  // of an earlier iteration with this matrix, used for the first correction; 0: none
    bool matrix_is_fresh;
  };
  explicit BdfAcceptance(const Limits& limits) : limits_(limits) {}

  newton::Verdict operator()(double size);

  double rate() const { return rate_; }  // 0: one correction was enough, or was zero

 private:
  newton::Verdict look_at_first() const;
  newton::Verdict look_at_rate();

  Limits limits_;
  newton::Sizes sizes_;
  double rate_ = 0.0;
  bool is_foretold_ = false;  // the next correction was predicted to be within the bound
};

// The same where every iteration has a new matrix, so that corrections finally decrease quadratically. A correction
// estimates the distance to the solution only if it was made with the rows of the model: if all tangents had reached
// their functions before it, and have still reached them after it.
class QuadraticAcceptance {
 public:
  QuadraticAcceptance(double bound, double rounding) : bound_(bound), rounding_(rounding) {}

  newton::Verdict operator()(double size);
  void forget() { is_reached_ = false; }

  // The last correction is within the bound, but did not decrease as expected: is it a rounding error?
  bool is_slow() const { return is_slow_; }

 private:
  double bound_, rounding_, before_ = 0.0;
  bool is_reached_ = false, is_slow_ = false;
};

}  // namespace driftless
