// When the iteration of a BDF step has converged. Its matrix may belong to an earlier step with another alpha.
//
// The rate is that of the last two corrections, not their mean: where one component converges at once and another
// slowly, the second is left. It tells of the distance to the solution in a neighbourhood where the matrix is right.
// Behind a correction of more than ten tolerances, in which an algebraic unknown jumps, a function such as tanh may
// be flat where the matrix knows it steep: corrections look small there, and hardly shrink. Two of them do not show
// it. So one more is made, and must be small, after such a jump, and where the change of alpha does not explain the
// rate.
#pragma once

#include "driftless/newton/iterate.hpp"
#include "driftless/newton/rate.hpp"

namespace driftless {

class BdfAcceptance {
 public:
  struct Limits {
    double bound;          // of the error of the iteration
    double rounding;       // a correction of this size moves no value by more than its last digits
    double least_rate;     // the error of some components shrinks by this factor, whatever others show
    double rate_of_first;  // of an earlier iteration with this matrix, to be trusted at once; 0: there is none
    bool matrix_is_fresh;
  };
  explicit BdfAcceptance(const Limits& limits) : limits_(limits) {}

  newton::Verdict operator()(double size);

  double rate() const { return rate_; }  // 0: one correction was enough, or changed nothing

 private:
  newton::Verdict look_at_first() const;
  newton::Verdict look_at_rate();

  Limits limits_;
  newton::Sizes sizes_;
  double rate_ = 0.0;
  bool is_foretold_ = false;  // that the next correction is within the bound
};

// The same where every iteration has a matrix of its own, near the end of which corrections fall quadratically. A
// correction tells of the distance to the solution if it was made by the rows of the model: if all tangents had reached
// their functions before it, and after it still have.
class QuadraticAcceptance {
 public:
  QuadraticAcceptance(double bound, double rounding) : bound_(bound), rounding_(rounding) {}

  newton::Verdict operator()(double size);
  void forget() { is_reached_ = false; }

  // The last correction is within the bound, but did not fall as it should: is it rounding?
  bool is_slow() const { return is_slow_; }

 private:
  double bound_, rounding_, before_ = 0.0;
  bool is_reached_ = false, is_slow_ = false;
};

}  // namespace driftless
