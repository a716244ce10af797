// Dense elimination of a matrix that is given by its pattern. Rows of a discretized system differ by powers of the step
// size: they are scaled to the size 1 before pivots are chosen.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "driftless/linear/dense_lu.hpp"
#include "driftless/linear/number.hpp"
#include "driftless/linear/pattern.hpp"

namespace driftless::linear {

template <class Number>  // double or std::complex<double>
class EquilibratedLu {
 public:
  explicit EquilibratedLu(const Pattern& pattern)
      : pattern_(pattern), lu_(pattern.size), scale_(pattern.size), column_size_(pattern.size) {}

  // False if the matrix is singular to working precision or holds values that are not finite.
  bool factorize(std::span<const Number> values) {
    if (!all_finite(values)) return false;
    std::ranges::fill(scale_, 0.0);
    for (std::size_t k = 0; k < values.size(); ++k)
      scale_[pattern_.rows[k]] = std::max(scale_[pattern_.rows[k]], size_of(values[k]));
    for (double& scale : scale_) {
      if (!(scale > 0.0)) return false;
      scale = scale_to_one(scale);
    }
    lu_.clear();
    for (int col = 0; col < pattern_.size; ++col) {
      double size = 0.0;
      for (int k = pattern_.starts[col]; k < pattern_.starts[col + 1]; ++k) {
        const int row = pattern_.rows[k];
        const Number value = values[k] * scale_[row];
        lu_.set(row, col, value);
        size = std::max(size, size_of(value));
      }
      column_size_[col] = size;
    }
    ratio_ = lu_.eliminate(column_size_);
    return ratio_ > 1e-17;
  }

  int size() const { return pattern_.size; }
  double scale(int row) const { return scale_[row]; }  // of right-hand sides, before the elimination
  const DenseLu<Number>& lu() const { return lu_; }
  double pivot_ratio() const { return ratio_; }  // as in factorization.hpp

  void archive(Archive& archive) { archive(lu_, scale_, ratio_); }

 private:
  Pattern pattern_;
  DenseLu<Number> lu_;
  std::vector<double> scale_, column_size_;
  double ratio_ = 1.0;
};

}  // namespace driftless::linear
