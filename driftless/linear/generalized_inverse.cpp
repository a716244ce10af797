#include "driftless/linear/generalized_inverse.hpp"

namespace driftless::linear {
namespace {

Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& a) { return a.completeOrthogonalDecomposition().pseudoInverse(); }

// (K, P - K A1 P): first a2 is met by the smallest x, then K meets what is left of a1 within the kernel of A2.
Eigen::MatrixXd composed(const Eigen::MatrixXd& a1, const Eigen::MatrixXd& a2, const Eigen::MatrixXd& k) {
  const Eigen::MatrixXd p = pseudo_inverse(a2);
  Eigen::MatrixXd g(a1.cols(), a1.rows() + a2.rows());
  g << k, p - k * (a1 * p);
  return g;
}

}  // namespace

Eigen::MatrixXd kernel_of(const Eigen::MatrixXd& a) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(a.transpose());
  const Eigen::MatrixXd q = qr.householderQ();
  return q.rightCols(a.cols() - a.rows());
}

Eigen::MatrixXd ssf_inverse(const Eigen::MatrixXd& a1, const Eigen::MatrixXd& a2, const Eigen::MatrixXd& v) {
  return composed(a1, a2, v * (v.transpose() * a1 * v).partialPivLu().solve(v.transpose()));
}

Eigen::MatrixXd ssf_inverse_bordered(const Eigen::MatrixXd& a1, const Eigen::MatrixXd& a2) {
  const Eigen::Index n = a1.rows(), m = a2.rows();
  Eigen::MatrixXd bordered = Eigen::MatrixXd::Zero(n + m, n + m);
  bordered.topLeftCorner(n, n) = a1;
  bordered.topRightCorner(n, m) = a2.transpose();
  bordered.bottomLeftCorner(m, n) = a2;
  return bordered.partialPivLu().inverse().topRows(n);
}

Eigen::MatrixXd constrained_least_squares(const Eigen::MatrixXd& a1, const Eigen::MatrixXd& a2) {
  const Eigen::MatrixXd v = kernel_of(a2);
  return composed(a1, a2, v * pseudo_inverse(a1 * v));
}

Eigen::MatrixXd moore_penrose(const Eigen::MatrixXd& a1, const Eigen::MatrixXd& a2) {
  Eigen::MatrixXd stack(a1.rows() + a2.rows(), a1.cols());
  stack << a1, a2;
  return pseudo_inverse(stack);
}

}  // namespace driftless::linear
