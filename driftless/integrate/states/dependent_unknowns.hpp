// The unknowns for which the rows are solved while the states are held: the rates, and the slots that are not
// themselves a state. States that are combinations of slots are held by equations appended to the rows.
#pragma once

#include <vector>

#include "driftless/integrate/system/problem.hpp"
#include "driftless/integrate/system/unknowns.hpp"
#include "driftless/linear/pattern.hpp"

namespace driftless {

struct DependentUnknowns {
  Unknowns unknowns;
  int equations;
  std::vector<int> entries;                     // of System::jacobian that are partial derivatives of rows by these
  std::vector<double> weights;                  // of slots in combinations
  std::vector<linear::Coordinate> coordinates;  // of each entry, then of each weight
};

DependentUnknowns dependent_unknowns(const Problem& problem);

}  // namespace driftless
