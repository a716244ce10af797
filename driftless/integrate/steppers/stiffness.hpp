// Is the step size of an explicit method bounded by stability instead of accuracy? The last two stages of a step lie at
// its end, close to each other: the quotient of the differences of their slopes and of their points estimates the
// largest eigenvalue, h |λ| = h |K_s - K_(s-1)| / |Y_s - Y_(s-1)|. A step at the boundary of the stability region is
// suspicious; fifteen of them without six others in between mean stiffness (Hairer, Wanner 1996, Section IV.2).
#pragma once

#include "driftless/archive/archive.hpp"

namespace driftless {

class StiffnessTest {
 public:
  // `real_stability`: the length of the stability interval on the negative real axis; 0: there is no test.
  // A careful controller stays somewhat below it.
  explicit StiffnessTest(double real_stability) : boundary_(0.9 * real_stability) {}

  bool exists() const { return boundary_ > 0.0; }

  // After an accepted step. True once the problem counts as stiff.
  bool operator()(double h_lambda) {
    if (h_lambda > boundary_) {
      others_ = 0;
      ++suspicious_;
    } else if (++others_ >= 6) {
      suspicious_ = 0;
    }
    return suspicious_ >= 15;
  }

  void archive(Archive& archive) { archive(suspicious_, others_); }

 private:
  double boundary_;
  int suspicious_ = 0, others_ = 0;
};

}  // namespace driftless
