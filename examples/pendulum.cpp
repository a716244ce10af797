// A pendulum in Cartesian coordinates: a point mass on a rigid rod, released from the horizontal. The model has
// index 3; after one period, which is known in closed form, the mass must be back where it started.
#include <cmath>
#include <cstdio>
#include <iostream>

#include <driftless/model/builder.hpp>
#include <driftless/simulate.hpp>
#include <driftless/solution/summary.hpp>

int main() {
  const double length = 1.0, gravity = 9.81;
  // T = 4 sqrt(L/g) K(sin(a/2)) with the amplitude a = 90 degrees.
  const double period = 4.0 * std::sqrt(length / gravity) * std::comp_ellint_1(std::sqrt(0.5));

  driftless::ModelBuilder m("Pendulum");
  const auto L = m.parameter("L", length, {.unit = "m", .description = "length of the rod"});
  const auto g = m.parameter("g", gravity, {.unit = "m/s2", .description = "gravity"});
  const auto x = m.variable("x", {.start = 1.0, .unit = "m"});
  const auto y = m.variable("y", {.start = 0.0, .fixed = true, .unit = "m"});
  const auto lambda = m.variable("lambda", {.unit = "1/s2", .description = "force in the rod, per mass and length"});
  m.equation(der(der(x)) == -lambda * x);
  m.equation(der(der(y)) == -lambda * y - g);
  m.equation(x * x + y * y == L * L, "rod");
  m.initial_equation(der(y) == 0.0);
  m.experiment({.stop = period});

  try {
    const driftless::Solution solution = driftless::simulate(m.build(), {.tolerance = 1e-8});
    std::cout << driftless::summary(solution);
    if (solution.outcome != driftless::Outcome::Success) return 1;
    std::printf("bottom     y = %.6f at t = T/4\n", solution.at(period / 4.0, "y"));
    std::printf("back       x = %.6f at t = T = %.6f\n", solution.final("x"), period);
    return std::hypot(solution.final("x") - length, solution.final("y")) < 1e-5 ? 0 : 1;
  } catch (const driftless::ModelError& error) {
    std::cerr << error.what();
    return 2;
  }
}
