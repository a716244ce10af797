// Half-explicit Runge-Kutta methods for x' = f(t, x, z), 0 = g(t, x) of index 2, with x the states and z the rest: the
// stages are explicit, but for the z of a stage, which is such that the constraint holds at the next one,
//
//   X_{i+1} = x + h sum_{j<=i} a_{i+1,j} f(X_j, Z_j),   0 = g(t + c_{i+1} h, X_{i+1}),   X_{s+1} = x_new
//
// (Hairer, Lubich, Roche 1989; Brasey, Hairer 1993). In mechanics in the index-2 form each stage is one linear system
// for accelerations and multipliers (multiplier_solve.hpp). At the new point z follows from the hidden constraint.
// Without rows g it is an explicit method.
//
// Hem5 is the method of Dormand and Prince used in this way, with a first stage that is explicit: it takes its z from
// the point where the step begins. That alone makes all conditions of order 5 hold (Arnold 1998; Murua 1997), and five
// stages need a linear system. Error estimate and dense output are those of Dormand and Prince without their parts in
// the directions f_z, where their order is lower.
//
// Extrapolation is another way to make a step: half_explicit_extrapolation.hpp.
//
// The projection of the positions in the norm of the mass matrix takes place within a step, at the end of it and
// between the ends: it shares the matrix with the multipliers of the new point.
#pragma once

#include <memory>

#include "driftless/integrate/steppers/stepper.hpp"

namespace driftless {

std::optional<std::string> not_applicable(const method::HalfExplicit& method, const Problem& problem);

// With a given step size; Hem5 and Extrapolation also without one.
std::unique_ptr<Stepper> make_half_explicit(const method::HalfExplicit& method, Problem& problem, const State& start,
                                            const StepSettings& settings);

}  // namespace driftless
