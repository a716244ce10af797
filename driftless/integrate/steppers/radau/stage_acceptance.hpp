// When the simplified Newton iteration for the stages of a step has converged (Hairer, Wanner 1996, Section IV.8): what
// is left of the last correction, rate / (1 - rate) times its size, is within the tolerance. A failure that the rate
// foretells ends the iteration at once, with a step size that should do.
#pragma once

#include "driftless/newton/iterate.hpp"
#include "driftless/newton/rate.hpp"

namespace driftless {

class StageAcceptance {
 public:
  static constexpr double keep_jacobian = 1e-3;  // up to this rate, which is also that of a single correction

  struct Limits {
    int most_iterations;
    double tolerance;
    bool may_accept_first;
    double contraction;  // of the step before: rate / (1 - rate), with which the first correction is judged
  };
  explicit StageAcceptance(const Limits& limits);

  newton::Verdict operator()(double size);

  double rate() const { return rate_; }
  double contraction() const { return contraction_; }
  int iterations() const { return sizes_.number(); }

  // A failure was foretold: the step size times this would just do. Otherwise 0.
  double foretold_cut() const { return cut_; }

 private:
  Limits limits_;
  newton::Sizes sizes_;
  double rate_ = keep_jacobian, contraction_, cut_ = 0.0;
};

}  // namespace driftless
