#include "driftless/linear/dense_lu.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "driftless/linear/full_columns.hpp"
#include "driftless/linear/number.hpp"
#include "driftless/linear/vectors.hpp"

namespace driftless::linear {
namespace {

using Complex = std::complex<double>;

constexpr int together = 4;  // columns that are subtracted from another in one pass over it

template <int Planes>
DRIFTLESS_IN_CLONES double eliminate_by_columns(const Columns<Planes>& a, int* order, const double* column_size) {
  const int n = a.n;
  double ratio = 1.0;
  for (int first = 0; first < n; first += together) {
    const int end = std::min(first + together, n);
    for (int k = first; k < end; ++k) {
      int pivot = k;
      double size = size_in(a, k, k);
      for (int i = k + 1; i < n; ++i)
        if (const double entry = size_in(a, i, k); entry > size) size = entry, pivot = i;
      if (!(size > 0.0) || !is_finite(size)) return 0.0;
      ratio = std::min(ratio, size / column_size[k]);
      if (pivot != k) {
        for (int p = 0; p < Planes; ++p)
          for (int j = 0; j < n; ++j) std::swap(a.column(p, j)[k], a.column(p, j)[pivot]);
        std::swap(order[k], order[pivot]);
      }
      divide(a, k);
      for (int j = k + 1; j < end; ++j) subtract<1>(a, k, j);
    }
    for (int j = end; j < n; ++j) subtract<together>(a, first, j);
  }
  return ratio;
}

DRIFTLESS_VECTOR_CLONES double eliminate_real(const Columns<1>& a, int* order, const double* column_size) {
  return eliminate_by_columns(a, order, column_size);
}
DRIFTLESS_VECTOR_CLONES double eliminate_complex(const Columns<2>& a, int* order, const double* column_size) {
  return eliminate_by_columns(a, order, column_size);
}

// ---- L and U solved for, the right side in registers where it fits

using Mask = long __attribute__((vector_size(lanes * sizeof(long))));

// Of the lanes of a column: those of rows below the k-th of them, and those above it.
template <class Keeps>
constexpr std::array<Mask, lanes> masks(Keeps keeps) {
  std::array<Mask, lanes> result{};
  for (int k = 0; k < lanes; ++k)
    for (int i = 0; i < lanes; ++i) result[k][i] = keeps(i, k) ? -1 : 0;
  return result;
}
const std::array below = masks([](int i, int k) { return i > k; });
const std::array above = masks([](int i, int k) { return i < k; });

DRIFTLESS_IN_CLONES void keep(const Mask& mask, Vector& value) {
  value = reinterpret_cast<Vector>(reinterpret_cast<Mask>(value) & mask);
}

// For this many blocks of lanes, the last of which is not empty. Values read beyond a column are never used.
template <int Blocks>
DRIFTLESS_IN_CLONES void substitute_in_registers(int n, int stride, const double* a, double* x) {
  Vector value[Blocks];
  for (int b = 0; b < Blocks; ++b) value[b] = vector_at(x + b * lanes);
#pragma GCC unroll 16
  for (int k = 0; k < Blocks * lanes; ++k) {
    if (k >= n) break;
    const int block = k / lanes, lane = k % lanes;
    const double* const column = a + k * stride;
    const double factor = value[block][lane];
    Vector part = vector_at(column + block * lanes);
    keep(below[lane], part);
    value[block] -= factor * part;
    for (int b = block + 1; b < Blocks; ++b) value[b] -= factor * vector_at(column + b * lanes);
  }
#pragma GCC unroll 16
  for (int k = Blocks * lanes - 1; k >= 0; --k) {
    if (k >= n) continue;
    const int block = k / lanes, lane = k % lanes;
    const double* const column = a + k * stride;
    const double factor = value[block][lane] * column[k];
    value[block][lane] = factor;
    Vector part = vector_at(column + block * lanes);
    keep(above[lane], part);
    value[block] -= factor * part;
    for (int b = 0; b < block; ++b) value[b] -= factor * vector_at(column + b * lanes);
  }
  for (int b = 0; b < Blocks; ++b) vector_at(x + b * lanes) = value[b];
}

template <int Blocks>
DRIFTLESS_IN_CLONES void substitute_in_registers(int n, int stride, const double* re, const double* im, double* x,
                                                 double* y) {
  Vector real[Blocks], imaginary[Blocks];
  for (int b = 0; b < Blocks; ++b) real[b] = vector_at(x + b * lanes), imaginary[b] = vector_at(y + b * lanes);
#pragma GCC unroll 8
  for (int k = 0; k < Blocks * lanes; ++k) {
    if (k >= n) break;
    const int block = k / lanes, lane = k % lanes;
    const double u = real[block][lane], v = imaginary[block][lane];
    for (int b = block; b < Blocks; ++b) {
      Vector s = vector_at(re + k * stride + b * lanes), t = vector_at(im + k * stride + b * lanes);
      if (b == block) keep(below[lane], s), keep(below[lane], t);
      real[b] -= u * s - v * t;
      imaginary[b] -= u * t + v * s;
    }
  }
#pragma GCC unroll 8
  for (int k = Blocks * lanes - 1; k >= 0; --k) {
    if (k >= n) continue;
    const int block = k / lanes, lane = k % lanes;
    const double p = re[k * stride + k], q = im[k * stride + k];
    const double u = real[block][lane] * p - imaginary[block][lane] * q;
    const double v = real[block][lane] * q + imaginary[block][lane] * p;
    real[block][lane] = u, imaginary[block][lane] = v;
    for (int b = 0; b <= block; ++b) {
      Vector s = vector_at(re + k * stride + b * lanes), t = vector_at(im + k * stride + b * lanes);
      if (b == block) keep(above[lane], s), keep(above[lane], t);
      real[b] -= u * s - v * t;
      imaginary[b] -= u * t + v * s;
    }
  }
  for (int b = 0; b < Blocks; ++b) vector_at(x + b * lanes) = real[b], vector_at(y + b * lanes) = imaginary[b];
}

// Only entries above the pivot may be used of columns of U: their last lanes are handled one by one.
DRIFTLESS_VECTOR_CLONES void substitute(int n, int stride, const double* a, double* x) {
  if (n == 0) return;
  if (n <= lanes) return substitute_in_registers<1>(n, stride, a, x);
  if (n <= 2 * lanes) return substitute_in_registers<2>(n, stride, a, x);
  if (n <= 3 * lanes) return substitute_in_registers<3>(n, stride, a, x);
  if (n <= 4 * lanes) return substitute_in_registers<4>(n, stride, a, x);
  for (int k = 0; k < n; ++k) {
    const double value = x[k];
    if (value == 0.0) continue;
    const double* const column = a + k * stride;
    for (int i = k + 1; i < n; i += lanes) vector_at(x + i) -= value * vector_at(column + i);
  }
  for (int k = n - 1; k >= 0; --k) {
    const double* const column = a + k * stride;
    const double value = x[k] *= column[k];
    if (value == 0.0) continue;
    int i = 0;
    for (; i + lanes <= k; i += lanes) vector_at(x + i) -= value * vector_at(column + i);
    for (; i < k; ++i) x[i] -= value * column[i];
  }
}

DRIFTLESS_VECTOR_CLONES
void substitute(int n, int stride, const double* re, const double* im, double* x, double* y) {
  if (n == 0) return;
  if (n <= lanes) return substitute_in_registers<1>(n, stride, re, im, x, y);
  if (n <= 2 * lanes) return substitute_in_registers<2>(n, stride, re, im, x, y);
  for (int k = 0; k < n; ++k) {
    const double u = x[k], v = y[k], *const s = re + k * stride, *const t = im + k * stride;
    for (int i = k + 1; i < n; i += lanes) {
      const Vector a = vector_at(s + i), b = vector_at(t + i);
      vector_at(x + i) -= (u * a - v * b);
      vector_at(y + i) -= (u * b + v * a);
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    const double *const s = re + k * stride, *const t = im + k * stride;
    const double u = x[k] * s[k] - y[k] * t[k], v = x[k] * t[k] + y[k] * s[k];
    x[k] = u, y[k] = v;
    int i = 0;
    for (; i + lanes <= k; i += lanes) {
      const Vector a = vector_at(s + i), b = vector_at(t + i);
      vector_at(x + i) -= (u * a - v * b);
      vector_at(y + i) -= (u * b + v * a);
    }
    for (; i < k; ++i) {
      x[i] -= u * s[i] - v * t[i];
      y[i] -= u * t[i] + v * s[i];
    }
  }
}

}  // namespace

template <class Number>
DenseLu<Number>::DenseLu(int size)
    : n_(size),
      stride_(with_zeros(size)),
      entries_(static_cast<std::size_t>(planes) * size * stride_),
      order_(size),
      place_(size),
      x_(planes * stride_) {
  std::iota(order_.begin(), order_.end(), 0);
  std::iota(place_.begin(), place_.end(), 0);
}

template <class Number>
void DenseLu<Number>::clear() {
  std::ranges::fill(entries_, 0.0);
}

template <>
void DenseLu<double>::set(int row, int col, double value) {
  plane(0)[col * stride_ + place_[row]] = value;
}
template <>
void DenseLu<Complex>::set(int row, int col, Complex value) {
  const int at = col * stride_ + place_[row];
  plane(0)[at] = value.real();
  plane(1)[at] = value.imag();
}

template <>
void DenseLu<double>::set_column(int col, const double* values) {
  double* const column = plane(0) + col * stride_;
  for (int k = 0; k < n_; ++k) column[k] = values[order_[k]];
}
template <>
void DenseLu<Complex>::set_column(int col, const Complex* values) {
  double *const re = plane(0) + col * stride_, *const im = plane(1) + col * stride_;
  for (int k = 0; k < n_; ++k) {
    const Complex value = values[order_[k]];
    re[k] = value.real(), im[k] = value.imag();
  }
}

template <class Number>
double DenseLu<Number>::eliminate(std::span<const double> column_size) {
  double ratio;
  if constexpr (planes == 1)
    ratio = eliminate_real({n_, stride_, {plane(0)}}, order_.data(), column_size.data());
  else
    ratio = eliminate_complex({n_, stride_, {plane(0), plane(1)}}, order_.data(), column_size.data());
  for (int k = 0; k < n_; ++k) place_[order_[k]] = k;
  return ratio;
}

template <>
void DenseLu<double>::solve(double* x) const {
  for (int k = 0; k < n_; ++k) x_[k] = x[order_[k]];
  substitute(n_, stride_, plane(0), x_.data());
  std::copy_n(x_.begin(), n_, x);
}
template <>
void DenseLu<Complex>::solve(Complex* x) const {
  double *const re = x_.data(), *const im = re + stride_;
  for (int k = 0; k < n_; ++k) re[k] = x[order_[k]].real(), im[k] = x[order_[k]].imag();
  substitute(n_, stride_, plane(0), plane(1), re, im);
  for (int k = 0; k < n_; ++k) x[k] = {re[k], im[k]};
}

// U^T and L^T: the columns are rows now, and the sums are inner products.
template <class Number>
void DenseLu<Number>::solve_transposed(Number* x) const requires std::same_as<Number, double> {
  for (int k = 0; k < n_; ++k) {
    const double* const column = plane(0) + k * stride_;
    double sum = x[k];
    for (int i = 0; i < k; ++i) sum -= column[i] * x[i];
    x[k] = sum * column[k];
  }
  for (int k = n_ - 1; k >= 0; --k) {
    const double* const column = plane(0) + k * stride_;
    for (int i = k + 1; i < n_; ++i) x[k] -= column[i] * x[i];
  }
  for (int k = 0; k < n_; ++k) x_[order_[k]] = x[k];
  std::copy_n(x_.begin(), n_, x);
}

template <class Number>
void DenseLu<Number>::archive(Archive& archive) {
  archive.expect(n_, "size of a matrix");
  archive(entries_, order_, place_);
}

template class DenseLu<double>;
template class DenseLu<Complex>;

}  // namespace driftless::linear
