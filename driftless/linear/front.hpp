// Partial elimination of a full matrix, a front: pivots come from its first rows and columns, and the remainder of the
// others goes to another front.
#pragma once

#include <complex>
#include <span>
#include <vector>

namespace driftless::linear {

// A square matrix in memory that is reused for one front after the other.
template <class Number>  // double or std::complex<double>
class Front {
 public:
  static constexpr int planes = sizeof(Number) / sizeof(double);

  void reserve(int size);  // for fronts of up to this size
  void reset(int size);    // all entries become 0

  int size() const { return n_; }
  double* column(int plane, int j) {
    return entries_.data() + static_cast<std::size_t>(plane * n_ + j) * static_cast<std::size_t>(stride_);
  }
  const double* column(int plane, int j) const { return const_cast<Front*>(this)->column(plane, j); }
  void add(int row, int col, Number value);
  Number at(int row, int col) const;

  struct Pivots {
    int count = 0;            // how many were found; they have been moved to the front
    double ratio = 1.0;       // the smallest of them, in units of the size of its column
    double multiplier = 0.0;  // the largest
  };
  // Eliminates with pivots from the first `eligible` rows and columns. A pivot is the largest entry of its column among
  // the eligible rows, if it is at least `threshold` times as large as the largest in all rows; otherwise the column
  // has to wait. `rows` and `columns`, one number per line, are exchanged alike; `column_size` is indexed by these
  // numbers. On return the columns are those of L below the diagonal and of U above it, with the diagonal inverted.
  Pivots eliminate(int eligible, double threshold, int* rows, int* columns, const double* column_size);

 private:
  int n_ = 0, stride_ = 0;
  std::vector<double> entries_;  // plane by plane, each by columns
};

}  // namespace driftless::linear
