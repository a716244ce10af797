#include "driftless/taylor/inverse.hpp"

#include <bit>
#include <cstdint>

namespace driftless::taylor {
namespace {

// Rows of a known number of vectors.
template <int vectors>
struct VectorLoops {
  static DRIFTLESS_IN_CLONES void enlarge(Vector& largest, const Vector& a) {
    const Vector size = a < 0.0 ? -a : a;
    largest = largest < size ? size : largest;
  }
  DRIFTLESS_IN_CLONES void enlarge(double* largest, const double* row) const {
    for (int w = 0; w < vectors; ++w) enlarge(vector_at(largest + w * lanes), vector_at(row + w * lanes));
  }
  DRIFTLESS_IN_CLONES double largest(const double* row) const {
    Vector all{};
    for (int w = 0; w < vectors; ++w) enlarge(all, vector_at(row + w * lanes));
    return std::max(std::max(all[0], all[1]), std::max(all[2], all[3]));
  }
  DRIFTLESS_IN_CLONES void multiply_each(double* row, const double* factors) const {
    for (int w = 0; w < vectors; ++w) vector_at(row + w * lanes) *= vector_at(factors + w * lanes);
  }
  DRIFTLESS_IN_CLONES void multiply(const double* row, double factor, double* result) const {
    for (int w = 0; w < vectors; ++w) vector_at(result + w * lanes) = factor * vector_at(row + w * lanes);
  }
  DRIFTLESS_IN_CLONES void swap(double* row, double* other) const {
    for (int w = 0; w < vectors; ++w) {
      const Vector kept = vector_at(row + w * lanes);
      vector_at(row + w * lanes) = vector_at(other + w * lanes);
      vector_at(other + w * lanes) = kept;
    }
  }
  // Absolute values are ordered like their bits, of which the last five are replaced by the row number: so the largest
  // and its row are found without branches and without waiting for comparisons.
  DRIFTLESS_IN_CLONES int pivot(const Matrix<double>& m, int k) const {
    static_assert(vectors * lanes <= 32);
    std::uint64_t best = 0;
    for (int i = k; i < m.size; ++i) {
      const std::uint64_t bits = std::bit_cast<std::uint64_t>(m.row(i)[k]) & 0x7FFFFFFFFFFFFFE0;
      best = std::max(best, bits | static_cast<std::uint64_t>(i));
    }
    return static_cast<int>(best & 31);
  }

  // No single number is written into a row between two vector operations, because the second would wait for it to reach
  // the cache. So in column k, where 0 - f q is needed, f - f (1 + q) is computed; q is the reciprocal of a pivot that
  // is hardly ever larger than 1, and loses nothing in the sum.
  DRIFTLESS_IN_CLONES void eliminate(const Matrix<double>& m, int k) const {
    const double reciprocal = 1.0 / m.row(k)[k];
    const double* others = ones.values + vectors * lanes - k;  // 1 everywhere but at k
    Vector pivot[vectors], subtracted[vectors];
    for (int w = 0; w < vectors; ++w) {
      const Vector other = vector_at(others + w * lanes), at_k = 1.0 - other;
      pivot[w] = (vector_at(m.row(k) + w * lanes) * other + at_k) * reciprocal;
      subtracted[w] = pivot[w] + at_k;
    }
    for (int i = 0; i < m.size; ++i) {  // row k too, to be written afterwards
      double* row = m.row(i);
      const double factor = row[k];
      for (int w = 0; w < vectors; ++w) vector_at(row + w * lanes) -= factor * subtracted[w];
    }
    for (int w = 0; w < vectors; ++w) vector_at(m.row(k) + w * lanes) = pivot[w];
  }

  struct Ones {
    double values[2 * vectors * lanes];
    constexpr Ones() : values{} {
      for (double& value : values) value = 1.0;
      values[vectors * lanes] = 0.0;
    }
  };
  static constexpr Ones ones{};
};

}  // namespace

DRIFTLESS_VECTOR_CLONES
bool invert(const Matrix<double>& matrix, const InverseWork<double>& work) {
  switch (matrix.width / lanes) {
    case 1: return invert_with(matrix, work, VectorLoops<1>{});
    case 2: return invert_with(matrix, work, VectorLoops<2>{});
    case 3: return invert_with(matrix, work, VectorLoops<3>{});
    case 4: return invert_with(matrix, work, VectorLoops<4>{});
    default: return invert_with(matrix, work, PlainLoops<double>{matrix.width});
  }
}

}  // namespace driftless::taylor
