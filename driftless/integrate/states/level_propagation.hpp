// How a change of the accelerations and multipliers is passed on to the slots below them: δ(slot) = ∂rate/∂(stage
// above) δ(stage above), from velocities to positions. With the change that the highest level of a constraint requires,
//
//   [M Gᵀ; G 0] (δa, δλ) = (0, r),   δv = δa,   δq = (∂q'/∂v) δv,
//
// it removes the residual r of a lower level, because G is the same at every level of a constraint.
#pragma once

#include <span>
#include <vector>

#include "driftless/integrate/system/system.hpp"
#include "driftless/integrate/system/unknowns.hpp"

namespace driftless {

class LevelPropagation {
 public:
  explicit LevelPropagation(const System& system);

  // Entries of the system's Jacobian, ∂rate/∂(stage above), and their values: set at one point, then used for any
  // number of changes.
  const std::vector<int>& entries() const { return entries_; }
  std::span<double> values() { return values_; }
  void take(std::span<const double> jacobian) {
    for (std::size_t k = 0; k < entries_.size(); ++k) values_[k] = jacobian[entries_[k]];
  }

  // Starts from the change z of these unknowns.
  void run(const std::vector<Unknown>& unknowns, std::span<const double> z);
  std::span<const double> of_slots() const { return change_of_slot_; }

  void archive(Archive& archive) { archive(values_); }

 private:
  struct Link {
    int to, from;
    bool rate;
  };
  std::vector<int> entries_;
  std::vector<Link> links_;
  std::vector<double> values_, change_of_slot_, change_of_rate_;
};

}  // namespace driftless
