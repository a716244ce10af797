#include "driftless/taylor/inverse.hpp"

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
  DRIFTLESS_IN_CLONES void multiply(double* row, const double* factors) const {
    for (int w = 0; w < vectors; ++w) vector_at(row + w * lanes) *= vector_at(factors + w * lanes);
  }
  DRIFTLESS_IN_CLONES void multiply(double* row, double factor) const {
    for (int w = 0; w < vectors; ++w) vector_at(row + w * lanes) *= factor;
  }
  DRIFTLESS_IN_CLONES void swap(double* row, double* other) const {
    for (int w = 0; w < vectors; ++w) {
      const Vector kept = vector_at(row + w * lanes);
      vector_at(row + w * lanes) = vector_at(other + w * lanes);
      vector_at(other + w * lanes) = kept;
    }
  }
  // No number is written into a row between two vector operations: the second would wait for it to reach the cache.
  DRIFTLESS_IN_CLONES void normalize(double* row, int k) const {
    const double reciprocal = 1.0 / row[k];
    const double* others = all_but(k);
    for (int w = 0; w < vectors; ++w) {
      const Vector& other = vector_at(others + w * lanes);
      vector_at(row + w * lanes) = (vector_at(row + w * lanes) * other + (1.0 - other)) * reciprocal;
    }
  }
  DRIFTLESS_IN_CLONES void eliminate(double* row, int k, const double* pivot) const {
    const double factor = row[k];
    const double* others = all_but(k);
    for (int w = 0; w < vectors; ++w) {
      Vector& to = vector_at(row + w * lanes);
      to = to * vector_at(others + w * lanes) - factor * vector_at(pivot + w * lanes);
    }
  }

  // 1 everywhere but at k.
  static DRIFTLESS_IN_CLONES const double* all_but(int k) { return ones.values + longest - k; }

  static constexpr int longest = vectors * lanes;
  struct Ones {
    double values[2 * longest];
    constexpr Ones() : values{} {
      for (int j = 0; j < 2 * longest; ++j) values[j] = j == longest ? 0.0 : 1.0;
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
