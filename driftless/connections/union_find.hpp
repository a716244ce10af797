// Disjoint sets of 0, ..., n - 1 under union, with path halving (Tarjan & van Leeuwen 1984). The root of a set is its
// smallest member, so that results depend on the numbering only, not on the order of the unions.
#pragma once

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace driftless::connections {

class UnionFind {
 public:
  explicit UnionFind(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0); }

  std::size_t size() const { return parent_.size(); }
  void grow(std::size_t size) {
    while (parent_.size() < size) parent_.push_back(static_cast<int>(parent_.size()));
  }

  int root(int member) {
    auto at = static_cast<std::size_t>(member);
    while (parent_[at] != static_cast<int>(at)) {
      parent_[at] = parent_[static_cast<std::size_t>(parent_[at])];
      at = static_cast<std::size_t>(parent_[at]);
    }
    return static_cast<int>(at);
  }

  // False if both were already in one set.
  bool unite(int a, int b) {
    a = root(a);
    b = root(b);
    if (a == b) return false;
    if (b < a) std::swap(a, b);
    parent_[static_cast<std::size_t>(b)] = a;
    return true;
  }

 private:
  std::vector<int> parent_;
};

}  // namespace driftless::connections
