#include "driftless/initialize/findings.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace driftless {
namespace {

constexpr std::size_t largest_block = 60;  // unknowns
constexpr double different = 1e-3;         // nominal values
constexpr int guesses = 4;

// On the other side of the start, of zero, and two nominal values away in both directions.
double far_guess(const InitialUnknown& unknown, double value, int which) {
  switch (which) {
    case 0: return 2.0 * unknown.guess - value;
    case 1: return -value;
    case 2: return value + 2.0 * unknown.nominal;
    default: return value - 2.0 * unknown.nominal;
  }
}

}  // namespace

std::string unit_of(const Model& model, const InitialUnknown& unknown) {
  if (unknown.parameter >= 0) return model.parameters[unknown.parameter].unit;
  const std::string& unit = model[unknown.quantity.variable].unit;
  const int order = unknown.quantity.order;
  if (unit.empty() || order == 0) return unit;
  return order == 1 ? unit + "/s" : fmt::format("{}/s{}", unit, order);
}

std::vector<StartReport::Branch> other_branches(const Reduced& reduced, const InitialProblem& problem,
                                                const FoundStart& found, double t) {
  std::vector<StartReport::Branch> branches;
  std::vector<std::vector<int>> parts;
  for (const StartPlan::Block& block : found.plan->blocks) parts.push_back(block.rows);
  InitialRows rows(*reduced.model, problem, t, parts);
  Search search(rows, problem);
  rows.set_values(found.values);
  for (int b = 0; b < static_cast<int>(parts.size()); ++b) {
    const std::vector<int>& cols = found.plan->blocks[b].cols;
    const std::vector<int> part{b};
    if (cols.size() > largest_block || search.is_linear(part, cols)) continue;
    for (int which = 0; which < guesses; ++which) {
      for (const int col : cols) rows.value(col) = far_guess(problem.unknowns[col], found.values[col], which);
      const Attempt attempt = search.solve(part, cols);
      int farthest = -1;
      double distance = different;
      for (const int col : cols) {
        const double apart = std::abs(rows.value(col) - found.values[col]) / problem.unknowns[col].nominal;
        if (apart > distance) farthest = col, distance = apart;
      }
      if (attempt.evaluated && attempt.solved && attempt.regular && farthest >= 0 && search.within_bounds(cols)) {
        const InitialUnknown& unknown = problem.unknowns[farthest];
        branches.push_back({name_of(reduced, unknown), unit_of(*reduced.model, unknown), found.values[farthest],
                            rows.value(farthest), describe(reduced, problem.rows[found.plan->row_of[farthest]])});
        break;
      }
    }
    for (const int col : cols) rows.value(col) = found.values[col];
  }
  return branches;
}

}  // namespace driftless
