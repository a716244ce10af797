#include "driftless/linear/generalized_inverse.hpp"

#include <set>
#include <vector>

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

std::vector<int> where(std::span<const int> stages, int stage) {
  std::vector<int> indices;
  for (std::size_t k = 0; k < stages.size(); ++k)
    if (stages[k] == stage) indices.push_back(static_cast<int>(k));
  return indices;
}

}  // namespace

Eigen::MatrixXd kernel_of(const Eigen::MatrixXd& a) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(a.transpose());
  const Eigen::MatrixXd q = qr.householderQ();
  return q.rightCols(a.cols() - a.rows());
}

Eigen::MatrixXd kernel_by_stages(const Eigen::MatrixXd& a, std::span<const int> stage_of_row,
                                 std::span<const int> stage_of_column) {
  Eigen::MatrixXd v = Eigen::MatrixXd::Zero(a.cols(), a.cols() - a.rows());
  Eigen::Index known = 0;
  for (const int stage : std::set<int>(stage_of_column.begin(), stage_of_column.end())) {
    const std::vector<int> rows = where(stage_of_row, stage), columns = where(stage_of_column, stage);
    const auto fresh = static_cast<Eigen::Index>(columns.size() - rows.size());
    if (rows.empty()) {
      for (std::size_t k = 0; k < columns.size(); ++k) v(columns[k], known + static_cast<Eigen::Index>(k)) = 1.0;
    } else {
      const Eigen::MatrixXd g = a(rows, columns);
      v(columns, Eigen::seqN(0, known)) = -pseudo_inverse(g) * (a(rows, Eigen::all) * v.leftCols(known));
      v(columns, Eigen::seqN(known, fresh)) = kernel_of(g);
    }
    known += fresh;
  }
  return v;
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
