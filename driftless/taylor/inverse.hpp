// The inverse of a small matrix, in its own place: the Gauss-Jordan algorithm with partial pivoting, after columns and
// rows have been scaled by their largest entries. By rows or by columns is the same: the inverse of the transpose is
// the transpose of the inverse.
#pragma once

#include <algorithm>

#include "driftless/taylor/arithmetic.hpp"
#include "driftless/taylor/vector_clones.hpp"

namespace driftless::taylor {

template <class Scalar>
struct Matrix {
  Scalar* values;  // rows of `width` numbers, of which `size` count and the rest are zeros
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

// What both versions do, for the loops over a row that they bring along.
template <class Scalar, class Loops>
DRIFTLESS_IN_CLONES bool invert_with(const Matrix<Scalar>& m, const InverseWork<Scalar>& work, const Loops& loops) {
  for (int j = 0; j < m.width; ++j) work.column_scale[j] = work.row_scale[j] = Scalar(0);
  for (int i = 0; i < m.size; ++i) loops.enlarge(work.column_scale, m.row(i));
  for (int j = 0; j < m.size; ++j) {
    if (!(work.column_scale[j] > Scalar(0)) || !is_finite(work.column_scale[j])) return false;
    work.column_scale[j] = Scalar(1) / work.column_scale[j];
  }
  for (int i = 0; i < m.size; ++i) {
    loops.multiply(m.row(i), work.column_scale);
    const Scalar largest = loops.largest(m.row(i));
    if (!(largest > Scalar(0)) || !is_finite(largest)) return false;
    work.row_scale[i] = Scalar(1) / largest;
    loops.multiply(m.row(i), work.row_scale[i]);
    work.origin[i] = i;
  }
  for (int k = 0; k < m.size; ++k) {
    int best = k;
    Scalar largest = absolute(m.row(k)[k]);
    for (int i = k + 1; i < m.size; ++i) {
      const Scalar size = absolute(m.row(i)[k]);
      best = size > largest ? i : best;
      largest = size > largest ? size : largest;
    }
    if (!(largest > Scalar(m.size) * epsilon<Scalar>())) return false;
    loops.swap(m.row(k), m.row(best));
    std::swap(work.origin[k], work.origin[best]);
    loops.normalize(m.row(k), k);
    for (int i = 0; i < m.size; ++i)
      if (i != k) loops.eliminate(m.row(i), k, m.row(k));
  }
  // With P the exchange of rows, A^-1 = C (P R A C)^-1 P R.
  for (int k = 0; k < m.size; ++k) work.place[work.origin[k]] = k;
  for (int i = 0; i < m.size; ++i) {
    std::copy_n(m.row(i), m.width, work.row);
    for (int j = 0; j < m.size; ++j)
      m.row(i)[j] = work.column_scale[i] * work.row[work.place[j]] * work.row_scale[j];
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
  void multiply(Scalar* row, const Scalar* factors) const {
    for (int j = 0; j < width; ++j) row[j] *= factors[j];
  }
  void multiply(Scalar* row, Scalar factor) const {
    for (int j = 0; j < width; ++j) row[j] *= factor;
  }
  void swap(Scalar* row, Scalar* other) const {
    if (row != other) std::swap_ranges(row, row + width, other);
  }
  // Column k, which becomes a unit vector, makes room for that column of the inverse.
  void normalize(Scalar* row, int k) const {
    const Scalar reciprocal = Scalar(1) / row[k];
    row[k] = Scalar(1);
    multiply(row, reciprocal);
  }
  void eliminate(Scalar* row, int k, const Scalar* pivot) const {
    const Scalar factor = row[k];
    row[k] = Scalar(0);
    for (int j = 0; j < width; ++j) row[j] -= factor * pivot[j];
  }
};

template <class Scalar>
bool invert(const Matrix<Scalar>& matrix, const InverseWork<Scalar>& work) {
  return invert_with(matrix, work, PlainLoops<Scalar>{matrix.width});
}

}  // namespace driftless::taylor
