#include "driftless/linear/equilibration.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/linear/svd.hpp"

namespace driftless::linear {
namespace {

constexpr double counts = 1e-9;       // relative to the largest singular value
constexpr double rounding = 1e-13;    // values up to this are 0 to rounding
constexpr double smallest_gap = 1e3;  // between values that count and those that do not, if the latter exceed rounding

double root_of(double largest) { return largest > 0.0 ? 1.0 / std::sqrt(largest) : 1.0; }

}  // namespace

Equilibration equilibrate(const Eigen::MatrixXd& matrix) {
  Equilibration scale{Eigen::VectorXd::Ones(matrix.rows()), Eigen::VectorXd::Ones(matrix.cols())};
  if (matrix.size() == 0) return scale;
  Eigen::MatrixXd sizes = matrix.cwiseAbs();
  for (int sweep = 0; sweep < sweeps_of_equilibration; ++sweep) {
    const Eigen::VectorXd rows = sizes.rowwise().maxCoeff().unaryExpr(&root_of);
    const Eigen::VectorXd columns = sizes.colwise().maxCoeff().transpose().unaryExpr(&root_of);
    sizes = (rows.asDiagonal() * sizes * columns.asDiagonal()).eval();
    scale.rows.array() *= rows.array();
    scale.columns.array() *= columns.array();
  }
  return scale;
}

bool RevealedRank::is_clear() const {
  return smallest_kept > counts && (largest_dropped <= rounding || largest_dropped * smallest_gap <= smallest_kept);
}

RevealedRank revealed_rank(const Eigen::MatrixXd& equilibrated) {
  RevealedRank result;
  if (equilibrated.size() == 0) return result;
  const Eigen::VectorXd values = singular_values(equilibrated);
  const double largest = values[0];
  if (!(largest > 0.0)) return result;
  while (result.rank < values.size() && values[result.rank] > counts * largest) ++result.rank;
  result.smallest_kept = values[result.rank - 1] / largest;
  if (result.rank < values.size()) result.largest_dropped = values[result.rank] / largest;
  return result;
}

}  // namespace driftless::linear
