// Decides whether a run that reports success is right, by comparing its error at the end, in units of its tolerance,
// with the model's own amplification of small errors.
//
// The condition of a model is measured: starts and parameters are changed by one part in 100,000, with signs that
// alternate in two ways, and the change of the end values is divided by it. A run of tolerance tau is right if its
// error is below 1,000 tau times this factor.
#pragma once

#include "driftless/scoreboard/reference_end.hpp"
#include "driftless/simulate.hpp"

namespace driftless::scoreboard {

constexpr double most_tolerances = 1000.0;

// The largest |computed - exact|/(|exact| + nominal) of all variables of the reference, multipliers included;
// derivatives have no tolerance of their own.
double end_error(const Model& model, const Solution& solution, const ReferenceEnd& end);

// At least 1; the one of the reference file if it is larger.
double measured_condition(const Model& model, const ReferenceEnd& end);

}  // namespace driftless::scoreboard
