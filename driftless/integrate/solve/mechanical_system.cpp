#include "driftless/integrate/solve/mechanical_system.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/formulate/coordinates.hpp"

namespace driftless {
namespace {

class Reading {
 public:
  explicit Reading(const Reduced& reduced) : r_(reduced), own_pool_(growable(reduced.model->pool)), pool_(*own_pool_) {}

  std::variant<MechanicalSystem, std::string> read() {
    find_coordinates();
    if (why_not_.empty()) check_accelerations();
    if (why_not_.empty()) find_dynamics();
    if (why_not_.empty()) find_constraints();
    if (!why_not_.empty()) return why_not_;
    return system_;
  }

 private:
  void refuse(const std::string& reason) {
    if (why_not_.empty()) why_not_ = reason;
  }
  std::string name_of(int slot) const { return r_.name(r_.slots[slot].quantity); }
  std::string describe(EqnId equation) const {
    return fmt::format("{} ({})", (*r_.model)[equation].label, (*r_.model)[equation].text);
  }

  int slot_of(NodeId expression) const { return r_.slot_at(pool_[expression]); }

  std::vector<int> slots_in(NodeId expression) const {
    std::vector<int> slots;
    for (const NodeId leaf : variables_of(pool_, expression)) slots.push_back(slot_of(leaf));
    return slots;
  }

  void find_coordinates() {
    const Coordinates found = coordinates_of(r_);
    const bool adds = std::ranges::find(found.motion, Motion::FirstOrder) != found.motion.end();
    if (!found.why_not.empty())
      refuse(found.why_not +
             (adds ? " (with a formulation that adds multipliers none is: use original, index1 or index2)" : ""));
    std::vector<int> candidate(r_.slots.size(), -1);
    for (std::size_t k = 0; k < r_.kinematics.size(); ++k) candidate[r_.kinematics[k].slot] = static_cast<int>(k);
    for (const auto& [position, velocity] : found.pairs)
      system_.coordinates.push_back({position, velocity, candidate[velocity]});
    for (std::size_t s = 0; s < r_.slots.size(); ++s)
      if (found.motion[s] == Motion::Algebraic) system_.others.push_back(static_cast<int>(s));
    motion_ = found.motion;
  }

  void check_free_of_velocities(NodeId expression, const std::string& what) {
    for (const int slot : slots_in(expression))
      if (slot >= 0 && motion_[slot] == Motion::Velocity)
        refuse(fmt::format("{} depends on the velocity {}, and forces must depend on positions only", what,
                           name_of(slot)));
  }

  void check_accelerations() {
    for (const auto& c : system_.coordinates) {
      if (c.candidate < 0) continue;
      Quantity acceleration = r_.slots[c.velocity].quantity;
      ++acceleration.order;
      const auto definition = std::ranges::find(r_.definitions, acceleration, &Definition::quantity);
      check_free_of_velocities(r_.kinematics[c.candidate].rate, definition == r_.definitions.end()
                                                                    ? "the acceleration of " + name_of(c.position)
                                                                    : describe(definition->equation));
    }
  }

  bool is_acceleration(NodeId leaf) const {
    const Node& node = pool_[leaf];
    const Reduced::Address& at = r_.addresses[node.a][node.b];
    if (at.place == Place::Rate) return true;
    return std::ranges::any_of(system_.coordinates, [&](const auto& c) {
      return c.candidate >= 0 && slot_of(r_.kinematics[c.candidate].rate) == at.index;
    });
  }

  void find_dynamics() {
    for (std::size_t i = 0; i < r_.rows.size(); ++i) {
      const DerivedEquation& row = r_.rows[i];
      if (r_.offsets.c[index(row.equation)] > 0) continue;
      system_.dynamics.push_back(static_cast<int>(i));
      check_free_of_velocities(row.residual, describe(row.equation));
      for (const Partial& p : gradient(pool_, row.residual)) {
        const Node& leaf = pool_[p.leaf];
        if (is_acceleration(p.leaf) && !variables_of(pool_, p.derivative).empty())
          refuse(fmt::format("in {} the mass that belongs to {} is not constant", describe(row.equation),
                             r_.name({VarId{static_cast<int>(leaf.a)}, static_cast<int>(leaf.b)})));
      }
    }
  }

  void find_constraints() {
    const auto consider = [&](EqnId equation, int level, NodeId residual, const MechanicalSystem::Constraint& at) {
      if (level != 0 || r_.offsets.c[index(equation)] == 0) return;
      system_.constraints.push_back(at);
      if (r_.offsets.c[index(equation)] != 2)
        refuse(fmt::format("{} has to be differentiated {} times, a constraint of positions twice", describe(equation),
                           r_.offsets.c[index(equation)]));
      for (const int slot : slots_in(residual))
        if (slot < 0 || motion_[slot] != Motion::Position)
          refuse(fmt::format("{} is not a constraint of positions", describe(equation)));
    };
    for (std::size_t i = 0; i < r_.rows.size(); ++i)
      consider(r_.rows[i].equation, r_.rows[i].level, r_.rows[i].residual, {static_cast<int>(i), -1});
    for (std::size_t i = 0; i < r_.invariants.size(); ++i)
      if (!r_.invariants[i].of_model())
        consider(r_.invariants[i].equation, r_.invariants[i].level, r_.invariants[i].residual,
                 {-1, static_cast<int>(i)});
    const auto in_rows = std::ranges::count(system_.coordinates, -1, &MechanicalSystem::Coordinate::candidate);
    if (system_.dynamics.size() + system_.constraints.size() != system_.others.size() + in_rows)
      refuse("this formulation has changed the equations; use original, index1 or index2");
  }

  const Reduced& r_;
  std::shared_ptr<Pool> own_pool_;
  Pool& pool_;
  std::vector<Motion> motion_;  // of each slot
  MechanicalSystem system_;
  std::string why_not_;
};

}  // namespace

std::variant<MechanicalSystem, std::string> mechanical_system(const Reduced& reduced) {
  return Reading(reduced).read();
}

}  // namespace driftless
