#include "driftless/integrate/states/highest_stage.hpp"

#include <algorithm>

namespace driftless {

HighestStage::HighestStage(System& system)
    : system_(system),
      unknowns_(system.reduced()),
      equation_of_row_(system.rows() + system.candidates(), -1),
      equation_of_invariant_(system.invariants(), -1),
      jacobian_(system.jacobian_entries().size()),
      gradient_(system.invariant_entries().size()),
      part_(system) {
  const Reduced& r = system.reduced();
  for (int i = 0; i < system.rows(); ++i) {
    if (r.rows[i].stage != 0) continue;
    equation_of_row_[i] = static_cast<int>(equations_.size());
    equations_.push_back({r.rows[i].equation, r.rows[i].level, i, -1});
  }
  for (int i = 0; i < system.invariants(); ++i) {
    if (r.invariants[i].of_model() || r.invariants[i].stage != 0) continue;
    equation_of_invariant_[i] = static_cast<int>(equations_.size());
    equations_.push_back({r.invariants[i].equation, r.invariants[i].level, -1, i});
  }
  std::vector<bool> occurs(system.size(), false), moves(system.size(), false);
  for (const System::Entry& e : system.jacobian_entries())
    if (!e.rate && equation_of_row_[e.row] >= 0) occurs[e.slot] = true;
  for (const System::Entry& e : system.invariant_entries())
    if (!e.rate && equation_of_invariant_[e.row] >= 0) occurs[e.slot] = true;
  for (const Kinematic& k : r.kinematics) moves[k.slot] = true;
  for (int s = 0; s < system.size(); ++s) {
    if (r.slots[s].stage != 0) continue;
    if (occurs[s])
      unknowns_.add({s, false});
    else if (!moves[s])
      idle_.push_back(s);
  }
  determined_ = unknowns_.size() == std::ssize(equations_) && !r.implicit;
  if (determined_) find_entries();
}

void HighestStage::find_entries() {
  const auto collect = [&](const std::vector<System::Entry>& entries, const std::vector<int>& equation_of,
                           std::vector<int>& sources) {
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const int equation = equation_of[entries[k].row], column = unknowns_.column(entries[k].slot, entries[k].rate);
      if (equation < 0 || column < 0) continue;
      sources.push_back(static_cast<int>(k));
      entries_.push_back({equation, column});
    }
  };
  collect(system_.jacobian_entries(), equation_of_row_, of_jacobian_);
  collect(system_.invariant_entries(), equation_of_invariant_, of_gradient_);
  matrix_.resize(entries_.size());
}

std::optional<int> HighestStage::equation_of(EqnId equation) const {
  const auto found = std::ranges::find(equations_, equation, &Equation::of);
  return found == equations_.end() ? std::nullopt : std::optional(static_cast<int>(found - equations_.begin()));
}

void HighestStage::leave_out_all_but(const std::vector<int>& entries) {
  std::vector<int> needed = of_jacobian_;
  needed.insert(needed.end(), entries.begin(), entries.end());
  part_.take(std::move(needed));
}

void HighestStage::evaluate(const System::Point& at) {
  part_(at, jacobian_);
  if (!of_gradient_.empty()) system_.invariant_gradient(at, gradient_);
  std::size_t k = 0;
  for (const int e : of_jacobian_) matrix_[k++] = jacobian_[e];
  for (const int e : of_gradient_) matrix_[k++] = gradient_[e];
}

}  // namespace driftless
