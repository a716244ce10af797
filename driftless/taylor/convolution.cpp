#include "driftless/taylor/convolution.hpp"

namespace driftless::taylor {
namespace {

// An addition has a latency of some cycles, in each of which two products may start: eight independent sums use the
// processor fully. With fewer vectors there are two sums for each; more would leave too many single terms.
constexpr int chains_for(int vectors) { return vectors >= 8 ? 1 : 2; }

// The first and the last term come last: their factors of the highest order have just been written one by one, and can
// be read as a vector only when all have reached the cache.
template <int vectors>
DRIFTLESS_IN_CLONES void convolve_vectors(const Strip<double>& s, std::ptrdiff_t stride, int l) {
  constexpr int chains = chains_for(vectors);
  const double* u = s.left + l;
  const double* v = s.right + l;
  Vector sum[chains][vectors] = {};
  const double* a = u + stride;
  const double* b = v - stride;
  int i = 1;
  for (; i + chains < s.terms; i += chains, a += chains * stride, b -= chains * stride)
    for (int c = 0; c < chains; ++c)
      for (int w = 0; w < vectors; ++w)
        sum[c][w] += vector_at(a + c * stride + w * lanes) * vector_at(b - c * stride + w * lanes);
  for (; i < s.terms; ++i, a += stride, b -= stride)
    for (int w = 0; w < vectors; ++w) sum[0][w] += vector_at(a + w * lanes) * vector_at(b + w * lanes);
  for (int w = 0; w < vectors; ++w) {
    for (int c = 1; c < chains; ++c) sum[0][w] += sum[c][w];
    vector_at(s.sums + l + w * lanes) = sum[0][w] + vector_at(u + w * lanes) * vector_at(v + w * lanes);
  }
}

template <int vectors>
DRIFTLESS_IN_CLONES void multiply_vectors(const double* matrix, int columns, int height, const Scales<double>& scales,
                                          const double* x, double* result) {
  Vector even[vectors] = {}, odd[vectors] = {};
  int j = 0;
  for (; j + 1 < columns; j += 2, matrix += 2 * height) {
    const double first = scales.left[j] * x[j], second = scales.left[j + 1] * x[j + 1];
    for (int w = 0; w < vectors; ++w) {
      even[w] += vector_at(matrix + w * lanes) * first;
      odd[w] += vector_at(matrix + height + w * lanes) * second;
    }
  }
  if (j < columns)
    for (int w = 0; w < vectors; ++w) even[w] += vector_at(matrix + w * lanes) * (scales.left[j] * x[j]);
  for (int w = 0; w < vectors; ++w)
    vector_at(result + w * lanes) = vector_at(scales.right + w * lanes) * (even[w] + odd[w]);
}

}  // namespace

DRIFTLESS_VECTOR_CLONES
void convolve(std::span<const Strip<double>> strips, std::ptrdiff_t stride) {
  for (const Strip<double>& s : strips) {
    if (s.terms == 0) {
      for (int l = 0; l < s.width; l += lanes) vector_at(s.sums + l) = Vector{};
      continue;
    }
    int l = 0;
    for (; l + 8 * lanes <= s.width; l += 8 * lanes) convolve_vectors<8>(s, stride, l);
    if (s.width - l >= 4 * lanes) convolve_vectors<4>(s, stride, l), l += 4 * lanes;
    if (s.width - l >= 2 * lanes) convolve_vectors<2>(s, stride, l), l += 2 * lanes;
    if (s.width - l >= lanes) convolve_vectors<1>(s, stride, l);
  }
}

DRIFTLESS_VECTOR_CLONES
void multiply(const double* matrix, int columns, int height, const Scales<double>& scales, const double* x,
              double* result) {
  for (int l = 0; l < height;) {
    const Scales<double> here{scales.left, scales.right + l};
    if (height - l >= 4 * lanes)
      multiply_vectors<4>(matrix + l, columns, height, here, x, result + l), l += 4 * lanes;
    else if (height - l >= 2 * lanes)
      multiply_vectors<2>(matrix + l, columns, height, here, x, result + l), l += 2 * lanes;
    else
      multiply_vectors<1>(matrix + l, columns, height, here, x, result + l), l += lanes;
  }
}

}  // namespace driftless::taylor
