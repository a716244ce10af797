// Loops over many series at once, in vector registers if the type allows.
//
// Many sums of products at once: sums[l] = sum_{i < terms} left[i * stride + l] * right[-i * stride + l].
//
// The factors of one order lie next to each other, so the loop over l is vectorized: this works for all orders, and no
// vector has to be summed up.
#pragma once

#include <cstddef>
#include <span>

#include "driftless/taylor/whole_vectors.hpp"

namespace driftless::taylor {

template <class Scalar>
struct Strip {
  const Scalar* left;   // of the lowest order
  const Scalar* right;  // of the highest order
  Scalar* sums;
  int terms;
  int width;  // a multiple of `lanes`
};

void convolve(std::span<const Strip<double>> strips, std::ptrdiff_t stride);

template <class Scalar>
void convolve(std::span<const Strip<Scalar>> strips, std::ptrdiff_t stride) {
  for (const Strip<Scalar>& s : strips)
    for (int l = 0; l < s.width; ++l) {
      Scalar sum(0);
      for (int i = 0; i < s.terms; ++i) sum += s.left[i * stride + l] * s.right[-i * stride + l];
      s.sums[l] = sum;
    }
}

// result_i = right_i sum_j matrix_ij left_j x_j for a matrix by columns of `height` numbers each, a multiple of
// `lanes`.
template <class Scalar>
struct Scales {
  const Scalar* left;
  const Scalar* right;
};
void multiply(const double* matrix, int columns, int height, const Scales<double>& scales, const double* x,
              double* result);

template <class Scalar>
void multiply(const Scalar* matrix, int columns, int height, const Scales<Scalar>& scales, const Scalar* x,
              Scalar* result) {
  for (int i = 0; i < height; ++i) {
    Scalar sum(0);
    for (int j = 0; j < columns; ++j) sum += matrix[j * height + i] * (scales.left[j] * x[j]);
    result[i] = scales.right[i] * sum;
  }
}

}  // namespace driftless::taylor
