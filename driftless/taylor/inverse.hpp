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
  Scalar* row_scale;     // size
  Scalar* column_scale;  // width
  int* pivot;            // size
};

// False if the matrix is singular to working precision or holds values that are not finite.
bool invert(const Matrix<double>& matrix, const InverseWork<double>& work);

// What both versions do, for the loops over rows that they bring along.
template <class Scalar, class Loops>
inline __attribute__((always_inline)) bool invert_with(const Matrix<Scalar>& m, const InverseWork<Scalar>& work) {
  Loops::largest_of_columns(m, work.column_scale);
  for (int j = 0; j < m.size; ++j) {
    if (!(work.column_scale[j] > Scalar(0)) || !is_finite(work.column_scale[j])) return false;
    work.column_scale[j] = Scalar(1) / work.column_scale[j];
  }
  for (int j = m.size; j < m.width; ++j) work.column_scale[j] = Scalar(0);
  for (int i = 0; i < m.size; ++i) {
    const Scalar largest = Loops::scale_row(m.row(i), work.column_scale, m.width);
    if (!(largest > Scalar(0)) || !is_finite(largest)) return false;
    work.row_scale[i] = Scalar(1) / largest;
    Loops::multiply_row(m.row(i), work.row_scale[i], m.width);
  }
  for (int k = 0; k < m.size; ++k) {
    int best = k;
    for (int i = k + 1; i < m.size; ++i)
      if (absolute(m.row(i)[k]) > absolute(m.row(best)[k])) best = i;
    if (!(absolute(m.row(best)[k]) > Scalar(m.size) * epsilon<Scalar>())) return false;
    work.pivot[k] = best;
    if (best != k) std::swap_ranges(m.row(k), m.row(k) + m.width, m.row(best));
    const Scalar reciprocal = Scalar(1) / m.row(k)[k];
    m.row(k)[k] = Scalar(1);
    Loops::multiply_row(m.row(k), reciprocal, m.width);
    for (int i = 0; i < m.size; ++i) {
      const Scalar factor = m.row(i)[k];
      if (i == k || factor == Scalar(0)) continue;
      m.row(i)[k] = Scalar(0);
      Loops::subtract_row(m.row(i), factor, m.row(k), m.width);
    }
  }
  for (int k = m.size - 1; k >= 0; --k)
    if (work.pivot[k] != k)
      for (int i = 0; i < m.size; ++i) std::swap(m.row(i)[k], m.row(i)[work.pivot[k]]);
  for (int i = 0; i < m.size; ++i)  // (R A C)^-1 = C^-1 A^-1 R^-1
    for (int j = 0; j < m.size; ++j) m.row(i)[j] *= work.column_scale[i] * work.row_scale[j];
  return true;
}

template <class Scalar>
struct PlainLoops {
  static void largest_of_columns(const Matrix<Scalar>& m, Scalar* largest) {
    std::fill(largest, largest + m.width, Scalar(0));
    for (int i = 0; i < m.size; ++i)
      for (int j = 0; j < m.size; ++j)
        if (!(absolute(m.row(i)[j]) <= largest[j])) largest[j] = absolute(m.row(i)[j]);
  }
  static Scalar scale_row(Scalar* row, const Scalar* scale, int width) {
    Scalar largest(0);
    for (int j = 0; j < width; ++j) {
      row[j] *= scale[j];
      if (!(absolute(row[j]) <= largest)) largest = absolute(row[j]);
    }
    return largest;
  }
  static void multiply_row(Scalar* row, Scalar factor, int width) {
    for (int j = 0; j < width; ++j) row[j] *= factor;
  }
  static void subtract_row(Scalar* row, Scalar factor, const Scalar* other, int width) {
    for (int j = 0; j < width; ++j) row[j] -= factor * other[j];
  }
};

template <class Scalar>
bool invert(const Matrix<Scalar>& matrix, const InverseWork<Scalar>& work) {
  return invert_with<Scalar, PlainLoops<Scalar>>(matrix, work);
}

}  // namespace driftless::taylor
