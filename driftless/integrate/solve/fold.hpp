// Where algebraic equations have a fold, their solution ends: y^3 - 3y = t has y near -1 no further when t passes 2.
// The curve of all solutions continues from there, back in time and then forward again. Where it reaches the same time
// again lies the solution to which a fast motion, neglected in the equations, would lead: as in a relaxation
// oscillation or a trigger circuit.
//
// The curve of unknowns and time is parametrized by its arc length (Keller 1977), with the states on the straight line
// given by their present rates. At a corner, as of a limited amplifier, the tangent beyond it is used.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "driftless/integrate/solve/algebraic.hpp"

namespace driftless {

struct SolutionBehindFold {
  std::vector<double> y, yp;
  int slot = 0;       // the one that changes most, in units of its size
  double fold = 0.0;  // the time of the fold, near that of the point
};

// The solution at the time of the point (t, y, y'), with the states extrapolated from the leap at the fold. None if the
// curve does not turn soon after the point, or does not come back. `interval`: of the run.
std::optional<SolutionBehindFold> solution_behind_fold(Problem& problem, AlgebraicSolve& solve, double t,
                                                       std::span<const double> y, std::span<const double> yp,
                                                       double interval);

}  // namespace driftless
