// How many singular values of a matrix are not zero, and how reliable that is.
//
// Rounding errors, and errors of the point at which a matrix was evaluated, turn zeros into small numbers. The rank is
// cut at the widest gap between neighbouring singular values in the doubtful range: values below the rounding errors of
// the matrix are zero, those above 1e-8 of its size are not. The gap is part of the answer.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace driftless::linear {

struct RankDecision {
  int rank = 0;
  int size = 0;                  // how many singular values there are
  double smallest_kept = 0.0;    // the size of the matrix, if the rank is 0
  double largest_dropped = 0.0;  // the bound of rounding errors, if none was dropped or all dropped are smaller
  double second_gap = 1.0;       // the widest gap at another rank
  double gap() const { return smallest_kept / largest_dropped; }
  // Not clear: another tolerance might give another rank.
  bool is_clear() const { return gap() >= 1e3 * second_gap; }
};

// `values` descend; `scale` > 0 is the size of the matrix, to which they are compared, and `dimension` its larger side.
RankDecision decide_rank(const Eigen::VectorXd& values, double scale, Eigen::Index dimension);

// The decision with the narrowest gap. Precondition: there is one.
const RankDecision& least_clear(const std::vector<RankDecision>& decisions);

}  // namespace driftless::linear
