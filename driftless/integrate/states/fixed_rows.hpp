// The part of the equations that does not depend on the choice of states: the rows that take part in no choice, and the
// unknowns that are no candidates. In mechanics these unknowns are accelerations and multipliers. Rows of a choice
// contain candidates only, so with the states held the matrix of all unknowns is block triangular: one block for each
// choice, and this one.
#pragma once

#include <vector>

#include "driftless/integrate/system/system.hpp"
#include "driftless/integrate/system/unknowns.hpp"
#include "driftless/linear/pattern.hpp"

namespace driftless {

struct FixedRows {
  explicit FixedRows(const System& system);

  std::vector<int> rows;  // of the system
  Unknowns unknowns;
  std::vector<int> entries;                     // of System::jacobian that are partial derivatives of rows by unknowns
  std::vector<linear::Coordinate> coordinates;  // of each entry: the place of its row among `rows`, its column

  // Are there as many rows as unknowns, and do the rows of choices contain none of them? Not in a derivative array,
  // whose choices are of a different kind, nor where states are combinations.
  bool exist = false;
};

}  // namespace driftless
