// Quantities of a solution that several documents use.
#pragma once

#include "driftless/solution/solution.hpp"

namespace driftless::reproduce {

// The value at the end; NaN if there is no such variable.
double last(const Solution& solution, const char* name);

double steps(const Solution& solution);
double evaluations(const Solution& solution);  // evaluations of residuals by the corrector only
double jacobians(const Solution& solution);
double error_test_failures(const Solution& solution);

// Of a point on a circle of radius 1 about the origin, x to the right and y upwards, with gravity 1.
struct Swing {
  std::vector<double> t, x, y, u, v;  // by output point; u = x', v = y'
  double energy(std::size_t row) const { return 0.5 * (u[row] * u[row] + v[row] * v[row]) + y[row]; }
  double length(std::size_t row) const;
  std::size_t size() const { return t.size(); }
};
Swing cartesian(const Solution& solution);   // of pendulum.mo and pendulum_small.mo
Swing from_angle(const Solution& solution);  // of pendulum_angle.mo

// The exponent p of values ~ t^p by least squares of the logarithms of the running maximum, for t >= begin.
double growth(const std::vector<double>& t, const std::vector<double>& values, double begin);

}  // namespace driftless::reproduce
