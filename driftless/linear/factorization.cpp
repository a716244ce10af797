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

class Dense final : public Factorization {
 public:
  explicit Dense(const Pattern& pattern)
      : pattern_(pattern), matrix_(pattern.size, pattern.size), lu_(pattern.size), scale_(pattern.size) {}

  bool factorize(std::span<const double> values) override {
    matrix_.setZero();
    for (int col = 0; col < pattern_.size; ++col)
      for (int k = pattern_.starts[col]; k < pattern_.starts[col + 1]; ++k)
        matrix_(pattern_.rows[k], col) = values[k];
    // Rows of a discretized system differ by powers of the step size: equilibrate before choosing pivots.
    for (int row = 0; row < pattern_.size; ++row) {
      const double largest = matrix_.row(row).cwiseAbs().maxCoeff();
      if (!(largest > 0.0) || !std::isfinite(largest)) return false;
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
    Eigen::Map<Eigen::VectorXd> x(b.data(), static_cast<Eigen::Index>(b.size()));
    x.array() *= scale_.array();
    lu_.permutationP().applyThisOnTheLeft(x);
    lu_.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(x);
    lu_.matrixLU().triangularView<Eigen::Upper>().solveInPlace(x);
  }

  double pivot_ratio() const override { return ratio_; }

 private:
  Pattern pattern_;
  Eigen::MatrixXd matrix_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  Eigen::VectorXd scale_;
  double ratio_ = 0.0;
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
    if (!symbolic_) return false;  // structurally singular
    if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); })) return false;
    auto* a = const_cast<double*>(values.data());  // KLU reads only
    if (numeric_ && klu_refactor(pattern_.starts.data(), pattern_.rows.data(), a, symbolic_, numeric_, &common_) &&
        klu_rcond(symbolic_, numeric_, &common_) && common_.rcond > reuse_pivots_above * first_ratio_) {
      ratio_ = common_.rcond;
      return true;
    }
    klu_free_numeric(&numeric_, &common_);
    numeric_ = klu_factor(pattern_.starts.data(), pattern_.rows.data(), a, symbolic_, &common_);
    if (!numeric_ || common_.status != KLU_OK) return false;
    klu_rcond(symbolic_, numeric_, &common_);
    first_ratio_ = ratio_ = common_.rcond;
    return ratio_ > 1e-17;
  }

  void solve(std::span<double> b) const override {
    klu_common common = common_;
    klu_solve(symbolic_, numeric_, pattern_.size, 1, b.data(), &common);
  }

  double pivot_ratio() const override { return ratio_; }

 private:
  static constexpr double reuse_pivots_above = 1e-3;

  Pattern pattern_;
  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
  double first_ratio_ = 0.0, ratio_ = 0.0;
};

}  // namespace

std::unique_ptr<Factorization> make_dense(const Pattern& pattern) { return std::make_unique<Dense>(pattern); }
std::unique_ptr<Factorization> make_sparse(const Pattern& pattern) { return std::make_unique<Sparse>(pattern); }

std::unique_ptr<Factorization> make_factorization(const Pattern& pattern) {
  const double n = pattern.size, density = static_cast<double>(pattern.rows.size()) / std::max(1.0, n * n);
  return n <= 24 || (n <= 200 && density > 0.4) ? make_dense(pattern) : make_sparse(pattern);
}

}  // namespace driftless::linear
