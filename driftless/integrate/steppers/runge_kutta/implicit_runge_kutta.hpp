// Implicit Runge-Kutta methods with a constant step size, applied to F(t, y, y') = 0 as it stands
// (stage_equations.hpp). The discrete solution is computed to rounding.
//
// The new point. If the method is stiffly accurate it is the last stage: every equation holds there. Otherwise
// components with a derivative are y + h sum_i b_i K_i, and those without one
//   - are computed from the rows where these determine them (index 1),
//   - of projected methods follow from the highest level of the constraints, after the others were moved onto the
//     imposed level along f_z (Ascher, Petzold 1991),
//   - else they are treated as the formula treats all components, z + sum_i (b^T A^-1)_i Z_i. Without damping at
//     infinity (Gauss) they need not converge: such methods are for index 1, or need the projection.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "driftless/integrate/steppers/stepper.hpp"

namespace driftless {

std::unique_ptr<Stepper> make_implicit_runge_kutta(const method::Radau& method, Problem& problem, const State& start,
                                                   const StepSettings& settings);
std::unique_ptr<Stepper> make_implicit_runge_kutta(const method::Gauss& method, Problem& problem, const State& start,
                                                   const StepSettings& settings);
std::unique_ptr<Stepper> make_implicit_runge_kutta(const method::Lobatto& method, Problem& problem, const State& start,
                                                   const StepSettings& settings);

std::optional<std::string> not_applicable(const method::Gauss& method, const Problem& problem);

}  // namespace driftless
