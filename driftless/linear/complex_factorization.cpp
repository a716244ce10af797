#include "driftless/linear/complex_factorization.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/linear/equilibrated_lu.hpp"
#include "driftless/linear/sparse_lu.hpp"

namespace driftless::linear {
namespace {

using Complex = std::complex<double>;

class ComplexDense final : public ComplexFactorization {
 public:
  explicit ComplexDense(const Pattern& pattern) : matrix_(pattern), x_(pattern.size) {}

  bool factorize(std::span<const Complex> values) override { return matrix_.factorize(values); }

  void solve(std::span<double> re, std::span<double> im) const override {
    for (int i = 0; i < matrix_.size(); ++i) x_[i] = {re[i] * matrix_.scale(i), im[i] * matrix_.scale(i)};
    matrix_.lu().solve(x_.data());
    for (int i = 0; i < matrix_.size(); ++i) re[i] = x_[i].real(), im[i] = x_[i].imag();
  }

  void archive(Archive& archive) override { archive(matrix_); }

 private:
  EquilibratedLu<Complex> matrix_;
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
  void archive(Archive& archive) override { archive(lu_); }

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
