#include "driftless/taylor/inverse.hpp"

namespace driftless::taylor {
namespace {

struct VectorLoops : PlainLoops<double> {
  static inline __attribute__((always_inline)) void multiply_row(double* row, double factor, int width) {
    for (int j = 0; j < width; j += lanes) vector_at(row + j) *= factor;
  }
  static inline __attribute__((always_inline)) void subtract_row(double* row, double factor, const double* other,
                                                                 int width) {
    for (int j = 0; j < width; j += lanes) vector_at(row + j) -= factor * vector_at(other + j);
  }
};

}  // namespace

DRIFTLESS_VECTOR_CLONES
bool invert(const Matrix<double>& matrix, const InverseWork<double>& work) {
  return invert_with<double, VectorLoops>(matrix, work);
}

}  // namespace driftless::taylor
