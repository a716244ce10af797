#include "driftless/linear/factorization.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/linear/dense_lu.hpp"
#include "driftless/linear/number.hpp"
#include "driftless/linear/sparse_lu.hpp"

namespace driftless::linear {
namespace {

class Dense final : public Factorization {
 public:
  explicit Dense(const Pattern& pattern)
      : pattern_(pattern), lu_(pattern.size), scale_(pattern.size), column_size_(pattern.size) {}

  bool factorize(std::span<const double> values) override {
    if (pattern_.size == 0) return true;
    if (!all_finite(values)) return false;
    // Rows of a discretized system differ by powers of the step size: equilibrate before choosing pivots.
    std::ranges::fill(scale_, 0.0);
    for (std::size_t k = 0; k < values.size(); ++k)
      scale_[pattern_.rows[k]] = std::max(scale_[pattern_.rows[k]], std::abs(values[k]));
    for (double& scale : scale_) {
      if (!(scale > 0.0)) return false;
      scale = scale_to_one(scale);
    }
    lu_.clear();
    for (int col = 0; col < pattern_.size; ++col) {
      double size = 0.0;
      for (int k = pattern_.starts[col]; k < pattern_.starts[col + 1]; ++k) {
        const int row = pattern_.rows[k];
        const double value = values[k] * scale_[row];
        lu_.set(row, col, value);
        size = std::max(size, std::abs(value));
      }
      column_size_[col] = size;
    }
    ratio_ = lu_.eliminate(column_size_);
    return ratio_ > 1e-17;
  }

  void solve(std::span<double> b) const override {
    for (std::size_t i = 0; i < b.size(); ++i) b[i] *= scale_[i];
    lu_.solve(b.data());
  }

  void solve_transposed(std::span<double> b) const override {
    lu_.solve_transposed(b.data());
    for (std::size_t i = 0; i < b.size(); ++i) b[i] *= scale_[i];
  }

  double pivot_ratio() const override { return ratio_; }

 private:
  Pattern pattern_;
  DenseLu<double> lu_;
  std::vector<double> scale_, column_size_;
  double ratio_ = 1.0;
};

class Sparse final : public Factorization {
 public:
  explicit Sparse(const Pattern& pattern) : lu_(pattern) {}

  bool factorize(std::span<const double> values) override { return lu_.factorize(values); }

  void solve(std::span<double> b) const override {
    double* const x = lu_.right_side();
    for (int k = 0; k < lu_.size(); ++k) x[k] = b[lu_.row(k)] * lu_.scale(k);
    lu_.solve();
    for (int k = 0; k < lu_.size(); ++k) b[lu_.column(k)] = x[k];
  }

  void solve_transposed(std::span<double> b) const override {
    double* const x = lu_.right_side();
    for (int k = 0; k < lu_.size(); ++k) x[k] = b[lu_.column(k)];
    lu_.solve_transposed();
    for (int k = 0; k < lu_.size(); ++k) b[lu_.row(k)] = x[k] * lu_.scale(k);
  }

  double pivot_ratio() const override { return lu_.pivot_ratio(); }
  std::shared_ptr<const PivotOrder> pivots() const override { return lu_.pivots(); }

 private:
  SparseLu<double> lu_;
};

}  // namespace

std::unique_ptr<Factorization> make_dense(const Pattern& pattern) { return std::make_unique<Dense>(pattern); }
std::unique_ptr<Factorization> make_sparse(const Pattern& pattern) { return std::make_unique<Sparse>(pattern); }

std::unique_ptr<Factorization> make_factorization(const Pattern& pattern) {
  const double n = pattern.size, density = static_cast<double>(pattern.rows.size()) / std::max(1.0, n * n);
  return n <= 24 || (n <= 200 && density > 0.4) ? make_dense(pattern) : make_sparse(pattern);
}

}  // namespace driftless::linear
