#include "driftless/indices/differentiation.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/linear/svd.hpp"

namespace driftless {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr int equilibrations = 10;
constexpr double error_of_point = 1e-12;  // relative to the sizes of unknowns

// Rows and columns of comparable size, as Ruiz 2001. Zeros stay zero.
void equilibrate(MatrixXd& matrix) {
  const auto factor = [](double size) { return size > 0.0 ? std::exp2(-std::round(0.5 * std::log2(size))) : 1.0; };
  for (int k = 0; k < equilibrations; ++k) {
    for (Index i = 0; i < matrix.rows(); ++i) matrix.row(i) *= factor(matrix.row(i).cwiseAbs().maxCoeff());
    for (Index j = 0; j < matrix.cols(); ++j) matrix.col(j) *= factor(matrix.col(j).cwiseAbs().maxCoeff());
  }
}

// The contribution of an unknown to an equation may be so small that it is an error of the point: scaling would enlarge
// it in a column without other entries.
void drop_errors_of_point(MatrixXd& jacobian, const PointOfIndex& point, const Eigen::VectorXd& sizes) {
  const MatrixXd size = sizes.replicate(1, point.values.cols()) + point.values.cwiseAbs();
  const Eigen::RowVectorXd units = size.reshaped<Eigen::RowMajor>().transpose();
  for (Index i = 0; i < jacobian.rows(); ++i) {
    const Eigen::RowVectorXd terms = jacobian.row(i).cwiseProduct(units).cwiseAbs();
    const double negligible = error_of_point * terms.maxCoeff();
    jacobian.row(i) = (terms.array() <= negligible).select(0.0, jacobian.row(i));
  }
}

linear::RankDecision rank_of(MatrixXd matrix) {
  if (matrix.size() == 0 || matrix.isZero(0.0)) return {0, 0, 1.0, 1e-16};
  equilibrate(matrix);
  const Eigen::VectorXd values = linear::singular_values(matrix);
  return linear::decide_rank(values, values(0), std::max(matrix.rows(), matrix.cols()));
}

MatrixXd columns(const MatrixXd& matrix, const std::vector<Index>& chosen) {
  MatrixXd result(matrix.rows(), static_cast<Index>(chosen.size()));
  for (std::size_t k = 0; k < chosen.size(); ++k) result.col(static_cast<Index>(k)) = matrix.col(chosen[k]);
  return result;
}

}  // namespace

Fullness fullness(const DerivativeArrayAt& array, const PointOfIndex& point, int level) {
  const Index variables = point.values.rows();
  MatrixXd jacobian = array.evaluate(point).jacobian;
  jacobian.conservativeResize(jacobian.rows() / (array.levels() + 1) * (level + 1), jacobian.cols());
  std::vector<Index> top_and_above, above;
  for (Index j = 0; j < variables; ++j)
    for (int order = array.highest(static_cast<std::size_t>(j)); order < array.orders(); ++order) {
      const Index column = j * array.orders() + order;
      top_and_above.push_back(column);
      if (order > array.highest(static_cast<std::size_t>(j))) above.push_back(column);
    }
  drop_errors_of_point(jacobian, point, array.sizes());
  Fullness result;
  for (const MatrixXd& part : {columns(jacobian, top_and_above), columns(jacobian, above), jacobian})
    result.decisions.push_back(rank_of(part));
  result.rank = result.decisions[0].rank;
  result.rank_of_all = result.decisions[2].rank;
  result.is_full = result.rank == variables + result.decisions[1].rank;
  return result;
}

IndexAtPoint index_at(const DerivativeArrayAt& array, const PointOfIndex& point) {
  IndexAtPoint result;
  std::vector<linear::RankDecision> decisions;
  for (int level = 0; level <= array.levels() && !result.index; ++level) {
    const Fullness here = fullness(array, point, level);
    decisions.insert(decisions.end(), here.decisions.begin(), here.decisions.end());
    result.has_dependent_rows = here.rank_of_all < (level + 1) * point.values.rows();
    if (here.is_full) result.index = level;
  }
  result.narrowest = linear::least_clear(decisions);
  return result;
}

}  // namespace driftless
