// A map from nodes to values for walks over expressions: open addressing with linear probing, so
// that a walk costs no allocation per node. It is never iterated, so its order does not matter.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "driftless/expr/pool.hpp"

namespace driftless {

template <typename Value>
class NodeMap {
 public:
  // Null when the node is absent. Valid until the next insertion.
  const Value* find(NodeId node) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[place(node)];
    return slot.key == 0 ? nullptr : &slot.value;
  }

  bool contains(NodeId node) const { return find(node) != nullptr; }

  const Value& at(NodeId node) const { return slots_[place(node)].value; }  // the node must be present

  // The value of the node, a fresh one if it was absent. Valid until the next insertion.
  Value& operator[](NodeId node) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place(node)];
    if (slot.key == 0) {
      slot.key = index(node) + 1;
      ++size_;
    }
    return slot.value;
  }

  // False if the node was already present.
  bool insert(NodeId node, Value value = {}) {
    const std::size_t before = size_;
    Value& stored = (*this)[node];
    if (size_ == before) return false;
    stored = std::move(value);
    return true;
  }

  std::size_t size() const { return size_; }

 private:
  struct Slot {
    std::uint32_t key = 0;  // handle + 1, 0 = empty
    Value value{};
  };

  // The slot of the node, or the empty slot where it belongs. Fibonacci hashing: neighbouring
  // handles, the usual case, are spread over the whole table.
  std::size_t place(NodeId node) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = ((index(node) * std::uint64_t{0x9E3779B97F4A7C15}) >> 32) & mask;
    while (slots_[i].key != 0 && slots_[i].key != index(node) + 1) i = (i + 1) & mask;
    return i;
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
    old.swap(slots_);
    for (Slot& slot : old) {
      if (slot.key != 0) slots_[place(NodeId{slot.key - 1})] = std::move(slot);
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace driftless
