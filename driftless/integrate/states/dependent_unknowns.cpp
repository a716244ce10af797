#include "driftless/integrate/states/dependent_unknowns.hpp"

namespace driftless {

DependentUnknowns dependent_unknowns(const Problem& problem) {
  const System& system = problem.system();
  DependentUnknowns result{Unknowns(problem.reduced()), system.rows(), {}, {}, {}};
  for (int s = 0; s < system.size(); ++s)
    if (!problem.is_whole_state(s)) result.unknowns.add({s, false});
  const auto& entries = system.jacobian_entries();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (entries[e].row >= system.rows()) continue;
    const int column = result.unknowns.column(entries[e].slot, entries[e].rate);
    if (column < 0) continue;
    result.entries.push_back(static_cast<int>(e));
    result.coordinates.push_back({entries[e].row, column});
  }
  for (const Combination& state : problem.states()) {
    if (state.size() == 1) continue;
    for (const Term& term : state) {
      result.weights.push_back(term.weight);
      const int slot = problem.reduced().kinematics[term.candidate].slot;
      result.coordinates.push_back({result.equations, result.unknowns.column(slot, false)});
    }
    ++result.equations;
  }
  return result;
}

}  // namespace driftless
