// The unknowns of a system of equations at a point: slots, and those rates that are quantities. They are the columns of
// its matrix, in the order in which they were added.
#pragma once

#include <vector>

#include "driftless/reduce/reduced.hpp"

namespace driftless {

struct Unknown {
  int slot;
  bool rate;
};

class Unknowns {
 public:
  // The rates come first: rows always determine them.
  explicit Unknowns(const Reduced& reduced) : of_slot_(reduced.slots.size(), -1), of_rate_(of_slot_) {
    for (const Quantity q : reduced.quantities)
      if (reduced.place(q) == Place::Rate) add({reduced.slot_of(q), true});
  }

  void add(Unknown unknown) {
    (unknown.rate ? of_rate_ : of_slot_)[unknown.slot] = static_cast<int>(all_.size());
    all_.push_back(unknown);
  }

  int size() const { return static_cast<int>(all_.size()); }
  const std::vector<Unknown>& all() const { return all_; }
  // -1: it is known.
  int column(int slot, bool rate) const { return (rate ? of_rate_ : of_slot_)[slot]; }
  const std::vector<int>& columns_of_slots() const { return of_slot_; }

 private:
  std::vector<Unknown> all_;
  std::vector<int> of_slot_, of_rate_;
};

}  // namespace driftless
