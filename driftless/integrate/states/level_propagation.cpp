#include "driftless/integrate/states/level_propagation.hpp"

#include <algorithm>
#include <functional>

namespace driftless {

LevelPropagation::LevelPropagation(const System& system)
    : change_of_slot_(system.size()), change_of_rate_(system.size()) {
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
  values_.resize(entries_.size());
}

void LevelPropagation::run(const std::vector<Unknown>& unknowns, std::span<const double> z) {
  std::ranges::fill(change_of_slot_, 0.0);
  std::ranges::fill(change_of_rate_, 0.0);
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    change_of_slot_[unknowns[k].slot] = z[k];  // the change of a rate that rows determine is stored for its slot
    if (unknowns[k].rate) change_of_rate_[unknowns[k].slot] = z[k];
  }
  for (std::size_t k = 0; k < links_.size(); ++k)
    change_of_slot_[links_[k].to] += values_[k] * (links_[k].rate ? change_of_rate_ : change_of_slot_)[links_[k].from];
}

}  // namespace driftless
