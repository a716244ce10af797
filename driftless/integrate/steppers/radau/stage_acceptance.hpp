// Decides when the simplified Newton iteration for the stages of a step has converged (Hairer, Wanner 1996, Section
// IV.8): the remaining error, rate / (1 - rate) times the last correction, is within the tolerance. If the rate
// predicts a failure, the iteration ends at once, with a step size that should succeed.
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
    double contraction;  // of the previous step: rate / (1 - rate), used to judge the first correction
  };
  explicit StageAcceptance(const Limits& limits);

  newton::Verdict operator()(double size);

  double rate() const { return rate_; }
  double contraction() const { return contraction_; }
  int iterations() const { return sizes_.number(); }

  // If a failure was predicted: the factor for the step size with which the iteration would just converge. Otherwise 0.
  double foretold_cut() const { return cut_; }

 private:
  Limits limits_;
  newton::Sizes sizes_;
  double rate_ = keep_jacobian, contraction_, cut_ = 0.0;
};

}  // namespace driftless
