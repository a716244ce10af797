// What the rows are solved for while the states are held: the rates, and the slots that are not themselves a state.
#pragma once

#include <vector>

#include "driftless/integrate/system/problem.hpp"
#include "driftless/linear/pattern.hpp"

namespace driftless {

struct DependentUnknown {
  int slot;
  bool rate;
};

struct DependentUnknowns {
  std::vector<DependentUnknown> unknowns;       // columns, rates first
  std::vector<int> column_of_slot;              // -1: the slot is a state
  std::vector<int> entries;                     // of System::jacobian that are partial derivatives of rows by these
  std::vector<linear::Coordinate> coordinates;  // of each entry
};

DependentUnknowns dependent_unknowns(const Problem& problem);

}  // namespace driftless
