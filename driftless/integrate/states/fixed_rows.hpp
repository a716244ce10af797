// What the rows determine whatever the choice of states is: the unknowns that are no candidate of a choice, by the rows
// that take part in none. In mechanics these are accelerations and multipliers. Rows of a choice contain candidates
// only, so the matrix of everything that the states leave open is block triangular: one block for each choice, and this
// one.
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
  std::vector<linear::Coordinate> coordinates;  // of each: its place among `rows`, its column

  // Are there as many rows as unknowns, and do the rows of choices contain none of them? Not in a derivative array,
  // whose choices are of another kind, nor where states are combinations.
  bool exist = false;
};

}  // namespace driftless
