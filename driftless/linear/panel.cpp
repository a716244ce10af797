#include "driftless/linear/panel.hpp"

#include <algorithm>

namespace driftless::linear {
namespace {

constexpr int columns_together = 4, vectors_together = 2;
constexpr int columns_in_cache = 256;  // of U

template <int Lanes>
struct Vectors {
  typedef double type __attribute__((vector_size(Lanes * sizeof(double)), aligned(alignof(double)), may_alias));
};
template <int Lanes>
using VectorOf = typename Vectors<Lanes>::type;
template <int Lanes>
DRIFTLESS_IN_CLONES VectorOf<Lanes>& lanes_at(double* place) {
  return *reinterpret_cast<VectorOf<Lanes>*>(place);
}
template <int Lanes>
DRIFTLESS_IN_CLONES const VectorOf<Lanes>& lanes_at(const double* place) {
  return *reinterpret_cast<const VectorOf<Lanes>*>(place);
}

// Updates the rows of the panel itself in column j, which gives that column of U.
DRIFTLESS_IN_CLONES void find_upper(const Columns<1>& a, int first, int end, int j) {
  double* const x = a.column(0, j);
  for (int c = first; c < end; ++c) {
    const double factor = x[c];
    const double* const l = a.column(0, c);
    for (int i = c + 1; i < end; ++i) x[i] -= factor * l[i];
  }
}

// Count vectors of rows of Width columns. `lower` holds these rows of the panel, column after column.
template <int Lanes, int Count, int Width>
DRIFTLESS_IN_CLONES void subtract_tile(const double* lower, int depth, const Columns<1>& a, int first, int row,
                                       int column) {
  VectorOf<Lanes> sum[Width][Count];
  const double* upper[Width];
  for (int w = 0; w < Width; ++w) {
    upper[w] = a.column(0, column + w) + first;
    for (int v = 0; v < Count; ++v) sum[w][v] = lanes_at<Lanes>(a.column(0, column + w) + row + v * Lanes);
  }
  for (int c = 0; c < depth; ++c, lower += Count * Lanes)
    for (int w = 0; w < Width; ++w)
      for (int v = 0; v < Count; ++v) sum[w][v] -= upper[w][c] * lanes_at<Lanes>(lower + v * Lanes);
  for (int w = 0; w < Width; ++w)
    for (int v = 0; v < Count; ++v) lanes_at<Lanes>(a.column(0, column + w) + row + v * Lanes) = sum[w][v];
}

template <int Lanes, int Count>
DRIFTLESS_IN_CLONES void subtract_rows(const Columns<1>& a, int first, int end, int row, int begin, int behind) {
  constexpr int rows = Count * Lanes;
  double lower[widest_panel * rows];
  for (int c = first; c < end; ++c) std::copy_n(a.column(0, c) + row, rows, lower + (c - first) * rows);
  int j = begin;
  for (; j + columns_together <= behind; j += columns_together)
    subtract_tile<Lanes, Count, columns_together>(lower, end - first, a, first, row, j);
  for (; j < behind; ++j) subtract_tile<Lanes, Count, 1>(lower, end - first, a, first, row, j);
}

template <int Lanes>
DRIFTLESS_IN_CLONES void subtract_all(const Columns<1>& a, int first, int end, int begin) {
  for (; begin < a.n; begin += columns_in_cache) {
    const int behind = std::min(begin + columns_in_cache, a.n);
    for (int j = begin; j < behind; ++j) find_upper(a, first, end, j);
    int i = end;
    for (; i + vectors_together * Lanes <= a.n; i += vectors_together * Lanes)
      subtract_rows<Lanes, vectors_together>(a, first, end, i, begin, behind);
    for (; i < a.n; i += lanes) subtract_rows<lanes, 1>(a, first, end, i, begin, behind);
  }
}

#ifdef DRIFTLESS_WIDE_VECTORS
__attribute__((target("avx512f"))) void subtract_with_wide_vectors(const Columns<1>& a, int first, int end, int begin) {
  subtract_all<8>(a, first, end, begin);
}
#endif
DRIFTLESS_VECTOR_CLONES void subtract_with_vectors(const Columns<1>& a, int first, int end, int begin) {
  subtract_all<lanes>(a, first, end, begin);
}

}  // namespace

void subtract_panel(const Columns<1>& a, int first, int end, int begin) {
#ifdef DRIFTLESS_WIDE_VECTORS
  static const bool wide = __builtin_cpu_supports("avx512f");
  if (wide) return subtract_with_wide_vectors(a, first, end, begin);
#endif
  subtract_with_vectors(a, first, end, begin);
}

}  // namespace driftless::linear
