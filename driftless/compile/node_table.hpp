// A map from nodes to values that is emptied in constant time and reused for every kernel and every piece. Its pages
// are allocated when a node in them is set, so that the cost of a small kernel in a large pool depends only on its own
// nodes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "driftless/expr/pool.hpp"

namespace driftless {

template <class T>
class NodeTable {
 public:
  explicit NodeTable(std::size_t pool_size) : pages_(pool_size / page_size + 1) {}

  void clear() { ++epoch_; }
  bool contains(NodeId id) const {
    const Page* page = pages_[page_of(id)].get();
    return page && (*page)[place_of(id)].epoch == epoch_;
  }
  void set(NodeId id, T value) {
    std::unique_ptr<Page>& page = pages_[page_of(id)];
    if (!page) page = std::make_unique<Page>();
    (*page)[place_of(id)] = {epoch_, value};
  }
  T at(NodeId id) const { return (*pages_[page_of(id)])[place_of(id)].value; }  // must be contained
  T get(NodeId id, T otherwise) const { return contains(id) ? at(id) : otherwise; }

 private:
  struct Entry {
    std::uint32_t epoch = 0;
    T value{};
  };
  static constexpr std::size_t page_size = 256;
  using Page = std::array<Entry, page_size>;

  static std::size_t page_of(NodeId id) { return static_cast<std::size_t>(index(id)) / page_size; }
  static std::size_t place_of(NodeId id) { return static_cast<std::size_t>(index(id)) % page_size; }

  std::vector<std::unique_ptr<Page>> pages_;
  std::uint32_t epoch_ = 1;
};

}  // namespace driftless
