// A map from nodes to values that is emptied in constant time: one dense array for a whole pool, used again for
// every kernel and every piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "driftless/expr/pool.hpp"

namespace driftless {

template <class T>
class NodeTable {
 public:
  explicit NodeTable(std::size_t pool_size) : entries_(pool_size) {}

  void clear() { ++epoch_; }
  bool contains(NodeId id) const { return entries_[index(id)].epoch == epoch_; }
  void set(NodeId id, T value) { entries_[index(id)] = {epoch_, value}; }
  T at(NodeId id) const { return entries_[index(id)].value; }  // must be contained
  T get(NodeId id, T otherwise) const { return contains(id) ? at(id) : otherwise; }

 private:
  struct Entry {
    std::uint32_t epoch = 0;
    T value{};
  };
  std::vector<Entry> entries_;
  std::uint32_t epoch_ = 1;
};

}  // namespace driftless
