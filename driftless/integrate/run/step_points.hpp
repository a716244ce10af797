// Points within the last step: taken from the polynomial of the method, and put onto every constraint.
#pragma once

#include <span>

#include "driftless/integrate/run/context.hpp"
#include "driftless/integrate/checks/delivered_point.hpp"
#include "driftless/integrate/run/end_projection.hpp"

namespace driftless {

class StepPoints {
 public:
  StepPoints(RunContext& run, EndProjection& projection) : run_(run), projection_(projection) {}

  // The present point becomes that at t, on every constraint: the polynomial gives the states, the rows the rest.
  Origin load(double t);

  // All quantities at t, of the polynomial as it is; false if one of them does not exist.
  bool observe(double t, std::span<double> quantities);

  // The present point, at t, does not satisfy the equations: they are solved again, starting from the polynomial, then
  // by continuation from a solved end of the step along the polynomials of the states. False if both fail.
  bool solve_again(double t);

 private:
  bool follow_from(double end, double t);
  double distance(std::span<const double> a, std::span<const double> b) const;  // relative to the size of the slots

  RunContext& run_;
  EndProjection& projection_;
};

}  // namespace driftless
