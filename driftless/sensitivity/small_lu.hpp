// Small systems of linear equations: elimination with row pivots that are compared in units of their rows. Column by
// column, so that all inner loops run along memory, and for all right-hand sides at once: with few unknowns this takes
// a fraction of the instructions of a general factorization.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace driftless::sensitivity {

class SmallLu {
 public:
  Eigen::MatrixXd& matrix() { return matrix_; }  // to be filled before it is factorized
  bool factorize();                              // false if it is singular
  void solve(Eigen::MatrixXd& right) const;      // right-hand sides become solutions

 private:
  void permute(double* column, Eigen::Index count) const;
  Eigen::MatrixXd matrix_;     // after `factorize` both factors
  std::vector<double> scale_;  // by row: its largest entry
  std::vector<Eigen::Index> pivot_;
};

}  // namespace driftless::sensitivity
