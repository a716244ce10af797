// Vectors of numbers in whole lanes, each beginning with a line of the cache.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#include "driftless/linear/vectors.hpp"

namespace driftless::taylor {

using linear::lanes;
using linear::Vector;
using linear::vector_at;

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
