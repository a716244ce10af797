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

class VEngines : public ::testing::TestWithParam<int> {};

// The same in two rows at +45 and -45 degrees.
TEST_P(VEngines, PistonsFollowTheCrank) {
  const int throws = GetParam() / 2;
  const Solution s = run("v_engine_" + std::to_string(GetParam()), 1e-8);
  const auto phi = s.column("bearing.phi"), w = s.column("flywheel.w");
  std::vector<double> energy(s.times.size());
  for (std::size_t k = 0; k < energy.size(); ++k) energy[k] = 0.5 * 0.06 * w[k] * w[k];
  for (int c = 1; c <= throws; ++c)
    for (const int row : {1, 2}) {
      const std::string number = "[" + std::to_string(c) + "," + std::to_string(row) + "]";
      const auto place = s.column("cylinder" + number + ".s"), v = s.column("cylinder" + number + ".v");
      for (std::size_t k = 0; k < energy.size(); ++k) {
        const double angle = phi[k] + 2 * c * pi / throws - (row == 1 ? pi / 4 : -pi / 4), sine = std::sin(angle);
        ASSERT_NEAR(place[k], 0.05 * std::cos(angle) + std::sqrt(0.04 - 0.0025 * sine * sine), 1e-7);
        energy[k] += 0.5 * 0.4 * v[k] * v[k];
      }
    }
  for (const double each : energy) ASSERT_NEAR(each, energy.front(), 1e-5 * energy.front());
  EXPECT_GT(phi.back(), 2 * pi);
}

INSTANTIATE_TEST_SUITE_P(Cylinders, VEngines, ::testing::Values(2, 6, 8));

// Inversion in a circle turns the circle of the crank, which passes through the pole, into a line.
TEST(Mechanisms, StraightLineByPeaucellier) {
  const Solution s = run("peaucellier");
  const auto x = s.column("pen.r[1]"), y = s.column("pen.r[2]"), phi = s.column("crank.phi");
  for (std::size_t k = 0; k < s.times.size(); ++k) {
    EXPECT_NEAR(phi[k], std::sin(0.4 * pi * s.times[k]), 1e-9);
    EXPECT_NEAR(x[k], 16.0 / 3, 1e-8);
    EXPECT_NEAR(y[k], 16.0 / 3 * std::tan(phi[k] / 2), 1e-8);
  }
}

// Every point of the plank moves as the end of a rod.
TEST(Mechanisms, SwingIsAPendulum) {
  const Solution s = run("swing");
  double angle = 0.8, w = 0;
  const int steps = 20;  // of order 4, between two output points
  const auto x = s.column("plank.body.r[1]"), phi = s.column("plank.body.phi");
  for (std::size_t k = 0; k < s.times.size(); ++k) {
    EXPECT_NEAR(x[k], 1 + 1.5 * std::sin(angle), 1e-6);
    EXPECT_NEAR(phi[k], 0, 1e-9);
    const double h = k + 1 < s.times.size() ? (s.times[k + 1] - s.times[k]) / steps : 0.0;
    for (int n = 0; n < steps; ++n) {
      const auto a = [](double q) { return -g / 1.5 * std::sin(q); };
      const double k1 = a(angle), k2 = a(angle + h / 2 * w), k3 = a(angle + h / 2 * w + h * h / 4 * k1),
                   k4 = a(angle + h * w + h * h / 2 * k2);
      angle += h * w + h * h / 6 * (k1 + k2 + k3);
      w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
  }
}

// The wheels count with m + I/r^2.
TEST(Mechanisms, CartOnWheels) {
  const Solution s = run("rolling_cart");
  const double acceleration = 30 / (20 + 2 * (2 + 0.16 / (0.4 * 0.4)));
  const auto x = s.column("chassis.r[1]"), normal = s.column("wheel[1].normal"), other = s.column("wheel[2].normal");
  for (std::size_t k = 0; k < s.times.size(); ++k) {
    EXPECT_NEAR(x[k], acceleration * s.times[k] * s.times[k] / 2, 1e-8);
    EXPECT_NEAR(normal[k] + other[k], 24 * g, 1e-8);
  }
}

// The axes of both wheels meet in a point that stays, and no force does work.
TEST(Mechanisms, TricycleOnACircle) {
  const Solution s = run("tricycle");
  const double radius = 1.5 / std::tan(0.4), w = 3 / radius;
  const auto x = s.column("chassis.r[1]"), y = s.column("chassis.r[2]"), front = s.column("front_axle.w");
  for (std::size_t k = 0; k < s.times.size(); ++k) {
    EXPECT_NEAR(x[k], radius * std::sin(w * s.times[k]), 1e-7);
    EXPECT_NEAR(y[k], radius * (1 - std::cos(w * s.times[k])), 1e-7);
    EXPECT_NEAR(front[k], 10 / std::cos(0.4), 1e-7);
  }
}

}  // namespace
}  // namespace driftless
