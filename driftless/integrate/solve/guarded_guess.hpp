// A guess for the start of a model with exponentials. Initialization damps its corrections until residuals decrease,
// and with several exponentials in a row none may: the guarded iteration (guard.hpp) finds the unknowns that follow
// from the states, which keep the values that they have. From there initialization has nothing left to do, and judges
// the result.
#pragma once

#include <span>

#include "driftless/reduce/reduced.hpp"

namespace driftless {

// y and y' at guesses, and on return at a point at which all rows hold. False, and both unchanged, if there are no
// steep functions, if the states are not known beforehand, or if the iteration fails.
bool guarded_guess(const Reduced& reduced, double t, std::span<double> y, std::span<double> yp);

}  // namespace driftless
