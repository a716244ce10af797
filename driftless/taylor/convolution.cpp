#include "driftless/taylor/convolution.hpp"

#include "driftless/taylor/vector_clones.hpp"

namespace driftless::taylor {

DRIFTLESS_VECTOR_CLONES
void convolve(const double* left, const double* right, const Rows& rows, double* sums) {
  for (int l = 0; l < rows.width; l += 8) {
    const double* u = left + l;
    const double* v = right + l;
    Vector even{}, odd{};
    int i = 0;
    for (; i + 1 < rows.terms; i += 2) {
      even += vector_at(u) * vector_at(v);
      odd += vector_at(u + rows.stride) * vector_at(v - rows.stride);
      u += 2 * rows.stride;
      v -= 2 * rows.stride;
    }
    if (i < rows.terms) even += vector_at(u) * vector_at(v);
    vector_at(sums + l) = even + odd;
  }
}

}  // namespace driftless::taylor
