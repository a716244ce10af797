// Linear multistep formulas with a constant step size: BDF 1 to 6, the backward Euler method among them, and formulas
// that the user gives. Every step is solved to rounding, so that the result is the discrete solution itself.
//
// A formula of k > 1 steps starts with k - 1 steps of Radau IIA of sufficient order; a last, shorter step is a Radau
// step, too.
#pragma once

#include "driftless/integrate/steppers/multistep/multistep_formula.hpp"
#include "driftless/integrate/steppers/stepper.hpp"

namespace driftless {

// Precondition: settings.step is given.
std::unique_ptr<Stepper> make_multistep(const MultistepFormula& formula, Problem& problem, const State& start,
                                        const StepSettings& settings);

}  // namespace driftless
