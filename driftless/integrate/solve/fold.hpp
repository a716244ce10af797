// Where algebraic equations have a fold, their solution ends: y^3 - 3y = t has y near -1 no further when t passes 2.
// The curve of all solutions goes on from there, back in time and then forward again, and where it comes forward to the
// same time lies the solution that a fast motion, left out of the equations, would bring about: that of a relaxation
// oscillation, or of a trigger circuit.
//
// The curve is followed in the unknowns and the time by its length (Keller 1977), with the states on the straight line
// of their present rates. At a corner, as of a limited amplifier, the tangent behind it takes over.
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

// At the time of the point (t, y, y'), with the states that the leap at the fold gives them until then. None where the
// curve does not turn soon behind the point, or does not come back. `interval`: of the run.
std::optional<SolutionBehindFold> solution_behind_fold(Problem& problem, AlgebraicSolve& solve, double t,
                                                       std::span<const double> y, std::span<const double> yp,
                                                       double interval);

}  // namespace driftless
