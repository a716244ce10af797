#include "driftless/linear/complex_factorization.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/linear/dense_lu.hpp"
#include "driftless/linear/number.hpp"
#include "driftless/linear/sparse_lu.hpp"

namespace driftless::linear {
namespace {

using Complex = std::complex<double>;

class ComplexDense final : public ComplexFactorization {
 public:
  explicit ComplexDense(const Pattern& pattern)
      : pattern_(pattern), lu_(pattern.size), scale_(pattern.size), column_size_(pattern.size), x_(pattern.size) {}

  bool factorize(std::span<const Complex> values) override {
    if (!all_finite(values)) return false;
    // Rows of a discretized system differ by powers of the step size: equilibrate before choosing pivots.
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
        const Complex value = values[k] * scale_[row];
        lu_.set(row, col, value);
        size = std::max(size, size_of(value));
      }
      column_size_[col] = size;
    }
    return lu_.eliminate(column_size_) > 1e-17;
  }

  void solve(std::span<double> re, std::span<double> im) const override {
    for (int i = 0; i < pattern_.size; ++i) x_[i] = {re[i] * scale_[i], im[i] * scale_[i]};
    lu_.solve(x_.data());
    for (int i = 0; i < pattern_.size; ++i) re[i] = x_[i].real(), im[i] = x_[i].imag();
  }

 private:
  Pattern pattern_;
  DenseLu<Complex> lu_;
  std::vector<double> scale_, column_size_;
  mutable std::vector<Complex> x_;
};

class ComplexSparse final : public ComplexFactorization {
 public:
  explicit ComplexSparse(const Pattern& pattern) : lu_(pattern) {}

  bool factorize(std::span<const Complex> values) override { return lu_.factorize(values); }

  void solve(std::span<double> re, std::span<double> im) const override {
    Complex* const x = lu_.right_side();
    for (int k = 0; k < lu_.size(); ++k) x[k] = {re[lu_.row(k)] * lu_.scale(k), im[lu_.row(k)] * lu_.scale(k)};
    lu_.solve();
    for (int k = 0; k < lu_.size(); ++k) re[lu_.column(k)] = x[k].real(), im[lu_.column(k)] = x[k].imag();
  }

  void try_pivots(const std::shared_ptr<const PivotOrder>& order) override {
    if (order) lu_.try_pivots(order);
  }
  std::shared_ptr<const PivotOrder> pivots() const override { return lu_.pivots(); }

 private:
  SparseLu<Complex> lu_;
};

}  // namespace

std::unique_ptr<ComplexFactorization> make_complex_dense(const Pattern& pattern) {
  return std::make_unique<ComplexDense>(pattern);
}
std::unique_ptr<ComplexFactorization> make_complex_sparse(const Pattern& pattern) {
  return std::make_unique<ComplexSparse>(pattern);
}

std::unique_ptr<ComplexFactorization> make_complex_factorization(const Pattern& pattern) {
  const double n = pattern.size, density = static_cast<double>(pattern.rows.size()) / std::max(1.0, n * n);
  return n <= 8 || (n <= 200 && density > 0.4) ? make_complex_dense(pattern) : make_complex_sparse(pattern);
}

}  // namespace driftless::linear
