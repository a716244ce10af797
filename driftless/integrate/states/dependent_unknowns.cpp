#include "driftless/integrate/states/dependent_unknowns.hpp"

namespace driftless {

DependentUnknowns dependent_unknowns(const Problem& problem) {
  const System& system = problem.system();
  const Reduced& r = problem.reduced();
  DependentUnknowns result;
  const auto number = [&](std::vector<int>& columns, int slot, bool rate) {
    columns[slot] = static_cast<int>(result.unknowns.size());
    result.unknowns.push_back({slot, rate});
  };
  std::vector<int> column_of_rate(system.size(), -1);
  result.column_of_slot.assign(system.size(), -1);
  for (const Quantity q : r.quantities)
    if (r.place(q) == Place::Rate) number(column_of_rate, r.slot_of(q), true);
  for (int s = 0; s < system.size(); ++s)
    if (!problem.is_whole_state(s)) number(result.column_of_slot, s, false);
  const auto& entries = system.jacobian_entries();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (entries[e].row >= system.rows()) continue;
    const int column = (entries[e].rate ? column_of_rate : result.column_of_slot)[entries[e].slot];
    if (column < 0) continue;
    result.entries.push_back(static_cast<int>(e));
    result.coordinates.push_back({entries[e].row, column});
  }
  return result;
}

}  // namespace driftless
