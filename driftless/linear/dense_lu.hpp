// Gaussian elimination of a full matrix by columns, with partial pivoting: P A = L U in place of A.
//
// Its loops run over a column by whole vectors (vectors.hpp). They work component by component, so that the
// width changes no bit of the result. Complex matrices are two real ones, of real and of imaginary parts: the product
// of a column with a complex number is then a sum of products of real columns with real numbers.
#pragma once

#include <complex>
#include <concepts>
#include <span>
#include <vector>

#include "driftless/archive/archive.hpp"

namespace driftless::linear {

template <class Number>  // double or std::complex<double>
class DenseLu {
 public:
  explicit DenseLu(int size = 0);

  int size() const { return n_; }
  void clear();  // all entries become 0
  void set(int row, int col, Number value);
  void set_column(int col, const Number* values);

  // Returns the smallest pivot in units of the given size of its column, 0 if a pivot is missing.
  double eliminate(std::span<const double> column_size);
  void solve(Number* x) const;            // A x = b, b becomes x
  void solve_transposed(Number* x) const  // A^T x = b
      requires std::same_as<Number, double>;

  void archive(Archive& archive);  // reads into one of the same size

 private:
  static constexpr int planes = sizeof(Number) / sizeof(double);

  double* plane(int p) { return entries_.data() + static_cast<std::size_t>(p) * n_ * stride_; }
  const double* plane(int p) const { return entries_.data() + static_cast<std::size_t>(p) * n_ * stride_; }

  int n_, stride_;               // from one column to the next
  std::vector<double> entries_;  // plane by plane, each by columns; then the factors, U with its diagonal inverted
  std::vector<int> order_;       // of the rows: that of the last elimination, so that few rows must be exchanged
  std::vector<int> place_;       // of each row in it
  mutable std::vector<double> x_;
};

}  // namespace driftless::linear
