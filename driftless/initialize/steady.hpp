// Steady points: F(t, x, x', x'', ...) = 0 with all derivatives 0.
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
  bool depends_on_time = false;   // some equation contains time: the point is steady at this time only
  double largest_residual = 0.0;  // relative to the terms of each equation
  std::vector<double> values;     // of every variable
  std::vector<std::string> open;  // variables that the equations do not determine, held at their starts
  std::vector<StartReport::Violation> violations;
  std::vector<StartReport::Branch> branches;  // other steady points
  Trials trials;
};

// Searches from the starts, by the same strategies as for a consistent start. Conditions of the start are ignored: a
// start is only the guess of the search, and the value of a variable that the equations do not determine.
SteadyPoint find_steady_point(const Reduced& reduced, double t);

}  // namespace driftless
