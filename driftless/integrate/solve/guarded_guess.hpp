// A guess for the start of a model with exponentials. Initialization damps its corrections until residuals decrease,
// which may fail with several exponentials in a chain: the guarded iteration (guard.hpp) finds the unknowns that follow
// from the states, whose values are held. Initialization then only has to check the result.
#pragma once

#include <span>

#include "driftless/reduce/reduced.hpp"

namespace driftless {

// y and y' are guesses on entry, and on return a point at which all rows hold. False, and both unchanged, if there are
// no steep functions, if the states are not known beforehand, or if the iteration fails.
bool guarded_guess(const Reduced& reduced, double t, std::span<double> y, std::span<double> yp);

}  // namespace driftless
