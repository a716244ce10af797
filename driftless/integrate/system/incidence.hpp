// Which unknown occurs in which equation, as input of structural algorithms.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "driftless/linear/factorization.hpp"
#include "driftless/structure/matching.hpp"

namespace driftless {

// Coordinates may repeat.
inline structure::Signature incidence_of(int rows, int columns, std::span<const linear::Coordinate> coordinates) {
  std::vector<std::vector<structure::Entry>> entries(rows);
  for (const linear::Coordinate at : coordinates) entries[at.row].push_back({structure::Col{at.col}, 0});
  structure::Signature incidence(columns);
  for (std::vector<structure::Entry>& row : entries) {
    std::ranges::sort(row, {}, &structure::Entry::col);
    const auto repeated = std::ranges::unique(row);
    row.erase(repeated.begin(), repeated.end());
    incidence.add_row(row);
  }
  return incidence;
}

}  // namespace driftless
