#include "driftless/boundary/almost_block_diagonal.hpp"

#include "driftless/linear/svd.hpp"

namespace driftless::boundary {
namespace {

constexpr double singular = 1e-13;

Eigen::MatrixXd stacked(const Eigen::MatrixXd& above, const Eigen::MatrixXd& below) {
  Eigen::MatrixXd both(above.rows() + below.rows(), below.cols());
  both << above, below;
  return both;
}

}  // namespace

bool AlmostBlockDiagonal::factorize(const AlmostBlockDiagonalMatrix& matrix) {
  states_ = matrix.first.cols();
  steps_.clear();
  Eigen::MatrixXd waiting = matrix.first;
  for (std::size_t k = 0; k < matrix.left.size(); ++k) {
    Step step;
    step.qr = linear::Qr(stacked(waiting, matrix.left[k]));
    const Eigen::MatrixXd next =
        step.qr.transposed_q_times(stacked(Eigen::MatrixXd::Zero(waiting.rows(), states_), matrix.right[k]));
    if (!(step.qr.triangle().diagonal().cwiseAbs().minCoeff() > 0.0)) return false;
    step.beyond = next.topRows(states_);
    waiting = next.bottomRows(waiting.rows()).eval();
    steps_.push_back(std::move(step));
  }
  Eigen::MatrixXd end = stacked(waiting, matrix.last);
  if (!end.allFinite()) return false;
  last_scale_ = end.rowwise().norm();
  if (!(last_scale_.minCoeff() > 0.0)) {
    conditioning_ = 0.0;
    return false;
  }
  last_scale_ = last_scale_.cwiseInverse();
  end = last_scale_.asDiagonal() * end;
  last_ = linear::PivotedQr(end);
  const Eigen::VectorXd sizes = linear::singular_values(end);
  conditioning_ = sizes[sizes.size() - 1] / sizes[0];
  return conditioning_ > singular;
}

std::vector<Eigen::VectorXd> AlmostBlockDiagonal::solve(const AlmostBlockDiagonalVector& right_side) const {
  std::vector<Eigen::VectorXd> determining;  // right-hand sides of the rows that determine x_k
  Eigen::VectorXd waiting = right_side.first;
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    Eigen::VectorXd both(waiting.size() + states_);
    both << waiting, right_side.inner[k];
    both = steps_[k].qr.transposed_q_times(both);
    determining.push_back(both.head(states_));
    waiting = both.tail(waiting.size()).eval();
  }
  Eigen::VectorXd end(states_);
  end << waiting, right_side.last;
  std::vector<Eigen::VectorXd> x(steps_.size() + 1);
  x.back() = last_.solve(last_scale_.cwiseProduct(end).eval());
  for (std::size_t k = steps_.size(); k-- > 0;)
    x[k] = steps_[k].qr.solve_triangle(determining[k] - steps_[k].beyond * x[k + 1]);
  return x;
}

}  // namespace driftless::boundary
