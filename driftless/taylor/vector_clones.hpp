// A function marked so is compiled once for each vector unit; which one runs is decided when the program starts.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define DRIFTLESS_VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define DRIFTLESS_VECTOR_CLONES
#endif

// Part of each version of such a function.
#define DRIFTLESS_IN_CLONES inline __attribute__((always_inline))

namespace driftless::taylor {

// Doubles that go through every operation together.
constexpr int lanes = 4;
using Vector = double __attribute__((vector_size(lanes * sizeof(double)), aligned(sizeof(double)), may_alias));
inline Vector& vector_at(double* place) { return *reinterpret_cast<Vector*>(place); }
inline const Vector& vector_at(const double* place) { return *reinterpret_cast<const Vector*>(place); }

// Numbers up to the next multiple of `lanes`.
constexpr int whole_vectors(int numbers) { return (numbers + lanes - 1) / lanes * lanes; }

// Memory that begins with a line of the cache, so that no vector lies across two of them.
template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{64};
  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), line)); }
  void deallocate(T* place, std::size_t) { ::operator delete(place, line); }
  bool operator==(const CacheLineAllocator&) const { return true; }
};
template <class T>
using Numbers = std::vector<T, CacheLineAllocator<T>>;

}  // namespace driftless::taylor
