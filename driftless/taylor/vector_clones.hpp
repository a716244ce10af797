// A function marked so is compiled once for each vector unit; which one runs is decided when the program starts.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define DRIFTLESS_VECTOR_CLONES __attribute__((target_clones("arch=skylake-avx512", "arch=haswell", "default")))
#else
#define DRIFTLESS_VECTOR_CLONES
#endif

namespace driftless::taylor {

// Doubles that go through every operation together.
constexpr int lanes = 4;
using Vector = double __attribute__((vector_size(lanes * sizeof(double)), aligned(sizeof(double)), may_alias));
inline Vector& vector_at(double* place) { return *reinterpret_cast<Vector*>(place); }
inline const Vector& vector_at(const double* place) { return *reinterpret_cast<const Vector*>(place); }

}  // namespace driftless::taylor
