#include "driftless/integrate/solve/implicit_point.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/linear/least_change.hpp"
#include "driftless/linear/number.hpp"
#include "driftless/newton/rounding.hpp"

namespace driftless {
namespace {

constexpr int most_iterations = 12;
constexpr double separation = 1e4;  // of the parts of a residual taken by y and y', before it is squared

}  // namespace

ImplicitPoint::ImplicitPoint(System& system)
    : system_(system),
      rows_(system.rows() + system.candidates()),
      jacobian_(system.jacobian_entries().size()),
      sizes_(2 * system.size()) {}

bool ImplicitPoint::operator()(double t, std::span<double> y, std::span<double> yp) {
  y_.assign(y.begin(), y.end());
  yp_.assign(yp.begin(), yp.end());
  newton::ToRounding test(newton::at_a_point);
  if (!newton::iterate(
           most_iterations, [&] { return newton::Correction(correct(t)); }, test)
           .converged())
    return false;
  std::ranges::copy(y_, y.begin());
  std::ranges::copy(yp_, yp.begin());
  return true;
}

// The weight that lets y' change more freely than y, so that y takes 10⁻⁸ or less of the residual of a row with
// derivatives: `separation` times the largest quotient of the slopes of a row by y and by y', in units of their sizes.
double ImplicitPoint::freedom_of_slopes() const {
  std::vector<double> by_y(system_.rows(), 0.0), by_yp(system_.rows(), 0.0);
  const auto& all = system_.jacobian_entries();
  for (std::size_t e = 0; e < all.size(); ++e) {
    if (all[e].row >= system_.rows()) continue;
    double& largest = (all[e].rate ? by_yp : by_y)[all[e].row];
    largest = std::max(largest, std::abs(jacobian_[e] * sizes_[all[e].slot + (all[e].rate ? y_.size() : 0)]));
  }
  double freedom = 0.0;
  for (int i = 0; i < system_.rows(); ++i)
    if (by_yp[i] > 0.0) freedom = std::max(freedom, separation * by_y[i] / by_yp[i]);
  return freedom > 0.0 ? freedom : 1.0;
}

double ImplicitPoint::correct(double t) {
  const std::size_t n = y_.size();
  for (std::size_t s = 0; s < n; ++s) {
    const double nominal = system_.reduced().slots[s].nominal;
    sizes_[s] = std::abs(y_[s]) + nominal;
    sizes_[n + s] = std::abs(yp_[s]) + nominal;
  }
  const System::Point here{t, y_, yp_};
  system_.rows_and_rates(here, rows_);
  system_.jacobian(here, jacobian_);
  if (!linear::all_finite(rows_) || !linear::all_finite(jacobian_)) return HUGE_VAL;
  const double freedom = freedom_of_slopes();
  for (std::size_t s = 0; s < n; ++s) sizes_[n + s] *= freedom;
  Eigen::VectorXd largest = Eigen::VectorXd::Zero(system_.rows()), right(system_.rows());
  std::vector<Eigen::Triplet<double>> entries;
  const auto& all = system_.jacobian_entries();
  for (std::size_t e = 0; e < all.size(); ++e) {
    if (all[e].row >= system_.rows()) continue;
    const std::size_t column = all[e].slot + (all[e].rate ? n : 0);
    const double value = jacobian_[e] * sizes_[column];
    largest[all[e].row] = std::max(largest[all[e].row], std::abs(value));
    entries.emplace_back(all[e].row, static_cast<int>(column), value);
  }
  // Rows are scaled too, so that the size of a residual does not depend on the unit of its equation.
  for (auto& entry : entries) entry = {entry.row(), entry.col(), entry.value() / largest[entry.row()]};
  for (Eigen::Index i = 0; i < right.size(); ++i) {
    if (!(largest[i] > 0.0)) return HUGE_VAL;
    right[i] = rows_[static_cast<std::size_t>(i)] / largest[i];
  }
  Eigen::SparseMatrix<double> matrix(system_.rows(), static_cast<Eigen::Index>(2 * n));
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::VectorXd change = linear::LeastChange(matrix).solve(right);
  double size = 0.0;
  for (std::size_t s = 0; s < n; ++s) {
    const double of_y = change[static_cast<Eigen::Index>(s)], of_yp = change[static_cast<Eigen::Index>(n + s)];
    y_[s] -= sizes_[s] * of_y;
    yp_[s] -= sizes_[n + s] * of_yp;
    size = std::max({size, std::abs(of_y), freedom * std::abs(of_yp)});
  }
  return size;
}

}  // namespace driftless
