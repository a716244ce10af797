#include "driftless/linear/front.hpp"

#include <algorithm>
#include <utility>

#include "driftless/linear/full_columns.hpp"
#include "driftless/linear/panel.hpp"

namespace driftless::linear {
namespace {

constexpr int together = 8;  // columns that are subtracted from another in one pass over it

template <int Planes>
DRIFTLESS_IN_CLONES void subtract_range(const Columns<Planes>& a, int first, int end, int j) {
  if (end - first == together) return subtract<together>(a, first, j);
  for (; end - first >= 4; first += 4) subtract<4>(a, first, j);
  for (; end - first >= 2; first += 2) subtract<2>(a, first, j);
  if (first < end) subtract<1>(a, first, j);
}

template <int Planes>
DRIFTLESS_IN_CLONES void swap_rows(const Columns<Planes>& a, int i, int k) {
  for (int p = 0; p < Planes; ++p)
    for (int j = 0; j < a.n; ++j) std::swap(a.column(p, j)[i], a.column(p, j)[k]);
}

template <int Planes>
DRIFTLESS_IN_CLONES void swap_columns(const Columns<Planes>& a, int j, int k) {
  for (int p = 0; p < Planes; ++p) std::swap_ranges(a.column(p, j), a.column(p, j) + a.n, a.column(p, k));
}

// Subtracts columns first, ..., end - 1 of L from columns `begin` and later.
DRIFTLESS_IN_CLONES void subtract_from_rest(const Columns<1>& a, int first, int end, int begin) {
  if (first < end) subtract_panel(a, first, end, begin);
}
DRIFTLESS_IN_CLONES void subtract_from_rest(const Columns<2>& a, int first, int end, int begin) {
  for (; first < end; first += together)
    for (int j = begin; j < a.n; ++j) subtract_range(a, first, std::min(first + together, end), j);
}

struct Lines {
  int *rows, *columns;
  const double* column_size;
};

// Moves the pivot of column k to its place; false if the column has none, and has to wait.
template <int Planes, class Pivots>
DRIFTLESS_IN_CLONES bool find_pivot(const Columns<Planes>& a, int k, int eligible, double threshold, Lines lines,
                                    Pivots& result) {
  int pivot = k;
  double size = size_in(a, k, k), largest = 0.0;
  for (int i = k + 1; i < eligible; ++i)
    if (const double entry = size_in(a, i, k); entry > size) size = entry, pivot = i;
  for (int i = eligible; i < a.n; ++i) largest = std::max(largest, size_in(a, i, k));
  if (!(size > 0.0 && size >= threshold * largest && is_finite(size) && is_finite(largest))) return false;
  result.ratio = std::min(result.ratio, size / lines.column_size[lines.columns[k]]);
  result.multiplier = std::max(result.multiplier, largest / size);
  if (pivot != k) {
    swap_rows(a, k, pivot);
    std::swap(lines.rows[k], lines.rows[pivot]);
  }
  return true;
}

// Columns [k, untried) have not been tried since a pivot was found, [untried, eligible) have.
template <int Planes, class Pivots>
DRIFTLESS_IN_CLONES Pivots eliminate_eligible(const Columns<Planes>& a, int eligible, double threshold, Lines lines) {
  Pivots result;
  int k = 0, untried = eligible;
  bool found = false;  // a pivot, since all columns were tried
  while (k < untried || (found && k < eligible)) {
    if (k == untried) untried = eligible, found = false;
    const int panel = k, end_of_panel = std::min(panel + widest_panel, untried);
    bool waits = false;
    while (k < end_of_panel && !waits) {
      const int first = k, end = std::min(first + together, end_of_panel);
      for (; k < end; ++k) {
        waits = !find_pivot(a, k, eligible, threshold, lines, result);
        if (waits) break;
        divide(a, k);
        for (int j = k + 1; j < end; ++j) subtract<1>(a, k, j);
        found = true;
      }
      for (int j = end; j < end_of_panel; ++j) subtract_range(a, first, k, j);
    }
    subtract_from_rest(a, panel, k, end_of_panel);
    if (waits && k < --untried) {
      swap_columns(a, k, untried);
      std::swap(lines.columns[k], lines.columns[untried]);
    }
  }
  result.count = k;
  return result;
}

using RealPivots = Front<double>::Pivots;
using ComplexPivots = Front<std::complex<double>>::Pivots;

DRIFTLESS_VECTOR_CLONES RealPivots eliminate_real(const Columns<1>& a, int eligible, double threshold, Lines lines) {
  return eliminate_eligible<1, RealPivots>(a, eligible, threshold, lines);
}
DRIFTLESS_VECTOR_CLONES ComplexPivots eliminate_complex(const Columns<2>& a, int eligible, double threshold,
                                                        Lines lines) {
  return eliminate_eligible<2, ComplexPivots>(a, eligible, threshold, lines);
}

}  // namespace

template <class Number>
void Front<Number>::reserve(int size) {
  const std::size_t needed = static_cast<std::size_t>(planes) * size * with_zeros(size);
  if (entries_.size() < needed) entries_.resize(needed);
}

template <class Number>
void Front<Number>::reset(int size) {
  reserve(size);
  n_ = size;
  stride_ = with_zeros(size);
  std::fill_n(entries_.begin(), static_cast<std::size_t>(planes) * n_ * stride_, 0.0);
}

template <>
void Front<double>::add(int row, int col, double value) {
  column(0, col)[row] += value;
}
template <>
void Front<std::complex<double>>::add(int row, int col, std::complex<double> value) {
  column(0, col)[row] += value.real();
  column(1, col)[row] += value.imag();
}

template <>
double Front<double>::at(int row, int col) const {
  return column(0, col)[row];
}
template <>
std::complex<double> Front<std::complex<double>>::at(int row, int col) const {
  return {column(0, col)[row], column(1, col)[row]};
}

template <class Number>
typename Front<Number>::Pivots Front<Number>::eliminate(int eligible, double threshold, int* rows, int* columns,
                                                        const double* column_size) {
  if constexpr (planes == 1)
    return eliminate_real({n_, stride_, {column(0, 0)}}, eligible, threshold, {rows, columns, column_size});
  else
    return eliminate_complex({n_, stride_, {column(0, 0), column(1, 0)}}, eligible, threshold,
                             {rows, columns, column_size});
}

template class Front<double>;
template class Front<std::complex<double>>;

}  // namespace driftless::linear
