#include "driftless/integrate/solve/iteration_matrix.hpp"

#include <algorithm>

namespace driftless {

void IterationMatrix::reset(const linear::Pattern& pattern, std::unique_ptr<linear::Factorization> factorization) {
  pattern_ = pattern;
  factorization_ = std::move(factorization);
  values_.assign(pattern.rows.size(), 0.0);
  row_scale_.assign(pattern.size, 1.0);
  column_scale_.assign(pattern.size, 1.0);
  entry_scale_.assign(pattern.rows.size(), 1.0);
  inverse_norm_ = linear::InverseNorm(pattern.size);
  factorized_ = false;
}

void IterationMatrix::scale(std::span<const double> rows, std::span<const double> columns) {
  if (rows.empty()) {
    std::ranges::fill(row_scale_, 1.0);
    std::ranges::fill(column_scale_, 1.0);
  } else {
    std::ranges::copy(rows, row_scale_.begin());
    std::ranges::copy(columns, column_scale_.begin());
  }
  for (int j = 0; j < pattern_.size; ++j)
    for (int k = pattern_.starts[j]; k < pattern_.starts[j + 1]; ++k)
      entry_scale_[k] = row_scale_[pattern_.rows[k]] * column_scale_[j];
}

bool IterationMatrix::factorize() {
  norm_ = linear::norm(pattern_, values_);
  for (std::size_t k = 0; k < values_.size(); ++k) values_[k] *= entry_scale_[k];
  factorized_ = factorization_->factorize(values_);
  if (!factorized_) return false;
  watch_condition();
  return true;
}

void IterationMatrix::solve(std::span<double> b) const {
  for (std::size_t i = 0; i < b.size(); ++i) b[i] *= row_scale_[i];
  factorization_->solve(b);
  for (std::size_t j = 0; j < b.size(); ++j) b[j] *= column_scale_[j];
}

ConditionNumbers IterationMatrix::condition() const {
  if (!factorized_) return {};
  return {norm_ * inverse_norm_(*factorization_, row_scale_, column_scale_),
          linear::norm(pattern_, values_) * inverse_norm_(*factorization_)};
}

void IterationMatrix::archive(Archive& archive) {
  archive.section("iteration matrix");
  archive(*factorization_, values_, row_scale_, column_scale_, entry_scale_, factorized_, norm_);
  archive(largest_.matrix, largest_.scaled, smallest_pivot_ratio_, largest_norm_);
}

void IterationMatrix::watch_condition() {
  const double ratio = factorization_->pivot_ratio();
  if (ratio > 0.5 * smallest_pivot_ratio_ && norm_ < 2.0 * largest_norm_) return;
  smallest_pivot_ratio_ = std::min(ratio, smallest_pivot_ratio_);
  largest_norm_ = std::max(norm_, largest_norm_);
  const ConditionNumbers now = condition();
  largest_.matrix = std::max(largest_.matrix, now.matrix);
  largest_.scaled = std::max(largest_.scaled, now.scaled);
}

}  // namespace driftless
