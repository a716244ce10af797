// A function marked so is compiled for several widths of vectors; the widest of the processor is taken. Where its loops
// work component by component, the width changes no bit of the result. What it calls is compiled with it if it is
// marked as part of the loop.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define DRIFTLESS_WIDEST_VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))
#define DRIFTLESS_PART_OF_LOOP __attribute__((always_inline)) inline
#else
#define DRIFTLESS_WIDEST_VECTORS
#define DRIFTLESS_PART_OF_LOOP inline
#endif

namespace driftless::linear {

// Four numbers that are worked on together, at any place of an array. Eight would suit AVX-512, but compilers make poor
// code of them for AVX2.
constexpr int lane_count = 4;
using Lanes = double __attribute__((vector_size(lane_count * sizeof(double)), aligned(alignof(double)), may_alias));

DRIFTLESS_PART_OF_LOOP const Lanes& lanes(const double* at) { return *reinterpret_cast<const Lanes*>(at); }
DRIFTLESS_PART_OF_LOOP Lanes& lanes(double* at) { return *reinterpret_cast<Lanes*>(at); }

}  // namespace driftless::linear
