#include "driftless/linear/factorization.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include <Eigen/Dense>
#include <klu.h>

namespace driftless::linear {

Assembly assemble(int size, std::span<const Coordinate> coordinates) {
  std::vector<int> order(coordinates.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int k) { return std::pair(coordinates[k].col, coordinates[k].row); };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });

  Assembly result;
  result.pattern.size = size;
  result.pattern.starts.assign(size + 1, 0);
  result.position.resize(coordinates.size());
  for (std::size_t n = 0; n < order.size(); ++n) {
    const Coordinate at = coordinates[order[n]];
    assert(at.row >= 0 && at.row < size && at.col >= 0 && at.col < size);
    if (n == 0 || key(order[n - 1]) != key(order[n])) {
      result.pattern.rows.push_back(at.row);
      ++result.pattern.starts[at.col + 1];
    }
    result.position[order[n]] = static_cast<int>(result.pattern.rows.size()) - 1;
  }
  std::partial_sum(result.pattern.starts.begin(), result.pattern.starts.end(), result.pattern.starts.begin());
  return result;
}

namespace {

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

class Dense final : public Factorization {
 public:
  explicit Dense(const Pattern& pattern)
      : pattern_(pattern), matrix_(pattern.size, pattern.size), lu_(pattern.size), scale_(pattern.size),
        scaled_(pattern.size) {}

  bool factorize(std::span<const double> values) override {
    if (pattern_.size == 0) return true;
    if (!all_finite(values)) return false;
    matrix_.setZero();
    for (int col = 0; col < pattern_.size; ++col)
      for (int k = pattern_.starts[col]; k < pattern_.starts[col + 1]; ++k)
        matrix_(pattern_.rows[k], col) = values[k];
    // Rows of a discretized system differ by powers of the step size: equilibrate before choosing pivots.
    for (int row = 0; row < pattern_.size; ++row) {
      const double largest = matrix_.row(row).cwiseAbs().maxCoeff();
      if (!(largest > 0.0)) return false;
      scale_[row] = std::exp2(-std::ilogb(largest));
      matrix_.row(row) *= scale_[row];
    }
    lu_.compute(matrix_);
    const auto pivots = lu_.matrixLU().diagonal().cwiseAbs();
    const double smallest = pivots.minCoeff(), largest = pivots.maxCoeff();
    ratio_ = smallest / largest;
    return std::isfinite(largest) && ratio_ > 1e-17;
  }

  void solve(std::span<double> b) const override {
    if (pattern_.size == 0) return;
    Eigen::Map<Eigen::VectorXd> x(b.data(), static_cast<Eigen::Index>(b.size()));
    scaled_ = x.cwiseProduct(scale_);
    x = lu_.permutationP() * scaled_;
    lu_.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(x);
    lu_.matrixLU().triangularView<Eigen::Upper>().solveInPlace(x);
  }

  double pivot_ratio() const override { return ratio_; }

 private:
  Pattern pattern_;
  Eigen::MatrixXd matrix_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  Eigen::VectorXd scale_;
  mutable Eigen::VectorXd scaled_;  // a permutation in place would allocate
  double ratio_ = 1.0;
};

class Sparse final : public Factorization {
 public:
  explicit Sparse(const Pattern& pattern) : pattern_(pattern) {
    klu_defaults(&common_);
    common_.scale = 2;  // by the largest entry of each row
    symbolic_ = klu_analyze(pattern_.size, pattern_.starts.data(), pattern_.rows.data(), &common_);
  }
  ~Sparse() override {
    klu_free_numeric(&numeric_, &common_);
    klu_free_symbolic(&symbolic_, &common_);
  }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;

  bool factorize(std::span<const double> values) override {
    if (pattern_.size == 0) return true;
    if (!symbolic_ || !all_finite(values)) return false;
    auto* a = const_cast<double*>(values.data());  // KLU reads only
    if (numeric_ && reuse_pivots(a)) return is_regular();
    klu_free_numeric(&numeric_, &common_);
    numeric_ = klu_factor(pattern_.starts.data(), pattern_.rows.data(), a, symbolic_, &common_);
    if (common_.status != KLU_OK) {
      klu_free_numeric(&numeric_, &common_);  // incomplete: nothing to refactorize next time
      return false;
    }
    return is_regular();
  }

  void solve(std::span<double> b) const override {
    if (pattern_.size == 0) return;
    klu_common common = common_;
    klu_solve(symbolic_, numeric_, pattern_.size, 1, b.data(), &common);
  }

  double pivot_ratio() const override { return ratio_; }

 private:
  // The backward error of an elimination is the rounding unit times the growth of its entries.
  static constexpr double most_growth = 1e3;

  bool reuse_pivots(double* a) {
    int *starts = pattern_.starts.data(), *rows = pattern_.rows.data();
    return klu_refactor(starts, rows, a, symbolic_, numeric_, &common_) &&
           klu_rgrowth(starts, rows, a, symbolic_, numeric_, &common_) && common_.rgrowth * most_growth > 1.0;
  }

  bool is_regular() {
    klu_rcond(symbolic_, numeric_, &common_);
    ratio_ = common_.rcond;
    return ratio_ > 1e-17;
  }

  Pattern pattern_;
  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
  double ratio_ = 1.0;
};

}  // namespace

std::unique_ptr<Factorization> make_dense(const Pattern& pattern) { return std::make_unique<Dense>(pattern); }
std::unique_ptr<Factorization> make_sparse(const Pattern& pattern) { return std::make_unique<Sparse>(pattern); }

std::unique_ptr<Factorization> make_factorization(const Pattern& pattern) {
  const double n = pattern.size, density = static_cast<double>(pattern.rows.size()) / std::max(1.0, n * n);
  return n <= 24 || (n <= 200 && density > 0.4) ? make_dense(pattern) : make_sparse(pattern);
}

}  // namespace driftless::linear
