#include "driftless/integrate/states/fixed_rows.hpp"

#include <algorithm>

namespace driftless {

FixedRows::FixedRows(const System& system) : unknowns(system.reduced()) {
  const Reduced& r = system.reduced();
  const bool has_arrays = std::ranges::any_of(r.choices, [](const Choice& choice) { return !choice.roles.empty(); });
  if (r.implicit || r.chart != Chart::Slots || r.equation_choice.exists() || has_arrays) return;
  std::vector<bool> is_candidate(r.slots.size(), false), is_chosen_row(r.rows.size(), false);
  for (const int k : r.permanent) is_candidate[r.kinematics[k].slot] = true;
  for (const Choice& choice : r.choices) {
    for (const int k : choice.kinematics) is_candidate[r.kinematics[k].slot] = true;
    for (const int row : choice.rows) is_chosen_row[row] = true;
  }
  for (std::size_t s = 0; s < r.slots.size(); ++s)
    if (!is_candidate[s]) unknowns.add({static_cast<int>(s), false});
  std::vector<int> place(r.rows.size(), -1);
  for (std::size_t i = 0; i < r.rows.size(); ++i)
    if (!is_chosen_row[i]) place[i] = static_cast<int>(rows.size()), rows.push_back(static_cast<int>(i));
  exist = std::ssize(rows) == unknowns.size();
  const std::vector<System::Entry>& all = system.jacobian_entries();
  for (std::size_t e = 0; e < all.size(); ++e) {
    if (all[e].row >= system.rows()) continue;
    const int column = unknowns.column(all[e].slot, all[e].rate);
    if (column < 0) continue;
    if (is_chosen_row[all[e].row]) {
      exist = false;
      return;
    }
    entries.push_back(static_cast<int>(e));
    coordinates.push_back({place[all[e].row], column});
  }
}

}  // namespace driftless
