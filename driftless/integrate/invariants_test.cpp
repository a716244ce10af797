// Invariants of the model: kept by the method, by a projection, or not at all.
#include <cmath>

#include "driftless/integrate/sample_run.hpp"

namespace driftless {
namespace {

using projection::Invariants;
using projection::None;
using samples::run;

// Kepler's problem with a perturbed force (Hairer, Wanner 1996, Figure 2.3): eccentricity 0.6.
Model kepler(double k = 0.005) {
  ModelBuilder m("Kepler");
  const Expr x = m.variable("x", {.start = 0.4, .fixed = true}), y = m.variable("y", {.start = 0.0, .fixed = true});
  const Expr r = sqrt(x * x + y * y), force = 1.0 / (r * r * r) + 3.0 * k / (r * r * r * r * r);
  m.equation(der(der(x)) == -x * force);
  m.equation(der(der(y)) == -y * force);
  m.initial_equation(der(x) == 0.0);
  m.initial_equation(der(y) == 2.0);
  const Expr energy = 0.5 * (der(x) * der(x) + der(y) * der(y)) - 1.0 / r - k / (r * r * r);
  Model model = m.build();
  model.invariants.push_back({"energy", energy.node_in(*model.pool), {}});
  return model;
}

struct Orbit {
  double nearest = HUGE_VAL, farthest = 0.0;  // in the last quarter
  double energy = 0.0, momentum = 0.0;        // errors: largest, at the end
};
Orbit orbit(const Method& method, const Projection& projection, double k = 0.005, double stop = 100.0) {
  const Solution s = run(kepler(k), formulation::Index1{},
                         {.stop = stop,
                          .method = method,
                          .projection = projection,
                          .step = 0.01,
                          .intervals = static_cast<int>(std::lround(100 * stop))});
  Orbit result;
  const auto x = s.column("x"), y = s.column("y"), u = s.column("der(x)"), v = s.column("der(y)");
  for (std::size_t n = 0; n < s.times.size(); ++n) {
    const double r = std::hypot(x[n], y[n]);
    const double energy = 0.5 * (u[n] * u[n] + v[n] * v[n]) - 1.0 / r - k / (r * r * r);
    result.energy = std::max(result.energy, std::abs(energy - (k == 0.005 ? -0.578125 : -0.5390625)));
    result.momentum = x[n] * v[n] - y[n] * u[n] - 0.8;
    if (s.times[n] < 0.75 * stop) continue;
    result.nearest = std::min(result.nearest, r);
    result.farthest = std::max(result.farthest, r);
  }
  return result;
}
const Method euler = method::ExplicitRungeKutta{method::Explicit::Euler};

TEST(Invariants, WithoutProjectionTheOrbitSpiralsOut) {
  const Orbit o = orbit(euler, None{});
  EXPECT_NEAR(o.nearest, 5.65, 0.01);
  EXPECT_NEAR(o.farthest, 8.46, 0.01);
  EXPECT_NEAR(o.momentum, 0.27, 0.005);
  EXPECT_NEAR(o.energy, 0.47, 0.005);
}

TEST(Invariants, ProjectionKeepsTheEnergyButNotTheRosette) {
  const Orbit o = orbit(euler, Invariants{});
  EXPECT_NEAR(o.nearest, 0.545, 0.001);
  EXPECT_NEAR(o.farthest, 1.168, 0.001);
  EXPECT_NEAR(o.momentum, 8.8e-2, 0.001);
  EXPECT_LT(o.energy, 4e-15);
  const Orbit other = orbit(euler, Invariants{}, 0.0025);
  EXPECT_NEAR(other.nearest, 0.543, 0.001);
  EXPECT_NEAR(other.farthest, 1.310, 0.001);
  const Orbit half = orbit(euler, Invariants{}, 0.005, 50.0);
  EXPECT_NEAR(half.nearest, 0.485, 0.001);
  EXPECT_NEAR(half.farthest, 1.235, 0.001);
}

TEST(Invariants, OnTheOutputOnlyLeaveTheRecurrenceAlone) {
  const Orbit plain = orbit(euler, None{}, 0.005, 10.0), output = orbit(euler, Invariants{true}, 0.005, 10.0);
  EXPECT_LT(output.energy, 4e-15);
  EXPECT_GT(plain.energy, 1e-2);
  const auto steps = [](const Projection& projection) {
    return run(kepler(), formulation::Index1{},
               {.stop = 10.0, .method = method::ExplicitRungeKutta{}, .projection = projection, .tolerance = 1e-5});
  };
  EXPECT_EQ(steps(Invariants{true}).statistics.steps, steps(None{}).statistics.steps);
  EXPECT_EQ(steps(Invariants{true}).statistics.rejected_steps, steps(None{}).statistics.rejected_steps);
}

// Symplectic Euler keeps the rosette; projecting its recurrence destroys that, projecting the output does not.
TEST(Invariants, OfASymplecticMethodMustNotBeProjectedInTheRecurrence) {
  const Method symplectic = method::Symplectic{method::SymplecticKind::Euler};
  const Orbit plain = orbit(symplectic, None{});
  EXPECT_NEAR(plain.farthest - plain.nearest, 0.913, 0.01 * 0.913);
  EXPECT_NEAR(plain.energy, 1.4e-2, 0.1e-2);
  EXPECT_LT(std::abs(plain.momentum), 1e-12);
  const Orbit projected = orbit(symplectic, Invariants{});
  EXPECT_NEAR(projected.nearest, 0.566, 0.001);
  EXPECT_NEAR(projected.farthest, 1.146, 0.001);
  EXPECT_NEAR(projected.momentum, 9.7e-2, 0.001);
  EXPECT_LT(projected.energy, 4e-15);
  const Orbit output = orbit(symplectic, Invariants{true});
  EXPECT_NEAR(output.farthest - output.nearest, 0.913, 0.01 * 0.913);
  EXPECT_LT(output.energy, 4e-15);
}

// A reaction keeps x + y: so does every Runge-Kutta and every linear multistep method, whatever the step size.
TEST(Invariants, LinearOnesAreKeptByEveryMethod) {
  ModelBuilder m("Reaction");
  const Expr x = m.variable("x", {.start = 1.0, .fixed = true}), y = m.variable("y", {.start = 0.5, .fixed = true});
  m.equation(der(x) == -2.0 * x + 3.0 * y * y);
  m.equation(der(y) == 2.0 * x - 3.0 * y * y);
  for (const Method& method :
       {euler, Method(method::ExplicitRungeKutta{method::Explicit::Rk4}), Method(method::ExplicitRungeKutta{}),
        Method(method::ConstantBdf{1}), Method(method::ConstantBdf{3}),
        Method(method::Multistep{{1.0, -1.0}, {0.5, 0.5}}), Method(method::Radau{2}), Method(method::Gauss{2})}) {
    Model model = m.build();
    const Solution s = run(std::move(model), formulation::Dummy{}, {.stop = 2.0, .method = method, .step = 0.1});
    EXPECT_GT(std::abs(s.final("x") - 1.0), 0.01);
    EXPECT_NEAR(s.final("x") + s.final("y"), 1.5, 1e-14) << to_string(method);
  }
}

}  // namespace
}  // namespace driftless
