#include "driftless/linear/factorization.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/linear/equilibrated_lu.hpp"
#include "driftless/linear/sparse_lu.hpp"

namespace driftless::linear {
namespace {

class Dense final : public Factorization {
 public:
  explicit Dense(const Pattern& pattern) : matrix_(pattern) {}

  bool factorize(std::span<const double> values) override { return matrix_.factorize(values); }

  void solve(std::span<double> b) const override {
    scale(b);
    matrix_.lu().solve(b.data());
  }

  void solve_transposed(std::span<double> b) const override {
    matrix_.lu().solve_transposed(b.data());
    scale(b);
  }

  double pivot_ratio() const override { return matrix_.pivot_ratio(); }
  void archive(Archive& archive) override { archive(matrix_); }

 private:
  void scale(std::span<double> b) const {
    for (int i = 0; i < matrix_.size(); ++i) b[i] *= matrix_.scale(i);
  }

  EquilibratedLu<double> matrix_;
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
  void archive(Archive& archive) override { archive(lu_); }

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
