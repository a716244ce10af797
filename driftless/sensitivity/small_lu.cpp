#include "driftless/sensitivity/small_lu.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace driftless::sensitivity {
namespace {

// target -= factor * column, from `first` on up to `last`.
void subtract(double factor, const double* column, double* target, Eigen::Index first, Eigen::Index last) {
  if (factor == 0.0) return;
  const Eigen::Index count = last - first;
  Eigen::Map<Eigen::VectorXd>(target + first, count) -=
      factor * Eigen::Map<const Eigen::VectorXd>(column + first, count);
}

}  // namespace

// Rows change places in all columns, those on the left included.
void SmallLu::permute(double* column, Eigen::Index count) const {
  for (Eigen::Index k = 0; k < count; ++k) std::swap(column[k], column[pivot_[static_cast<std::size_t>(k)]]);
}

bool SmallLu::factorize() {
  const Eigen::Index n = matrix_.rows();
  scale_.assign(static_cast<std::size_t>(n), 0.0);
  pivot_.resize(static_cast<std::size_t>(n));
  double* const data = matrix_.data();
  double* const scale = scale_.data();
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = 0; i < n; ++i) scale[i] = std::max(scale[i], std::abs(data[j * n + i]));
  for (Eigen::Index j = 0; j < n; ++j) {
    double* const column = data + j * n;
    permute(column, j);
    for (Eigen::Index k = 0; k < j; ++k) subtract(column[k], data + k * n, column, k + 1, n);
    Eigen::Index best = j;
    double largest = 0.0;
    for (Eigen::Index i = j; i < n; ++i) {
      const double size = std::abs(column[i]) / scale[i];
      if (!(size <= HUGE_VAL)) continue;  // 0/0: an empty row
      if (size > largest) largest = size, best = i;
    }
    if (!(largest > 0.0 && largest <= HUGE_VAL)) return false;
    pivot_[static_cast<std::size_t>(j)] = best;
    std::swap(scale[j], scale[best]);
    for (Eigen::Index k = 0; k <= j; ++k) std::swap(data[k * n + j], data[k * n + best]);
    const double inverse = 1.0 / column[j];
    for (Eigen::Index i = j + 1; i < n; ++i) column[i] *= inverse;
  }
  return matrix_.allFinite();
}

void SmallLu::solve(Eigen::MatrixXd& right) const {
  const Eigen::Index n = matrix_.rows();
  const double* const data = matrix_.data();
  for (Eigen::Index j = 0; j < right.cols(); ++j) {
    double* const column = right.data() + j * n;
    permute(column, n);
    for (Eigen::Index k = 0; k < n; ++k) subtract(column[k], data + k * n, column, k + 1, n);
    for (Eigen::Index k = n; k-- > 0;) {
      column[k] /= data[k * n + k];
      subtract(column[k], data + k * n, column, 0, k);
    }
  }
}

}  // namespace driftless::sensitivity
