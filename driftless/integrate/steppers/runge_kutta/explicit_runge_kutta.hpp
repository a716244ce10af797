// Explicit Runge-Kutta methods on problems whose rows determine everything else once the states are held: ordinary
// differential equations, index-1 forms, state-space forms. Each stage solves the rows,
//
//   Y_i = y + h sum_{j<i} a_ij K_j,   K_i = f(t + c_i h, Y_i),   y_new = y + h sum_i b_i K_i,
//
// with f as in slopes.hpp. Constraints that the formulation has differentiated are invariants of this equation: they
// drift, unless a projection restores them (Hairer, Wanner 1996, Section VII.2).
//
// With a given step size for every tableau; without, for those with an error estimate, by step_control.hpp: the error
// in the root mean square over the states in units of tolerance * (max(|y_n|, |y_{n+1}|) + nominal), and a first step
// from the size of the first two derivatives (Hairer, Nørsett, Wanner 1993, Section II.4).
#pragma once

#include <memory>

#include "driftless/integrate/steppers/stepper.hpp"

namespace driftless {

std::unique_ptr<Stepper> make_explicit_runge_kutta(const method::ExplicitRungeKutta& method, Problem& problem,
                                                   const State& start, const StepSettings& settings);

}  // namespace driftless
