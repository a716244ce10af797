// Points at which nothing moves: F(t, x, x', x'', ...) = 0 with all derivatives 0.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "driftless/initialize/report.hpp"

namespace driftless {

struct SteadyPoint {
  bool found = false;
  bool proven_absent = false;  // not found, and a combination of the equations is a contradiction
  double t = 0.0;
  bool depends_on_time = false;   // some equation does: the point is steady at this time only
  double largest_residual = 0.0;  // relative to the terms of each equation
  std::vector<double> values;     // of every variable
  std::vector<std::string> open;  // variables that the equations leave open, held at their starts
  std::vector<StartReport::Violation> violations;
  std::vector<StartReport::Branch> branches;  // other steady points
  Trials trials;
};

// From the starts, by the same strategies as a consistent start. Conditions of the start play no part: a start says
// only where the search begins, and what a variable is held at that the equations leave open.
SteadyPoint find_steady_point(const Reduced& reduced, double t);

}  // namespace driftless
