// Half-explicit Runge-Kutta methods for x' = f(t, x, z), 0 = g(t, x) of index 2, with x the states and z the rest: the
// stages are explicit, but for the z of a stage, which is such that the constraint holds at the next one,
//
//   X_{i+1} = x + h sum_{j<=i} a_{i+1,j} f(X_j, Z_j),   0 = g(t + c_{i+1} h, X_{i+1}),   X_{s+1} = x_new
//
// (Hairer, Lubich, Roche 1989; Brasey, Hairer 1993). Rows that contain z belong to f: with y' = (X_{i+1} - known) / (h
// a_{i+1,i}) a stage solves
//
//   F(t_i, (X_i, Z_i), y') = 0,   g(t_{i+1}, X_{i+1}) = 0   for X_{i+1} and Z_i.
//
// In mechanics in the index-2 form this is a linear system for accelerations and multipliers. At the new point z
// follows from the hidden constraint. Without rows g it is an explicit method.
#pragma once

#include <memory>

#include "driftless/integrate/stepper.hpp"

namespace driftless {

std::optional<std::string> not_applicable(const method::HalfExplicit& method, const Problem& problem);

// With a given step size.
std::unique_ptr<Stepper> make_half_explicit(const method::HalfExplicit& method, Problem& problem, const State& start,
                                            const StepSettings& settings);

}  // namespace driftless
