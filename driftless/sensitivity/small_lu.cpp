#include "driftless/sensitivity/small_lu.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "driftless/linear/vectors.hpp"

namespace driftless::sensitivity {
namespace {

// All loops run along columns of memory, and their results do not depend on the vector width.

// The multiples of the first `count` columns of L that a column asks for, in their order.
DRIFTLESS_VECTOR_CLONES void eliminate_above(const double* data, Eigen::Index n, Eigen::Index count,
                                             double* __restrict column) {
  for (Eigen::Index k = 0; k < count; ++k) {
    const double factor = column[k];
    if (factor == 0.0) continue;
    const double* const other = data + k * n;
    for (Eigen::Index i = k + 1; i < n; ++i) column[i] -= factor * other[i];
  }
}

DRIFTLESS_VECTOR_CLONES void substitute_backwards(const double* data, Eigen::Index n, double* __restrict column) {
  for (Eigen::Index k = n; k-- > 0;) {
    const double* const other = data + k * n;
    const double factor = column[k] /= other[k];
    if (factor == 0.0) continue;
    for (Eigen::Index i = 0; i < k; ++i) column[i] -= factor * other[i];
  }
}

DRIFTLESS_VECTOR_CLONES void find_sizes(const double* data, Eigen::Index n, double* __restrict sizes) {
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = 0; i < n; ++i) {
      const double size = std::abs(data[j * n + i]);
      sizes[i] = sizes[i] < size ? size : sizes[i];
    }
}

}  // namespace

// Rows are exchanged in all columns, including those on the left.
void SmallLu::permute(double* column, Eigen::Index count) const {
  for (Eigen::Index k = 0; k < count; ++k) std::swap(column[k], column[pivot_[static_cast<std::size_t>(k)]]);
}

bool SmallLu::factorize() {
  const Eigen::Index n = matrix_.rows();
  scale_.assign(static_cast<std::size_t>(n), 0.0);
  pivot_.resize(static_cast<std::size_t>(n));
  double* const data = matrix_.data();
  double* const scale = scale_.data();
  find_sizes(data, n, scale);
  for (Eigen::Index j = 0; j < n; ++j) {
    double* const column = data + j * n;
    permute(column, j);
    eliminate_above(data, n, j, column);
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
    eliminate_above(data, n, n, column);
    substitute_backwards(data, n, column);
  }
}

}  // namespace driftless::sensitivity
