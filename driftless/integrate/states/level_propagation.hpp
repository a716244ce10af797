// How a change of the accelerations and multipliers is passed on to the slots below them: δ(slot) = ∂rate/∂(stage
// above) δ(stage above), from velocities to positions. With the change that the highest level of a constraint asks for,
//
//   [M Gᵀ; G 0] (δa, δλ) = (0, r),   δv = δa,   δq = (∂q'/∂v) δv,
//
// it is the way back to the level with the residual r, because G is the same at every level of a constraint.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "driftless/integrate/system/system.hpp"

namespace driftless {

class LevelPropagation {
 public:
  explicit LevelPropagation(const System& system) : change_of_slot_(system.size()), change_of_rate_(system.size()) {
    const Reduced& r = system.reduced();
    const auto& entries = system.jacobian_entries();
    const auto slot_of = [&](int e) { return r.kinematics[entries[e].row - system.rows()].slot; };
    for (std::size_t e = 0; e < entries.size(); ++e) {
      if (entries[e].row < system.rows()) continue;
      const int above = r.slots[entries[e].slot].stage + (entries[e].rate ? 1 : 0);
      if (above == r.slots[slot_of(static_cast<int>(e))].stage + 1) entries_.push_back(static_cast<int>(e));
    }
    std::ranges::stable_sort(entries_, std::greater<>(), [&](int e) { return r.slots[slot_of(e)].stage; });
    for (const int e : entries_) links_.push_back({slot_of(e), entries[e].slot, entries[e].rate});
  }

  // Entries of the system's Jacobian, ∂rate/∂(stage above); their values in this order are given to `run`.
  const std::vector<int>& entries() const { return entries_; }

  void clear() {
    std::ranges::fill(change_of_slot_, 0.0);
    std::ranges::fill(change_of_rate_, 0.0);
  }
  void set(int slot, bool rate, double change) {
    change_of_slot_[slot] = change;  // a rate that rows determine is the change of its slot
    if (rate) change_of_rate_[slot] = change;
  }
  void run(std::span<const double> values) {
    for (std::size_t k = 0; k < links_.size(); ++k)
      change_of_slot_[links_[k].to] += values[k] * (links_[k].rate ? change_of_rate_ : change_of_slot_)[links_[k].from];
  }
  double of_slot(int slot) const { return change_of_slot_[slot]; }

 private:
  struct Link {
    int to, from;
    bool rate;
  };
  std::vector<int> entries_;
  std::vector<Link> links_;
  std::vector<double> change_of_slot_, change_of_rate_;
};

}  // namespace driftless
