#include "driftless/taylor/convolution.hpp"

#include "driftless/taylor/vector_clones.hpp"

namespace driftless::taylor {

DRIFTLESS_VECTOR_CLONES
void convolve(const double* left, const double* right, const Rows& rows, double* sums) {
  const std::ptrdiff_t stride = rows.stride;
  for (int l = 0; l < rows.width; l += lanes) {
    const double* u = left + l;
    const double* v = right + l;
    Vector even{}, odd{};  // two sums, since one would wait for itself
    int i = 0;
    for (; i + 1 < rows.terms; i += 2, u += 2 * stride, v -= 2 * stride) {
      even += vector_at(u) * vector_at(v);
      odd += vector_at(u + stride) * vector_at(v - stride);
    }
    if (i < rows.terms) even += vector_at(u) * vector_at(v);
    vector_at(sums + l) = even + odd;
  }
}

DRIFTLESS_VECTOR_CLONES
void multiply(const double* matrix, int columns, int height, const Scales<double>& scales, const double* x,
              double* result) {
  for (int l = 0; l < height; l += lanes) {
    const double* column = matrix + l;
    Vector even{}, odd{};
    int j = 0;
    for (; j + 1 < columns; j += 2, column += 2 * height) {
      even += vector_at(column) * (scales.left[j] * x[j]);
      odd += vector_at(column + height) * (scales.left[j + 1] * x[j + 1]);
    }
    if (j < columns) even += vector_at(column) * (scales.left[j] * x[j]);
    vector_at(result + l) = vector_at(scales.right + l) * (even + odd);
  }
}

}  // namespace driftless::taylor
