// Radau IIA with 3, 5 or 7 stages (orders 5, 9, 13) on F(t, y, y') = 0, with step size and order from tests, after the
// codes RADAU5 and RADAU (Hairer, Wanner 1996, Section IV.8; 1999).
//
// Newton's iteration for the stages has one Jacobian, that of an earlier step while it converges quickly, and is
// decoupled into one real and (s-1)/2 complex systems (stage_solver.hpp). It starts from the collocation polynomial of
// the last step. This also predicts the point in the middle of the step where a new Jacobian is evaluated: no stage is
// further away from it than half a step.
//
// The error is estimated by an embedded method of order s whose extra stage is implicit with the real eigenvalue mu of
// A^-1 (stage_transformation.hpp): with d = sum_i e_i Z_i / h,
//
//   (∂F/∂y + (mu/h) ∂F/∂y') err = -F(t, y, -d),
//
// and again with y + err after a rejection and at the start, where a stiff component would dominate. As the estimate is
// of lower order than the result, it is tested against 0.1 tolerance^((s+1)/(2s)), but not against more than 10
// tolerances: the error of the collocation polynomial between the steps is of the order of the estimate. It does not
// see stiff components and constraints; so the same test is made where the polynomial is furthest from its nodes.
// Errors of unknowns of index i count h^(i-1) times, in this test and in that of Newton's iteration: only this part
// affects the other unknowns (Hairer, Lubich, Roche 1989). The index of every unknown follows from the structure
// (index_scaling.hpp).
//
// The order of the next step is the one with the least predicted work per unit of time, from the tolerance and the
// convergence rate of Newton's iteration: convergence is slower in larger steps, and more stages pay only while it is
// fast.
#pragma once

#include <memory>

#include "driftless/integrate/steppers/stepper.hpp"

namespace driftless {

std::unique_ptr<Stepper> make_radau(const method::Radau& method, Problem& problem, const State& start,
                                    const StepSettings& settings);

}  // namespace driftless
