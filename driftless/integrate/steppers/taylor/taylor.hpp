// Taylor series of the solution, for equations of any index as they stand (Pryce 1998, 2001; Nedialkov & Pryce 2005).
//
// A step from t to t + h computes the series at t up to the last stage, its value at t + h, and the stages up to 0
// there, which put that prediction onto all levels of all constraints (taylor/expansion.hpp). No states are chosen.
//
// A method of order p goes up to stage p - 1: x_j is known up to order p - 1 + d_j, and every variable, a multiplier
// too, has a global error of order p. The step size comes from the decay of the second half of the coefficients. The
// error is measured in u = der^(d-1)(x), or x if d = 0, as in a system of first order: with a_q the largest coefficient
// of order q, relative to |u| + nominal, and N the first order that is neglected,
//
//   h = min_q a_q^(-1/q) tol^(1/N).
//
// Single coefficients may vanish, by a symmetry of the solution, but not half of them. The correction that the stages
// up to 0 make is then a second opinion, independent of the series: it measures by how much the prediction fails to
// satisfy the equations. If it exceeds the tolerance, h is reduced; the series stays.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "driftless/integrate/steppers/stepper.hpp"

namespace driftless {

std::optional<std::string> not_applicable(const method::Taylor& method, const Problem& problem);

std::unique_ptr<Stepper> make_taylor(const method::Taylor& method, Problem& problem, const State& start,
                                     const StepSettings& settings);

// The order of the series: that of the method, or else one chosen by the tolerance.
int order_of(const method::Taylor& method, double tolerance);

// The smallest tolerance that the method can keep with the rounding of its numbers.
double smallest_tolerance(const Method& method);

}  // namespace driftless
