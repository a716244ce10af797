// Linear equations of a boundary value problem with separated conditions,
//
//   first x_0 = b_first,   left_k x_k + right_k x_{k+1} = b_k  (k = 0 .. N-1),   last x_N = b_last,
//
// whose matrix is almost block diagonal. Orthogonal elimination from left to right: the rows kept from earlier
// intervals and the rows of interval k are rotated so that some determine x_k and the others contain x_{k+1} alone. The
// cost is linear in N, and the method is stable for growing and decaying solutions, since the whole is one QR
// factorization (Ascher, Mattheij, Russell 1995, Section 7.2).
#pragma once

#include <vector>

#include "driftless/linear/dense.hpp"

namespace driftless::boundary {

struct AlmostBlockDiagonalMatrix {
  Eigen::MatrixXd first, last;
  std::vector<Eigen::MatrixXd> left, right;
};

struct AlmostBlockDiagonalVector {
  Eigen::VectorXd first, last;
  std::vector<Eigen::VectorXd> inner;
};

class AlmostBlockDiagonal {
 public:
  // False if the matrix is singular to working precision. Precondition: there are as many conditions as unknowns of a
  // point.
  bool factorize(const AlmostBlockDiagonalMatrix& matrix);
  std::vector<Eigen::VectorXd> solve(const AlmostBlockDiagonalVector& right_side) const;

  // How far the last equations are from being dependent: the ratio of the smallest singular value to the largest.
  double conditioning() const { return conditioning_; }

 private:
  struct Step {
    linear::Qr qr;
    Eigen::MatrixXd beyond;  // coefficients of x_{k+1} in the rows that determine x_k
  };
  std::vector<Step> steps_;
  Eigen::VectorXd last_scale_;
  linear::PivotedQr last_;
  Eigen::Index states_ = 0;
  double conditioning_ = 1.0;
};

}  // namespace driftless::boundary
