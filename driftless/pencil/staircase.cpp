#include "driftless/pencil/staircase.hpp"

#include <algorithm>

#include "driftless/linear/svd.hpp"

namespace driftless::pencil {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

// Applies orthogonal matrices to the leading rows or columns of all transformed matrices.
class Transformation {
 public:
  explicit Transformation(Staircase& s) : s_(s) {}

  void rows(const MatrixXd& Q) {  // Qᵀ from the left
    const Index n = Q.rows();
    s_.A.topRows(n) = (Q.transpose() * s_.A.topRows(n)).eval();
    s_.B.topRows(n) = (Q.transpose() * s_.B.topRows(n)).eval();
    s_.left.topRows(n) = (Q.transpose() * s_.left.topRows(n)).eval();
  }

  void columns(const MatrixXd& Z) {  // Z from the right
    const Index n = Z.rows();
    s_.A.leftCols(n) = (s_.A.leftCols(n) * Z).eval();
    s_.B.leftCols(n) = (s_.B.leftCols(n) * Z).eval();
    s_.right.leftCols(n) = (s_.right.leftCols(n) * Z).eval();
  }

 private:
  Staircase& s_;
};

// The last columns first.
MatrixXd rotated(const MatrixXd& columns, Index last) {
  MatrixXd result(columns.rows(), columns.cols());
  result << columns.rightCols(last), columns.leftCols(columns.cols() - last);
  return result;
}

// One pass on the leading pencil of size `finite`; false if it is the last.
bool pass(Staircase& s, double scale) {
  const Index n = s.finite;
  Transformation transform(s);
  const linear::Svd of_b = linear::svd(s.B.topLeftCorner(n, n));
  s.decisions.push_back(linear::decide_rank(of_b.values, scale, n));
  const Index rank = s.decisions.back().rank, found = n - rank;
  if (found == 0) return false;
  transform.rows(of_b.U);
  s.B.block(rank, 0, found, n).setZero();  // singular values that were decided to be zero

  const linear::Svd of_a = linear::svd(s.A.block(rank, 0, found, n));
  s.decisions.push_back(linear::decide_rank(of_a.values, scale, n));
  if (s.decisions.back().rank < found) {
    s.is_singular = true;
    return false;
  }
  MatrixXd rows = MatrixXd::Identity(n, n);
  rows.bottomRightCorner(found, found) = of_a.U;
  transform.rows(rows);
  transform.columns(rotated(of_a.V, n - found));
  s.A.block(rank, 0, found, rank).setZero();
  s.A.block(rank, rank, found, found) = of_a.values.asDiagonal();
  s.B.block(rank, 0, found, n).setZero();
  s.steps.push_back(static_cast<int>(found));
  s.finite = rank;
  return rank > 0;
}

}  // namespace

Staircase find_staircase(const Pencil& pencil) {
  const Index n = pencil.size();
  Staircase s;
  s.finite = n;
  s.A = pencil.A;
  s.B = pencil.B;
  s.left = s.right = MatrixXd::Identity(n, n);
  const double scale = std::max(linear::norm2(pencil.A), linear::norm2(pencil.B));
  if (n == 0) return s;
  if (scale == 0.0) {
    s.is_singular = true;
    return s;
  }
  while (pass(s, scale)) {
  }
  return s;
}

std::vector<int> block_sizes(const std::vector<int>& steps) {
  std::vector<int> sizes;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const int larger = k + 1 < steps.size() ? steps[k + 1] : 0;
    sizes.insert(sizes.begin(), static_cast<std::size_t>(steps[k] - larger), static_cast<int>(k) + 1);
  }
  return sizes;
}

}  // namespace driftless::pencil
