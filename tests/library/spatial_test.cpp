// Mechanisms in space, assembled from the parts of libraries/Driftless/Spatial.mo.
#include <array>
#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "driftless/language/read.hpp"
#include "driftless/simulation.hpp"

namespace driftless {
namespace {

constexpr double g = 9.81;

Solution run(const std::string& name, double tolerance = 1e-9) {
  ReadOptions reading;
  reading.libraries = {DRIFTLESS_SOURCE_DIR "/libraries"};
  SimulateOptions options;
  options.tolerance = tolerance;
  options.intervals = 200;
  const Solution solution =
      simulate(read_model_file(DRIFTLESS_SOURCE_DIR "/models/library/" + name + ".mo", reading), options);
  EXPECT_EQ(solution.outcome, Outcome::Success) << solution.message;
  return solution;
}

// A circle at constant height; the tension carries the weight.
TEST(Spatial, ConicalPendulum) {
  const Solution s = run("conical_pendulum");
  const double L = 2, theta = 0.6, omega = std::sqrt(g / (L * std::cos(theta)));
  const auto x = s.column("bob.r_0[1]"), y = s.column("bob.r_0[2]"), z = s.column("bob.r_0[3]"),
             tension = s.column("rod.tension");
  for (std::size_t k = 0; k < s.times.size(); ++k) {
    EXPECT_NEAR(x[k], L * std::sin(theta) * std::cos(omega * s.times[k]), 1e-6);
    EXPECT_NEAR(y[k], L * std::sin(theta) * std::sin(omega * s.times[k]), 1e-6);
    EXPECT_NEAR(z[k], -L * std::cos(theta), 1e-7);
    EXPECT_NEAR(tension[k], 3 * g / std::cos(theta), 1e-5);
  }
}

// Steady precession: the torque of the weight turns the angular momentum, and the angle stays.
TEST(Spatial, PrecessingTop) {
  const Solution s = run("precessing_top");
  const auto turned = s.column("precession.phi"), angle = s.column("nutation.phi"), spin = s.column("axis.w");
  for (std::size_t k = 0; k < s.times.size(); ++k) {
    EXPECT_NEAR(turned[k], 2 * s.times[k], 1e-6);
    EXPECT_NEAR(angle[k], 0.5, 1e-6);
    EXPECT_NEAR(spin[k], spin[0], 1e-6);
  }
}

// The rod keeps its length, and the energy of wheel, slider and weight stays.
TEST(Spatial, SliderCrank) {
  const Solution s = run("spatial_slider_crank");
  const auto phi = s.column("crank.phi"), w = s.column("crank.w"), slider = s.column("guide.s"),
             v = s.column("guide.v");
  const double R = 0.1, L = 0.4, h = 0.12;
  const auto energy = [&](std::size_t k) { return 0.5 * 0.05 * w[k] * w[k] + 0.5 * 0.5 * v[k] * v[k]; };
  for (std::size_t k = 0; k < s.times.size(); ++k) {
    const double y = R * std::cos(phi[k]), z = h + R * std::sin(phi[k]);
    EXPECT_NEAR(slider[k], std::sqrt(L * L - y * y - z * z), 1e-8);
    EXPECT_NEAR(energy(k), energy(0), 1e-7);
  }
  EXPECT_GT(phi.back(), 10);
}

// tan(b) = tan(a)/cos(beta), and the motor feels the inertia of the second shaft by the ratio of the speeds.
TEST(Spatial, UniversalJoint) {
  const Solution s = run("cardan_shaft");
  const double c = std::cos(std::numbers::pi / 6);
  const auto a = s.column("driving.phi"), b = s.column("driven.phi"), wb = s.column("driven.w"),
             torque = s.column("driving.tau");
  for (std::size_t k = 0; k < s.times.size(); ++k) {
    EXPECT_NEAR(a[k], 3 * s.times[k], 1e-8);
    const double turns = std::floor((a[k] + std::numbers::pi) / (2 * std::numbers::pi));
    EXPECT_NEAR(b[k], std::atan2(std::sin(a[k]), c * std::cos(a[k])) + 2 * std::numbers::pi * turns, 1e-7);
    const double below = 1 - (1 - c * c) * std::cos(a[k]) * std::cos(a[k]), ratio = c / below;
    EXPECT_NEAR(wb[k], 3 * ratio, 1e-6);
    const double slope = -c * (1 - c * c) * std::sin(2 * a[k]) / (below * below);  // of the ratio, by a
    EXPECT_NEAR(torque[k], 0.05 * 9 * slope * ratio, 1e-6);
  }
}

TEST(Spatial, TwoUniversalJointsTurnEvenly) {
  const Solution s = run("double_cardan");
  const auto a = s.column("driving.phi"), b = s.column("driven.phi"), w = s.column("driving.w");
  for (std::size_t k = 0; k < s.times.size(); ++k) {
    EXPECT_NEAR(a[k], 3 * s.times[k], 1e-7);
    EXPECT_NEAR(b[k], a[k], 1e-7);
    EXPECT_NEAR(w[k], 3, 1e-7);
  }
}

// The spherical pendulum below the tip of the jib, by a method of order 4 with the force in the rope written out.
TEST(Spatial, TowerCrane) {
  using Vector = std::array<double, 3>;
  const Solution s = run("tower_crane");
  const double R = 5, height = 10, L = 3, omega = 0.8;
  const auto tip = [&](double t) { return Vector{R * std::cos(omega * t), R * std::sin(omega * t), height}; };
  const auto acceleration = [&](double t, const Vector& x, const Vector& v) {
    const Vector p = tip(t), pv{-omega * p[1], omega * p[0], 0}, pa{-omega * omega * p[0], -omega * omega * p[1], 0};
    double speed2 = 0, weight = 0;
    for (int i = 0; i < 3; ++i) {
      speed2 += (v[i] - pv[i]) * (v[i] - pv[i]);
      weight += (x[i] - p[i]) * ((i == 2 ? -g : 0) - pa[i]);
    }
    Vector a;
    for (int i = 0; i < 3; ++i) a[i] = (i == 2 ? -g : 0) - (speed2 + weight) / (L * L) * (x[i] - p[i]);
    return a;
  };
  Vector x{s.column("load.r_0[1]")[0], s.column("load.r_0[2]")[0], s.column("load.r_0[3]")[0]};
  Vector v{s.column("load.v_0[1]")[0], s.column("load.v_0[2]")[0], s.column("load.v_0[3]")[0]};
  EXPECT_NEAR(std::hypot(x[0] - R, x[1], x[2] - height), L, 1e-9);
  const int steps = 5000;
  const double h = 5.0 / steps;
  const auto moved = [](const Vector& a, const Vector& d, double by) {
    return Vector{a[0] + by * d[0], a[1] + by * d[1], a[2] + by * d[2]};
  };
  for (int n = 0; n < steps; ++n) {
    const double t = n * h;
    const Vector a1 = acceleration(t, x, v), v2 = moved(v, a1, h / 2),
                 a2 = acceleration(t + h / 2, moved(x, v, h / 2), v2), v3 = moved(v, a2, h / 2),
                 a3 = acceleration(t + h / 2, moved(x, v2, h / 2), v3), v4 = moved(v, a3, h),
                 a4 = acceleration(t + h, moved(x, v3, h), v4);
    for (int i = 0; i < 3; ++i) {
      x[i] += h / 6 * (v[i] + 2 * v2[i] + 2 * v3[i] + v4[i]);
      v[i] += h / 6 * (a1[i] + 2 * a2[i] + 2 * a3[i] + a4[i]);
    }
  }
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(s.final("load.r_0[" + std::to_string(i + 1) + "]"), x[i], 1e-6);
}

// The rod keeps its length, and the energy of wheel and rocker stays.
TEST(Spatial, FourBar) {
  const Solution s = run("spatial_four_bar");
  const auto a = s.column("crank.phi"), b = s.column("rocker.phi"), wa = s.column("crank.w"), wb = s.column("rocker.w");
  const auto energy = [&](std::size_t k) {
    return 0.5 * 0.5 * wa[k] * wa[k] + 0.5 * (0.1 + 0.25) * wb[k] * wb[k] + g * 0.5 * std::sin(b[k]);
  };
  for (std::size_t k = 0; k < s.times.size(); ++k) {
    const double x = 1.5 - 0.2 * std::cos(a[k]), y = -1 + std::cos(b[k]) - 0.2 * std::sin(a[k]), z = std::sin(b[k]);
    EXPECT_NEAR(x * x + y * y + z * z, 3.3, 1e-8);
    EXPECT_NEAR(energy(k), energy(0), 1e-6);
  }
  EXPECT_GT(a.back(), 6);
}

// Lengths that were computed from a course give that course, and the legs carry weight and acceleration together.
TEST(Spatial, StewartPlatform) {
  const Solution s = run("stewart_platform");
  const auto x = s.column("platform.r_0[1]"), y = s.column("platform.r_0[2]"), z = s.column("platform.r_0[3]"),
             w = s.column("platform.w[3]"), force = s.column("platform.frame.f[3]");
  for (std::size_t k = 0; k < s.times.size(); ++k) {
    const double t = s.times[k];
    EXPECT_NEAR(x[k], 0.2 * std::sin(t), 1e-7);
    EXPECT_NEAR(y[k], 0.1 * std::sin(2 * t), 1e-7);
    EXPECT_NEAR(z[k], 2 + 0.15 * (1 - std::cos(t)), 1e-7);
    EXPECT_NEAR(w[k], 0, 1e-7);
    EXPECT_NEAR(force[k], 50 * (g + 0.15 * std::cos(t)), 1e-5);
  }
}

}  // namespace
}  // namespace driftless
