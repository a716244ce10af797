// Mechanisms assembled from the parts of Driftless.Planar: energy, momentum, and the geometry of their loops.
#include <cmath>
#include <numbers>

#include "tests/library/assembled.hpp"

namespace driftless {
namespace {

using assembled::run;

constexpr double pi = std::numbers::pi, g = 9.81;

double energy_of(const Solution& s, std::size_t k, const std::string& body, double mass, double inertia,
                 double gravity = g) {
  const auto value = [&](const char* what) { return s.column(body + what)[k]; };
  const double vx = value(".v[1]"), vy = value(".v[2]"), w = value(".w");
  return 0.5 * mass * (vx * vx + vy * vy) + 0.5 * inertia * w * w + mass * gravity * value(".r[2]");
}

TEST(Mechanisms, DoublePendulum) {
  const Solution s = run("double_pendulum_of_parts");
  const auto energy = [&](std::size_t k) {
    return energy_of(s, k, "upper.body", 1, 1.0 / 12) + energy_of(s, k, "lower.body", 2, 2 * 0.64 / 12);
  };
  const auto phi = s.column("shoulder.phi"), psi = s.column("elbow.phi"), x = s.column("lower.frame_b.x");
  for (std::size_t k = 0; k < s.times.size(); ++k) {
    EXPECT_NEAR(energy(k), energy(0), 1e-6);
    EXPECT_NEAR(x[k], std::cos(phi[k]) + 0.8 * std::cos(phi[k] + psi[k]), 1e-9);
  }
}

// Nothing pushes the crane along its rail, so its momentum stays zero.
TEST(Mechanisms, Crane) {
  const Solution s = run("planar_crane");
  const auto trolley = s.column("trolley.v[1]"), load = s.column("rope.body.v[1]");
  const auto energy = [&](std::size_t k) {
    return energy_of(s, k, "trolley", 5, 1) + energy_of(s, k, "rope.body", 1, 4.0 / 12);
  };
  double fastest = 0;
  for (std::size_t k = 0; k < s.times.size(); ++k) {
    EXPECT_NEAR(5 * trolley[k] + load[k], 0, 1e-6);
    EXPECT_NEAR(energy(k), energy(0), 1e-6);
    fastest = std::max(fastest, std::abs(trolley[k]));
  }
  EXPECT_GT(fastest, 0.1);
}

class Engines : public ::testing::TestWithParam<int> {};

// Each piston is where the crank and its rod put it; the energy is that of the flywheel and the pistons.
TEST_P(Engines, PistonsFollowTheCrank) {
  const int n = GetParam();
  const Solution s = run("engine_" + std::to_string(n), 1e-8);
  const auto phi = s.column("bearing.phi"), w = s.column("flywheel.w");
  double first = 0;
  for (std::size_t k = 0; k < s.times.size(); ++k) {
    double energy = 0.5 * 0.05 * w[k] * w[k];
    for (int c = 1; c <= n; ++c) {
      const std::string piston = "piston[" + std::to_string(c) + "]";
      const double angle = phi[k] + 2 * c * pi / n, sine = std::sin(angle);
      ASSERT_NEAR(s.column(piston + ".r[1]")[k], 0.05 * std::cos(angle) + std::sqrt(0.04 - 0.0025 * sine * sine), 1e-7);
      const double v = s.column(piston + ".v[1]")[k];
      energy += 0.5 * 0.4 * v * v;
    }
    if (k == 0) first = energy;
    ASSERT_NEAR(energy, first, 1e-5 * first);
  }
  EXPECT_GT(phi[s.times.size() - 1], 2 * pi);
}

INSTANTIATE_TEST_SUITE_P(Cylinders, Engines, ::testing::Values(2, 3, 4, 6));

}  // namespace
}  // namespace driftless
