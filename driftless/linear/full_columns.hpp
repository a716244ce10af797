// Operations of Gaussian elimination on the columns of a full matrix, by whole vectors (vectors.hpp). A complex matrix
// is two real ones, of real and of imaginary parts.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>

#include "driftless/linear/number.hpp"
#include "driftless/linear/vectors.hpp"

namespace driftless::linear {

// Columns are followed by zeros, so that the loops over them take whole lanes.
inline int with_zeros(int n) { return n + lanes - 1; }

template <int Planes>
struct Columns {
  int n, stride;
  double* entries[Planes];

  DRIFTLESS_IN_CLONES double* column(int p, int j) const { return entries[p] + static_cast<std::size_t>(j) * stride; }
};

DRIFTLESS_IN_CLONES double size_in(const Columns<1>& a, int i, int j) { return std::abs(a.column(0, j)[i]); }
DRIFTLESS_IN_CLONES double size_in(const Columns<2>& a, int i, int j) {
  return std::max(std::abs(a.column(0, j)[i]), std::abs(a.column(1, j)[i]));
}

// Replaces the pivot by its reciprocal, and the entries below it by the multipliers of their rows.
DRIFTLESS_IN_CLONES void divide(const Columns<1>& a, int k) {
  double* const column = a.column(0, k);
  const double inverse = column[k] = 1.0 / column[k];
  for (int i = k + 1; i < a.n; i += lanes) vector_at(column + i) *= inverse;
}
DRIFTLESS_IN_CLONES void divide(const Columns<2>& a, int k) {
  double *const re = a.column(0, k), *const im = a.column(1, k);
  const std::complex<double> inverse = reciprocal(std::complex<double>(re[k], im[k]));
  const double u = re[k] = inverse.real(), v = im[k] = inverse.imag();
  for (int i = k + 1; i < a.n; i += lanes) {
    const Vector x = vector_at(re + i), y = vector_at(im + i);
    vector_at(re + i) = x * u - y * v;
    vector_at(im + i) = x * v + y * u;
  }
}

// Columns first, ..., first + Count - 1 of L are subtracted from column j, each times the entry of its row of U.
template <int Count>
DRIFTLESS_IN_CLONES void subtract(const Columns<1>& a, int first, int j) {
  double* const x = a.column(0, j);
  const double* l[Count];
  double factor[Count];
  for (int c = 0; c < Count; ++c) {
    l[c] = a.column(0, first + c);
    factor[c] = x[first + c];
    for (int b = 0; b < c; ++b) factor[c] -= factor[b] * l[b][first + c];
    x[first + c] = factor[c];
  }
  for (int i = first + Count; i < a.n; i += lanes) {
    Vector value = vector_at(x + i);
    for (int c = 0; c < Count; ++c) value -= factor[c] * vector_at(l[c] + i);
    vector_at(x + i) = value;
  }
}
template <int Count>
DRIFTLESS_IN_CLONES void subtract(const Columns<2>& a, int first, int j) {
  double *const x = a.column(0, j), *const y = a.column(1, j);
  const double *re[Count], *im[Count];
  double u[Count], v[Count];
  for (int c = 0; c < Count; ++c) {
    re[c] = a.column(0, first + c), im[c] = a.column(1, first + c);
    u[c] = x[first + c], v[c] = y[first + c];
    for (int b = 0; b < c; ++b) {
      const double s = re[b][first + c], t = im[b][first + c];
      u[c] -= u[b] * s - v[b] * t;
      v[c] -= u[b] * t + v[b] * s;
    }
    x[first + c] = u[c], y[first + c] = v[c];
  }
  for (int i = first + Count; i < a.n; i += lanes) {
    Vector real = vector_at(x + i), imaginary = vector_at(y + i);
    for (int c = 0; c < Count; ++c) {
      const Vector s = vector_at(re[c] + i), t = vector_at(im[c] + i);
      real -= u[c] * s - v[c] * t;
      imaginary -= u[c] * t + v[c] * s;
    }
    vector_at(x + i) = real;
    vector_at(y + i) = imaginary;
  }
}

}  // namespace driftless::linear
