// Loops over several numbers at once. A function marked as DRIFTLESS_VECTOR_CLONES is compiled once for each vector
// unit, and which one runs is decided when the program starts; functions that it calls are part of each version if they
// are marked as DRIFTLESS_IN_CLONES. Where loops work component by component, the width changes no bit of the result.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define DRIFTLESS_VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#define DRIFTLESS_WIDE_VECTORS  // functions for AVX-512 can be compiled in addition to the others
#else
#define DRIFTLESS_VECTOR_CLONES
#endif
#define DRIFTLESS_IN_CLONES inline __attribute__((always_inline))

namespace driftless::linear {

// Numbers that go through every operation together, at any place of an array. Eight would suit AVX-512, but compilers
// make poor code of them for AVX2.
constexpr int lanes = 4;
using Vector = double __attribute__((vector_size(lanes * sizeof(double)), aligned(alignof(double)), may_alias));
DRIFTLESS_IN_CLONES Vector& vector_at(double* place) { return *reinterpret_cast<Vector*>(place); }
DRIFTLESS_IN_CLONES const Vector& vector_at(const double* place) { return *reinterpret_cast<const Vector*>(place); }

}  // namespace driftless::linear
