// Linear multistep formulas with a constant step size: BDF 1 to 6, the backward Euler method among them, and formulas
// that the user gives. Every step is solved to rounding, so that what is seen is the discrete solution itself.
//
// The step size is made a little smaller if it does not divide the interval.
#pragma once

#include "driftless/integrate/multistep_formula.hpp"
#include "driftless/integrate/stepper.hpp"

namespace driftless {

// Precondition: settings.step is given.
std::unique_ptr<Stepper> make_multistep(const MultistepFormula& formula, Problem& problem, const State& start,
                                        const StepSettings& settings);

}  // namespace driftless
