// Radau IIA with three stages and a step size from the error test, after the code RADAU5 (Hairer, Wanner 1996, Section
// IV.8), on F(t, y, y') = 0.
//
// The error is compared with an embedded method of order 3 whose extra stage is implicit with the real eigenvalue u of
// A^-1: with Z_i = Y_i - y and d = (e_1 Z_1 + e_2 Z_2 + e_3 Z_3) / h,
//
//   (∂F/∂y + (u/h) ∂F/∂y') err = -F(t, y, -d),
//
// and again with y + err after a rejection and at the start, where a stiff component would dominate. As the estimate is
// of lower order than the result, it is tested against 0.1 tolerance^(2/3). Errors of unknowns of index i count h^(i-1)
// times: that much of them is felt by the others (Hairer, Lubich, Roche 1989).
//
// Newton's iteration keeps one matrix, with the Jacobian of the beginning of a step, while the step size stays.
#pragma once

#include <memory>

#include "driftless/integrate/stepper.hpp"

namespace driftless {

std::unique_ptr<Stepper> make_radau(Problem& problem, const State& start, const StepSettings& settings);

}  // namespace driftless
