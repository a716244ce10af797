// Solving A x = b with a small matrix in any floating-point type, or with a large one in double precision.
//
// Small: the inverse itself, since one matrix is used for as many right-hand sides as the series has orders. Large:
// linear/factorization.hpp.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "driftless/linear/factorization.hpp"
#include "driftless/taylor/arithmetic.hpp"
#include "driftless/taylor/convolution.hpp"
#include "driftless/taylor/inverse.hpp"

namespace driftless::taylor {

template <class Scalar>
class SquareSolver {
 public:
  static constexpr int small = 24;
  static constexpr int tiny = 3;  // size up to which a function call costs more than the products

  // `values` of factorize() belong to these coordinates, one by one; equal coordinates are added.
  SquareSolver(int size, std::span<const linear::Coordinate> coordinates)
      : size_(size),
        height_(whole_vectors(size)),
        coordinates_(coordinates.begin(), coordinates.end()),
        ones_(height_, Scalar(1)) {
    if (std::is_same_v<Scalar, double> && size > small) {
      assembly_ = linear::assemble(size, coordinates);
      sparse_ = linear::make_factorization(assembly_.pattern);
      values_.resize(assembly_.pattern.rows.size());
    } else {
      inverse_.resize(size * height_), row_scale_.resize(height_), column_scale_.resize(height_), row_.resize(height_);
      origin_.resize(size), place_.resize(size);
    }
  }

  int size() const { return size_; }

  // False if the matrix is singular to working precision or holds values that are not finite.
  bool factorize(std::span<const Scalar> values) {
    if (sparse_) return factorize_sparse(values);
    std::fill(inverse_.begin(), inverse_.end(), Scalar(0));
    for (std::size_t e = 0; e < coordinates_.size(); ++e)
      inverse_[coordinates_[e].col * height_ + coordinates_[e].row] += values[e];
    if (size_ == 1) {
      inverse_[0] = Scalar(1) / inverse_[0];
      return is_finite(inverse_[0]) && inverse_[0] != Scalar(0);
    }
    return invert(Matrix<Scalar>{inverse_.data(), size_, height_},
                  {row_scale_.data(), column_scale_.data(), row_.data(), origin_.data(), place_.data()});
  }

  // An entry of A^-1, after factorize() of a matrix that is not too large for it.
  Scalar inverse(int row, int col) const { return inverse_[col * height_ + row]; }

  // x = A^-1 b; x has room for size() numbers, filled up to a multiple of `lanes`. b may be overwritten.
  void solve(Scalar* b, Scalar* x) { solve(b, {ones_.data(), ones_.data()}, x); }

  // The same between two diagonal matrices, x = right A^-1 left b; both filled up like x.
  void solve(Scalar* b, const Scales<Scalar>& scales, Scalar* x) {
    if (size_ <= tiny) return solve_tiny(b, scales, x);
    if (!sparse_) return multiply(inverse_.data(), size_, height_, scales, b, x);
    for (int i = 0; i < size_; ++i) b[i] *= scales.left[i];
    solve_sparse(b);
    for (int i = 0; i < size_; ++i) x[i] = scales.right[i] * b[i];
  }

  void archive(Archive& archive) {  // reads into one of the same pattern
    archive.expect(size_, "size of a matrix");
    if (sparse_)
      archive(*sparse_);
    else
      archive(inverse_);
  }
  // For one that factorizes before it solves again: archives only the order of the pivots.
  void archive_pivots(Archive& archive) {
    if (sparse_) archive(*sparse_);
  }

 private:
  void solve_tiny(const Scalar* b, const Scales<Scalar>& scales, Scalar* x) const {
    for (int i = 0; i < size_; ++i) {
      Scalar sum(0);
      for (int j = 0; j < size_; ++j) sum += inverse_[j * lanes + i] * (scales.left[j] * b[j]);
      x[i] = scales.right[i] * sum;
    }
  }

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

  int size_, height_;
  std::vector<linear::Coordinate> coordinates_;
  Numbers<Scalar> inverse_, row_scale_, column_scale_, row_, ones_;  // the inverse by columns
  std::vector<int> origin_, place_;
  linear::Assembly assembly_;
  std::unique_ptr<linear::Factorization> sparse_;
  std::vector<double> values_;
};

}  // namespace driftless::taylor
