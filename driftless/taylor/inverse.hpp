// The inverse of a small matrix, in place: the Gauss-Jordan algorithm with partial pivoting, after columns and rows
// have been scaled by their largest entries. It may be stored by rows or by columns, as the inverse of the transpose is
// the transpose of the inverse.
#pragma once

#include <algorithm>

#include "driftless/taylor/arithmetic.hpp"
#include "driftless/taylor/whole_vectors.hpp"

namespace driftless::taylor {

template <class Scalar>
struct Matrix {
  Scalar* values;  // rows of `width` numbers, of which `size` are used and the rest are zeros
  int size, width;

  Scalar* row(int i) const { return values + static_cast<std::ptrdiff_t>(i) * width; }
};

template <class Scalar>
struct InverseWork {
  Scalar* row_scale;     // width
  Scalar* column_scale;  // width
  Scalar* row;           // width
  int* origin;           // size
  int* place;            // size
};

// False if the matrix is singular to working precision or holds values that are not finite.
bool invert(const Matrix<double>& matrix, const InverseWork<double>& work);

// The algorithm of both versions, with their loops over a row as argument.
template <class Scalar, class Loops>
DRIFTLESS_IN_CLONES bool invert_with(const Matrix<Scalar>& m, const InverseWork<Scalar>& work, const Loops& loops) {
  for (int j = 0; j < m.width; ++j) work.column_scale[j] = work.row_scale[j] = Scalar(0);
  for (int i = 0; i < m.size; ++i) loops.enlarge(work.column_scale, m.row(i));
  for (int j = 0; j < m.size; ++j) {
    if (!(work.column_scale[j] > Scalar(0)) || !is_finite(work.column_scale[j])) return false;
    work.column_scale[j] = Scalar(1) / work.column_scale[j];
  }
  for (int i = 0; i < m.size; ++i) {
    loops.multiply_each(m.row(i), work.column_scale);
    const Scalar largest = loops.largest(m.row(i));
    if (!(largest > Scalar(0)) || !is_finite(largest)) return false;
    work.row_scale[i] = Scalar(1) / largest;
    loops.multiply(m.row(i), work.row_scale[i], m.row(i));
    work.origin[i] = i;
  }
  for (int k = 0; k < m.size; ++k) {
    const int best = loops.pivot(m, k);
    if (!(absolute(m.row(best)[k]) > Scalar(m.size) * epsilon<Scalar>())) return false;
    loops.swap(m.row(k), m.row(best));
    std::swap(work.origin[k], work.origin[best]);
    loops.eliminate(m, k);
  }
  // With P the exchange of rows, A^-1 = C (P R A C)^-1 P R.
  for (int k = 0; k < m.size; ++k) work.place[work.origin[k]] = k;
  for (int i = 0; i < m.size; ++i) {
    loops.multiply(m.row(i), work.column_scale[i], work.row);
    for (int j = 0; j < m.size; ++j) m.row(i)[j] = work.row[work.place[j]] * work.row_scale[j];
  }
  return true;
}

template <class Scalar>
struct PlainLoops {
  int width;

  void enlarge(Scalar* largest, const Scalar* row) const {
    for (int j = 0; j < width; ++j) largest[j] = std::max(largest[j], absolute(row[j]));
  }
  Scalar largest(const Scalar* row) const {
    Scalar largest(0);
    for (int j = 0; j < width; ++j) largest = std::max(largest, absolute(row[j]));
    return largest;
  }
  void multiply_each(Scalar* row, const Scalar* factors) const {
    for (int j = 0; j < width; ++j) row[j] *= factors[j];
  }
  void multiply(const Scalar* row, Scalar factor, Scalar* result) const {
    for (int j = 0; j < width; ++j) result[j] = factor * row[j];
  }
  void swap(Scalar* row, Scalar* other) const {
    if (row != other) std::swap_ranges(row, row + width, other);
  }
  // The row from k on with the largest number in column k.
  int pivot(const Matrix<Scalar>& m, int k) const {
    int best = k;
    for (int i = k + 1; i < m.size; ++i)
      if (absolute(m.row(i)[k]) > absolute(m.row(best)[k])) best = i;
    return best;
  }
  // Column k, which becomes a unit vector, makes room for that column of the inverse.
  void eliminate(const Matrix<Scalar>& m, int k) const {
    const Scalar reciprocal = Scalar(1) / m.row(k)[k];
    m.row(k)[k] = Scalar(1);
    multiply(m.row(k), reciprocal, m.row(k));
    for (int i = 0; i < m.size; ++i) {
      if (i == k) continue;
      const Scalar factor = m.row(i)[k];
      m.row(i)[k] = Scalar(0);
      for (int j = 0; j < width; ++j) m.row(i)[j] -= factor * m.row(k)[j];
    }
  }
};

template <class Scalar>
bool invert(const Matrix<Scalar>& matrix, const InverseWork<Scalar>& work) {
  return invert_with(matrix, work, PlainLoops<Scalar>{matrix.width});
}

}  // namespace driftless::taylor
