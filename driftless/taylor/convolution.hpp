// Sums of many products side by side: sums[l] = sum_{i < terms} left[i * stride + l] * right[-i * stride + l].
//
// The factors of one order lie next to each other, so the loop over l is the vector loop: no order is too low for it
// and no sum has to be reduced.
#pragma once

#include <cstddef>

namespace driftless::taylor {

struct Rows {
  std::ptrdiff_t stride;
  int terms;
  int width;  // a multiple of 8
};

void convolve(const double* left, const double* right, const Rows& rows, double* sums);

template <class Scalar>
void convolve(const Scalar* left, const Scalar* right, const Rows& rows, Scalar* sums) {
  for (int l = 0; l < rows.width; ++l) {
    Scalar sum(0);
    for (int i = 0; i < rows.terms; ++i) sum += left[i * rows.stride + l] * right[-i * rows.stride + l];
    sums[l] = sum;
  }
}

}  // namespace driftless::taylor
