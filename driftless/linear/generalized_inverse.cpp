#include "driftless/linear/generalized_inverse.hpp"

#include <set>
#include <vector>

#include "driftless/linear/dense.hpp"

namespace driftless::linear {
namespace {

// (K, P - K A1 P): P satisfies a2 first, then K treats the rest of a1 within the kernel of A2.
Eigen::MatrixXd composed(const Eigen::MatrixXd& a1, const Eigen::MatrixXd& p, const Eigen::MatrixXd& k) {
  Eigen::MatrixXd g(a1.cols(), a1.rows() + p.cols());
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

Eigen::MatrixXd kernel_of(const Eigen::MatrixXd& a) { return Qr(a.transpose()).q().rightCols(a.cols() - a.rows()); }

ByStages by_stages(const Eigen::MatrixXd& a, std::span<const int> stage_of_row, std::span<const int> stage_of_column) {
  ByStages result{Eigen::MatrixXd::Zero(a.cols(), a.cols() - a.rows()), Eigen::MatrixXd::Zero(a.cols(), a.rows())};
  auto& [v, p] = result;
  Eigen::Index known = 0;
  std::vector<int> before, met;  // columns and rows of lower stages
  for (const int stage : std::set<int>(stage_of_column.begin(), stage_of_column.end())) {
    const std::vector<int> rows = where(stage_of_row, stage), columns = where(stage_of_column, stage);
    const auto fresh = static_cast<Eigen::Index>(columns.size() - rows.size());
    if (rows.empty()) {
      for (std::size_t k = 0; k < columns.size(); ++k) v(columns[k], known + static_cast<Eigen::Index>(k)) = 1.0;
    } else {
      // G^T = Q R: the first columns of Q span the range of G^T, the others are its kernel.
      const Eigen::MatrixXd g = a(rows, columns), l = a(rows, before);
      const auto m = static_cast<Eigen::Index>(rows.size());
      const Qr qr(g.transpose());
      const Eigen::MatrixXd q = qr.q();
      const Eigen::MatrixXd inverse =
          qr.triangle().triangularView<Eigen::Upper>().solve(q.leftCols(m).transpose()).transpose();
      v(columns, Eigen::seqN(0, known)) = -inverse * (l * v(before, Eigen::seqN(0, known)));
      v(columns, Eigen::seqN(known, fresh)) = q.rightCols(fresh);
      p(columns, met) = -inverse * (l * p(before, met));
      p(columns, rows) = inverse;
    }
    known += fresh;
    before.insert(before.end(), columns.begin(), columns.end());
    met.insert(met.end(), rows.begin(), rows.end());
  }
  return result;
}

Eigen::MatrixXd ssf_inverse(const Eigen::MatrixXd& a1, const Eigen::MatrixXd& a2, const Eigen::MatrixXd& v) {
  return ssf_inverse(a1, {v, CompleteQr(a2).pseudo_inverse()});
}

Eigen::MatrixXd ssf_inverse(const Eigen::MatrixXd& a1, const ByStages& a2) {
  const Eigen::MatrixXd& v = a2.kernel;
  return composed(a1, a2.right_inverse, v * Lu(v.transpose() * a1 * v).solve(Eigen::MatrixXd(v.transpose())));
}

Eigen::MatrixXd ssf_inverse_bordered(const Eigen::MatrixXd& a1, const Eigen::MatrixXd& a2) {
  const Eigen::Index n = a1.rows(), m = a2.rows();
  Eigen::MatrixXd bordered = Eigen::MatrixXd::Zero(n + m, n + m);
  bordered.topLeftCorner(n, n) = a1;
  bordered.topRightCorner(n, m) = a2.transpose();
  bordered.bottomLeftCorner(m, n) = a2;
  return Lu(bordered).inverse().topRows(n);
}

Eigen::MatrixXd constrained_least_squares(const Eigen::MatrixXd& a1, const Eigen::MatrixXd& a2) {
  const Eigen::MatrixXd v = kernel_of(a2);
  return composed(a1, CompleteQr(a2).pseudo_inverse(), v * CompleteQr(a1 * v).pseudo_inverse());
}

Eigen::MatrixXd moore_penrose(const Eigen::MatrixXd& a1, const Eigen::MatrixXd& a2) {
  Eigen::MatrixXd stack(a1.rows() + a2.rows(), a1.cols());
  stack << a1, a2;
  return CompleteQr(stack).pseudo_inverse();
}

}  // namespace driftless::linear
