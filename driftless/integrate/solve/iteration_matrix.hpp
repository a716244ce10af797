// The matrix of Newton's iteration, factorized after its rows and columns were scaled (index_scaling.hpp). Scaling
// changes corrections by rounding only; the condition numbers tell by how much.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "driftless/linear/condition.hpp"
#include "driftless/linear/factorization.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

class IterationMatrix {
 public:
  IterationMatrix() = default;

  void reset(const linear::Pattern& pattern, std::unique_ptr<linear::Factorization> factorization);

  // rows[i] times equation i, columns[j] times unknown j, from the next factorization on. Empty: no scaling.
  void scale(std::span<const double> rows, std::span<const double> columns);

  // The scale of every entry: that of its row times that of its column.
  std::span<const double> scale_of_entries() const { return entry_scale_; }

  std::span<double> values() { return values_; }  // to be filled, unscaled, before `factorize`
  bool factorize();                               // false: singular
  void solve(std::span<double> b) const;

  std::shared_ptr<const linear::PivotOrder> pivots() const { return factorization_->pivots(); }
  double pivot_ratio() const { return factorization_ ? factorization_->pivot_ratio() : 0.0; }

  // Condition of the last matrix in the 1-norm: unscaled, and scaled as it was factorized.
  ConditionNumbers condition() const;
  // The largest so far. A new estimate is made only when the pivots or the scaling suggest a larger one.
  const ConditionNumbers& largest_condition() const { return largest_; }

  void archive(Archive& archive);  // into one of the same pattern

 private:
  void watch_condition();

  linear::Pattern pattern_;
  std::unique_ptr<linear::Factorization> factorization_;
  std::vector<double> values_, row_scale_, column_scale_, entry_scale_;
  mutable linear::InverseNorm inverse_norm_;  // its work space
  bool factorized_ = false;
  double norm_ = 0.0;  // of the last matrix, unscaled
  ConditionNumbers largest_;
  double smallest_pivot_ratio_ = 2.0, largest_norm_ = 0.0;  // of the matrices whose condition was estimated
};

}  // namespace driftless
