#include "driftless/indices/derivative_array.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/expr/calculus.hpp"
#include "driftless/linear/rank_decision.hpp"
#include "driftless/linear/svd.hpp"
#include "driftless/reduce/generic_point.hpp"

namespace driftless {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int few_corrections = 8, most_corrections = 30;
constexpr double converged = 1e-12, stagnated = 1e-9;  // corrections, relative to the values

// The smallest least-squares solution; directions in the kernel of the matrix are not changed.
VectorXd smallest_correction(const MatrixXd& matrix, const VectorXd& residual) {
  const linear::Svd svd = linear::svd(matrix);
  const double scale = std::max(svd.values.size() > 0 ? svd.values(0) : 0.0, 1e-300);
  const int rank = linear::decide_rank(svd.values, scale, std::max(matrix.rows(), matrix.cols())).rank;
  const VectorXd coefficients = (svd.U.leftCols(rank).transpose() * residual).cwiseQuotient(svd.values.head(rank));
  return svd.V.leftCols(rank) * coefficients;
}

void scale_rows(MatrixXd& matrix, VectorXd& right) {
  for (Index i = 0; i < matrix.rows(); ++i)
    if (const double size = matrix.row(i).norm(); size > 0.0) {
      matrix.row(i) /= size;
      right(i) /= size;
    }
}

}  // namespace

DerivativeArrayAt::DerivativeArrayAt(std::shared_ptr<const Model> model, int levels)
    : model_(std::move(model)), levels_(levels) {
  Pool& pool = *model_->pool;
  highest_.assign(model_->variables.size(), 1);
  sizes_.resize(static_cast<Index>(model_->variables.size()));
  for (std::size_t j = 0; j < model_->variables.size(); ++j)
    sizes_(static_cast<Index>(j)) = size_of(model_->variables[j]);
  for (const Equation& equation : model_->equations)
    for (const NodeId leaf : variables_of(pool, equation.residual))
      highest_[pool[leaf].a] = std::max(highest_[pool[leaf].a], static_cast<int>(pool[leaf].b));
  for (const int highest : highest_) orders_ = std::max(orders_, highest + levels_ + 1);
  TimeDerivative derivative(pool);
  for (int level = 0; level <= levels_; ++level)
    for (const Equation& equation : model_->equations) {
      const NodeId residual = derivative(equation.residual, level);
      const int row = static_cast<int>(residuals_.size());
      residuals_.push_back(residual);
      for (const Partial& p : gradient(pool, residual)) {
        const Node& leaf = pool[p.leaf];
        entries_.push_back({row, static_cast<int>(leaf.a) * orders_ + static_cast<int>(leaf.b), p.derivative});
      }
    }
}

DerivativeArrayAt::Values DerivativeArrayAt::evaluate(const PointOfIndex& point) const {
  const Pool& pool = *model_->pool;
  const auto value_of_leaf = [&](NodeId id) {
    const Node& leaf = pool[id];
    if (leaf.op == Op::Time) return point.t;
    if (leaf.op == Op::Parameter) return model_->parameters[leaf.a].value;
    return point.values(leaf.a, leaf.b);
  };
  const auto rows = static_cast<Index>(residuals_.size());
  Values values{VectorXd(rows), MatrixXd::Zero(rows, point.values.rows() * orders_)};
  for (Index i = 0; i < rows; ++i)
    values.residual(i) = driftless::evaluate(pool, residuals_[static_cast<std::size_t>(i)], value_of_leaf);
  for (const Entry& entry : entries_)
    values.jacobian(entry.row, entry.col) += driftless::evaluate(pool, entry.value, value_of_leaf);
  return values;
}

// Gauss and Newton's iteration with smallest corrections.
bool DerivativeArrayAt::project(PointOfIndex& point, const MatrixXd& freedom) const {
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_corrections; ++k) {
    Values at = evaluate(point);
    if (!at.residual.allFinite() || !at.jacobian.allFinite()) return false;
    const MatrixXd size = sizes_.replicate(1, orders_) + point.values.cwiseAbs();
    const VectorXd units = size.cwiseProduct(freedom).reshaped<Eigen::RowMajor>();
    at.jacobian = at.jacobian * units.asDiagonal();  // columns without freedom vanish
    scale_rows(at.jacobian, at.residual);
    const VectorXd change = units.cwiseProduct(smallest_correction(at.jacobian, at.residual));
    const MatrixXd by_variable = change.reshaped<Eigen::RowMajor>(size.rows(), size.cols());
    point.values -= by_variable;
    const double relative = by_variable.cwiseQuotient(size).cwiseAbs().maxCoeff();
    if (relative <= converged) return true;
    if (k >= few_corrections && relative > 0.5 * last) return relative <= stagnated;
    last = relative;
  }
  return false;
}

}  // namespace driftless
