#include "driftless/linear/complex_factorization.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Dense>
#include <klu.h>

namespace driftless::linear {
namespace {

using Complex = std::complex<double>;

constexpr double smallest_pivot = 1e-17;  // in units of the largest entry of its column, when rows have the size 1

double size_of(Complex value) { return std::max(std::abs(value.real()), std::abs(value.imag())); }

bool all_finite(std::span<const Complex> values) {
  double sum = 0.0;
  for (const Complex v : values) sum += std::abs(v.real()) + std::abs(v.imag());
  return std::isfinite(sum);
}

// Real and imaginary parts are two matrices: products of columns with a complex number are then products of real
// columns.
class ComplexDense final : public ComplexFactorization {
 public:
  explicit ComplexDense(const Pattern& pattern)
      : pattern_(pattern),
        re_(pattern.size, pattern.size),
        im_(pattern.size, pattern.size),
        scale_(pattern.size),
        column_size_(pattern.size),
        x_re_(pattern.size),
        x_im_(pattern.size),
        order_(pattern.size) {}

  bool factorize(std::span<const Complex> values) override {
    if (!all_finite(values)) return false;
    re_.setZero();
    im_.setZero();
    scale_.setZero();
    column_size_.setZero();
    // Rows of a discretized system differ by powers of the step size: equilibrate before choosing pivots.
    for (std::size_t k = 0; k < values.size(); ++k)
      scale_[pattern_.rows[k]] = std::max(scale_[pattern_.rows[k]], size_of(values[k]));
    for (double& scale : scale_) {
      if (!(scale > 0.0)) return false;
      scale = std::exp2(-std::ilogb(scale));
    }
    for (int col = 0; col < pattern_.size; ++col)
      for (int k = pattern_.starts[col]; k < pattern_.starts[col + 1]; ++k) {
        const int row = pattern_.rows[k];
        const Complex value = values[k] * scale_[row];
        re_(row, col) = value.real();
        im_(row, col) = value.imag();
        column_size_[col] = std::max(column_size_[col], size_of(value));
      }
    return eliminate();
  }

  void solve(std::span<double> re, std::span<double> im) const override {
    const int n = pattern_.size;
    for (int k = 0; k < n; ++k) {
      x_re_[k] = re[order_[k]] * scale_[order_[k]];
      x_im_[k] = im[order_[k]] * scale_[order_[k]];
    }
    for (int k = 0; k < n; ++k) subtract_column(k, k + 1, n - k - 1);
    for (int k = n - 1; k >= 0; --k) {
      const Complex x = Complex(x_re_[k], x_im_[k]) * inverse_pivot(k);
      x_re_[k] = x.real();
      x_im_[k] = x.imag();
      subtract_column(k, 0, k);
    }
    std::ranges::copy(x_re_, re.begin());
    std::ranges::copy(x_im_, im.begin());
  }

 private:
  // P A = L U in place, by columns with partial pivoting; the diagonal becomes the reciprocals of the pivots.
  bool eliminate() {
    const int n = pattern_.size;
    std::iota(order_.begin(), order_.end(), 0);
    for (int k = 0; k < n; ++k) {
      const int rest = n - k - 1;
      Eigen::Index pivot = 0;
      const double square = (re_.col(k).tail(n - k).cwiseAbs2() + im_.col(k).tail(n - k).cwiseAbs2()).maxCoeff(&pivot);
      if (!(std::sqrt(square) > smallest_pivot * column_size_[k]) || !std::isfinite(square)) return false;
      if (pivot > 0) {
        re_.row(k).swap(re_.row(k + pivot));
        im_.row(k).swap(im_.row(k + pivot));
        std::swap(order_[k], order_[k + pivot]);
      }
      const Complex inverse = 1.0 / Complex(re_(k, k), im_(k, k));
      re_(k, k) = inverse.real();
      im_(k, k) = inverse.imag();
      for (int i = k + 1; i < n; ++i) {
        const double re = re_(i, k), im = im_(i, k);
        re_(i, k) = re * inverse.real() - im * inverse.imag();
        im_(i, k) = re * inverse.imag() + im * inverse.real();
      }
      const auto multipliers_re = re_.col(k).tail(rest), multipliers_im = im_.col(k).tail(rest);
      for (int j = k + 1; j < n; ++j) {
        const double re = re_(k, j), im = im_(k, j);
        if (re == 0.0 && im == 0.0) continue;
        re_.col(j).tail(rest) -= re * multipliers_re - im * multipliers_im;
        im_.col(j).tail(rest) -= re * multipliers_im + im * multipliers_re;
      }
    }
    return true;
  }

  Complex inverse_pivot(int k) const { return {re_(k, k), im_(k, k)}; }

  // Unknown k has its value: its column, from `first` on, goes to the right.
  void subtract_column(int k, int first, int count) const {
    const double re = x_re_[k], im = x_im_[k];
    if (re == 0.0 && im == 0.0) return;
    const auto column_re = re_.col(k).segment(first, count), column_im = im_.col(k).segment(first, count);
    x_re_.segment(first, count) -= re * column_re - im * column_im;
    x_im_.segment(first, count) -= re * column_im + im * column_re;
  }

  Pattern pattern_;
  Eigen::MatrixXd re_, im_;  // then the factors
  Eigen::VectorXd scale_, column_size_;
  mutable Eigen::VectorXd x_re_, x_im_;
  std::vector<int> order_;  // of the rows
};

class ComplexSparse final : public ComplexFactorization {
 public:
  explicit ComplexSparse(const Pattern& pattern)
      : pattern_(pattern),
        row_size_(pattern.size),
        x_(pattern.size),
        residual_(pattern.size),
        size_(pattern.size),
        pivots_(pattern.size) {
    klu_defaults(&common_);
    common_.scale = 2;     // by the largest entry of each row
    common_.tol = 0.1;     // an entry of the diagonal is preferred only if it is not much smaller
    common_.ordering = 1;  // by columns: after a change of states the diagonal is no good choice of pivots
    symbolic_ = klu_analyze(pattern_.size, pattern_.starts.data(), pattern_.rows.data(), &common_);
  }
  ~ComplexSparse() override {
    klu_z_free_numeric(&numeric_, &common_);
    klu_free_symbolic(&symbolic_, &common_);
  }
  ComplexSparse(const ComplexSparse&) = delete;
  ComplexSparse& operator=(const ComplexSparse&) = delete;

  bool factorize(std::span<const Complex> values) override {
    if (pattern_.size == 0) return true;
    if (!symbolic_ || !all_finite(values)) return false;
    if (numeric_ && reuse_pivots(values)) return true;
    klu_z_free_numeric(&numeric_, &common_);
    numeric_ = klu_z_factor(pattern_.starts.data(), pattern_.rows.data(), numbers(values), symbolic_, &common_);
    if (common_.status != KLU_OK) {
      klu_z_free_numeric(&numeric_, &common_);  // incomplete: nothing to refactorize next time
      return false;
    }
    fresh_error_ = error_of_trial(values);
    if (is_regular(values)) return true;
    klu_z_free_numeric(&numeric_, &common_);
    return false;
  }

  void solve(std::span<double> re, std::span<double> im) const override {
    for (int i = 0; i < pattern_.size; ++i) x_[i] = {re[i], im[i]};
    solve_for_x();
    for (int i = 0; i < pattern_.size; ++i) {
      re[i] = x_[i].real();
      im[i] = x_[i].imag();
    }
  }

 private:
  // Pivots are reused while they are as large as when they were last examined; else while they solve a system of
  // equations well, or hardly worse than when they were chosen.
  static constexpr double as_large = 0.01;
  static constexpr double small_error = 1e-9, hardly_worse = 2.0;

  // Complex numbers are arrays of two real ones (C++ standard, [complex.numbers]); KLU does not write into matrices.
  static double* numbers(std::span<const Complex> values) {
    return const_cast<double*>(reinterpret_cast<const double*>(values.data()));
  }

  void solve_for_x() const {
    if (pattern_.size == 0) return;
    klu_common common = common_;
    klu_z_solve(symbolic_, numeric_, pattern_.size, 1, numbers(x_), &common);
  }

  bool reuse_pivots(std::span<const Complex> values) {
    if (!klu_z_refactor(pattern_.starts.data(), pattern_.rows.data(), numbers(values), symbolic_, numeric_, &common_))
      return false;
    return pivots_are_large() ||
           (error_of_trial(values) <= std::max(small_error, hardly_worse * fresh_error_) && is_regular(values));
  }

  Complex pivot(int n) const {
    const auto* pivots = static_cast<const double*>(numeric_->Udiag);
    return {pivots[2 * n], pivots[2 * n + 1]};
  }

  bool pivots_are_large() const {
    for (int n = 0; n < pattern_.size; ++n)
      if (!(size_of(pivot(n)) >= as_large * pivots_[n])) return false;
    return true;
  }

  // The backward error, row by row, of a solution with the present factors; NaN if there is none.
  double error_of_trial(std::span<const Complex> values) {
    for (int i = 0; i < pattern_.size; ++i) residual_[i] = x_[i] = i % 2 == 0 ? 1.0 : -0.5;
    for (int i = 0; i < pattern_.size; ++i) size_[i] = size_of(residual_[i]);
    solve_for_x();
    for (int col = 0; col < pattern_.size; ++col)
      for (int k = pattern_.starts[col]; k < pattern_.starts[col + 1]; ++k) {
        const double ar = values[k].real(), ai = values[k].imag(), xr = x_[col].real(), xi = x_[col].imag();
        const Complex term(ar * xr - ai * xi, ar * xi + ai * xr);
        residual_[pattern_.rows[k]] -= term;
        size_[pattern_.rows[k]] += size_of(term);
      }
    double worst = 0.0;
    for (int i = 0; i < pattern_.size; ++i) {
      const double error = size_of(residual_[i]) / size_[i];
      if (!(error <= worst)) worst = error;
    }
    return worst;
  }

  // Examines the pivots.
  bool is_regular(std::span<const Complex> values) {
    std::ranges::fill(row_size_, 0.0);
    for (std::size_t k = 0; k < values.size(); ++k)
      row_size_[pattern_.rows[k]] = std::max(row_size_[pattern_.rows[k]], size_of(values[k]));
    for (int n = 0; n < pattern_.size; ++n) {
      const int col = symbolic_->Q[n];
      double size = 0.0;
      for (int k = pattern_.starts[col]; k < pattern_.starts[col + 1]; ++k)
        if (const double entry = size_of(values[k]); entry > 0.0)
          size = std::max(size, entry / row_size_[pattern_.rows[k]]);
      pivots_[n] = size_of(pivot(n));
      if (!(pivots_[n] > smallest_pivot * size)) return false;
    }
    return true;
  }

  Pattern pattern_;
  std::vector<double> row_size_;
  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
  mutable std::vector<Complex> x_;  // the right side, then the solution
  std::vector<Complex> residual_;   // of the trial
  std::vector<double> size_;
  std::vector<double> pivots_;  // their sizes when they were last examined
  double fresh_error_ = 0.0;
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
