// Solving A x = b with a small matrix in any floating-point type, or with a large one in double precision.
//
// Small: columns and rows scaled by their largest entries, Gaussian elimination with partial pivoting, and then the
// inverse itself, since one matrix meets as many right-hand sides as the series has orders. Large:
// linear/factorization.hpp.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "driftless/linear/factorization.hpp"
#include "driftless/taylor/arithmetic.hpp"

namespace driftless::taylor {

template <class Scalar>
class SquareSolver {
 public:
  static constexpr int small = 24;

  // `values` of factorize() belong to these coordinates, one by one; equal coordinates are added.
  SquareSolver(int size, std::span<const linear::Coordinate> coordinates)
      : size_(size), coordinates_(coordinates.begin(), coordinates.end()), x_(size) {
    if (std::is_same_v<Scalar, double> && size > small) {
      assembly_ = linear::assemble(size, coordinates);
      sparse_ = linear::make_factorization(assembly_.pattern);
      values_.resize(assembly_.pattern.rows.size());
    } else {
      lu_.resize(size * size), inverse_.resize(size * size), pivot_.resize(size);
      scale_.resize(size), column_scale_.resize(size);
    }
  }

  int size() const { return size_; }

  // False if the matrix is singular to working precision or holds values that are not finite.
  bool factorize(std::span<const Scalar> values) {
    if (sparse_) return factorize_sparse(values);
    std::fill(lu_.begin(), lu_.end(), Scalar(0));
    for (std::size_t e = 0; e < coordinates_.size(); ++e)
      lu_[coordinates_[e].row * size_ + coordinates_[e].col] += values[e];
    return eliminate() && (invert(), true);
  }

  // b becomes x.
  void solve(Scalar* b) {
    if (sparse_) return solve_sparse(b);
    for (int i = 0; i < size_; ++i) x_[i] = Scalar(0);
    for (int j = 0; j < size_; ++j) {
      const Scalar bj = b[j];
      const Scalar* column = inverse_.data() + j * size_;
      for (int i = 0; i < size_; ++i) x_[i] += column[i] * bj;
    }
    std::copy(x_.begin(), x_.end(), b);
  }

 private:
  bool factorize_sparse(std::span<const Scalar> values) {
    if constexpr (std::is_same_v<Scalar, double>) {
      std::fill(values_.begin(), values_.end(), 0.0);
      for (std::size_t e = 0; e < values.size(); ++e) values_[assembly_.position[e]] += values[e];
      return sparse_->factorize(values_);
    }
    return false;
  }

  void solve_sparse(Scalar* b) {
    if constexpr (std::is_same_v<Scalar, double>) sparse_->solve({b, static_cast<std::size_t>(size_)});
  }

  // L U = P R A C with the scales R of the rows and C of the columns.
  bool eliminate() {
    const int n = size_;
    for (int j = 0; j < n; ++j) {
      Scalar largest(0);
      for (int i = 0; i < n; ++i) largest = std::max(largest, absolute(lu_[i * n + j]));
      if (!(largest > Scalar(0)) || !is_finite(largest)) return false;
      column_scale_[j] = Scalar(1) / largest;
    }
    for (int i = 0; i < n; ++i) {
      Scalar largest(0);
      for (int j = 0; j < n; ++j) largest = std::max(largest, absolute(lu_[i * n + j] *= column_scale_[j]));
      if (!(largest > Scalar(0)) || !is_finite(largest)) return false;
      scale_[i] = Scalar(1) / largest;
      for (int j = 0; j < n; ++j) lu_[i * n + j] *= scale_[i];
      pivot_[i] = i;
    }
    for (int k = 0; k < n; ++k) {
      int best = k;
      for (int i = k + 1; i < n; ++i)
        if (absolute(lu_[i * n + k]) > absolute(lu_[best * n + k])) best = i;
      if (!(absolute(lu_[best * n + k]) > Scalar(n) * epsilon<Scalar>())) return false;
      if (best != k) {
        std::swap_ranges(lu_.begin() + k * n, lu_.begin() + (k + 1) * n, lu_.begin() + best * n);
        std::swap(pivot_[k], pivot_[best]);
      }
      const Scalar reciprocal = Scalar(1) / lu_[k * n + k];
      for (int i = k + 1; i < n; ++i) {
        const Scalar factor = lu_[i * n + k] * reciprocal;
        lu_[i * n + k] = factor;
        if (factor == Scalar(0)) continue;
        for (int j = k + 1; j < n; ++j) lu_[i * n + j] -= factor * lu_[k * n + j];
      }
    }
    return true;
  }

  // Column by column: A^-1 e_j = C U^-1 L^-1 P R e_j.
  void invert() {
    const int n = size_;
    for (int k = 0; k < n; ++k) {
      Scalar* x = inverse_.data() + pivot_[k] * n;  // row pivot_[k] of A stands at place k of P R A
      for (int i = 0; i < k; ++i) x[i] = Scalar(0);
      x[k] = scale_[pivot_[k]];
      for (int i = k + 1; i < n; ++i) {
        Scalar sum(0);
        for (int j = k; j < i; ++j) sum -= lu_[i * n + j] * x[j];
        x[i] = sum;
      }
      for (int i = n - 1; i >= 0; --i) {
        Scalar sum = x[i];
        for (int j = i + 1; j < n; ++j) sum -= lu_[i * n + j] * x[j];
        x[i] = sum / lu_[i * n + i];
      }
      for (int i = 0; i < n; ++i) x[i] *= column_scale_[i];
    }
  }

  int size_;
  std::vector<linear::Coordinate> coordinates_;
  std::vector<Scalar> lu_, inverse_, scale_, column_scale_, x_;
  std::vector<int> pivot_;
  linear::Assembly assembly_;
  std::unique_ptr<linear::Factorization> sparse_;
  std::vector<double> values_;
};

}  // namespace driftless::taylor
