#include "driftless/integrate/run/changed_point.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "driftless/diagnostics/spelling.hpp"
#include "driftless/integrate/solve/algebraic.hpp"
#include "driftless/integrate/states/selection.hpp"

namespace driftless {
namespace {

constexpr double preferred = 1e9;  // weight of a candidate that is set, in the choice of states

std::vector<bool> candidates_of(const Reduced& reduced) {
  std::vector<bool> is_candidate(reduced.slots.size(), false);
  for (const Kinematic& kinematic : reduced.kinematics) is_candidate[kinematic.slot] = true;
  return is_candidate;
}

// The reduced model that prefers the slots in `set` as states, as far as the constraints leave them free.
Reduced with_preferences(const Reduced& reduced, const std::vector<int>& set) {
  Reduced result = reduced;
  for (Choice& choice : result.choices)
    for (std::size_t j = 0; j < choice.kinematics.size(); ++j)
      if (std::ranges::find(set, reduced.kinematics[choice.kinematics[j]].slot) != set.end())
        choice.preference[j] *= preferred;
  return result;
}

}  // namespace

std::variant<int, std::string> slot_to_set(const Reduced& reduced, const std::string& name) {
  const std::vector<bool> is_candidate = candidates_of(reduced);
  std::vector<std::string> names;
  for (std::size_t s = 0; s < reduced.slots.size(); ++s) {
    if (!is_candidate[s]) continue;
    names.push_back(reduced.name(reduced.slots[s].quantity));
    if (names.back() == name) return static_cast<int>(s);
  }
  const bool exists = std::ranges::any_of(reduced.quantities, [&](Quantity q) { return reduced.name(q) == name; });
  if (exists)
    return fmt::format("'{}' follows from the equations and cannot be set; what can be set: {}", name,
                       fmt::join(names, ", "));
  return fmt::format("the model has no variable or parameter '{}'{}", name,
                     did_you_mean(name, std::vector<std::string_view>(names.begin(), names.end())));
}

std::variant<State, std::string> changed_point(System& system, double t, std::vector<double> y, std::vector<double> yp,
                                               const std::vector<int>& set) {
  const Reduced& reduced = system.reduced();
  if (reduced.implicit)
    return "the model is integrated as F(t, y, y') = 0, without states: no point after a change is known";
  if (std::ranges::any_of(reduced.choices, [](const Choice& choice) { return !choice.roles.empty(); }))
    return "the model is integrated by its derivative array, whose ranks were decided for the values of the start";
  const Reduced weighted = with_preferences(reduced, set);
  StateSelection selection(weighted, system.choice_entries(), 1.0);
  std::vector<double> values(system.choice_values());
  system.choices({t, y, yp}, values);
  selection.choose(values);
  Problem problem(system);
  problem.set_states(selection.active());
  for (const int slot : set)
    if (!problem.is_whole_state(slot))
      return fmt::format("'{}' cannot be set: the constraints determine it from what else is set",
                         reduced.name(reduced.slots[slot].quantity));
  AlgebraicSolve solve(problem);
  if (!solve(t, y, yp)) return fmt::format("at t = {:.9g} the equations have no solution with these values", t);
  system.set_rates(t, y, yp);
  State state;
  state.t = t;
  state.y = std::move(y);
  state.yp = std::move(yp);
  return state;
}

}  // namespace driftless
