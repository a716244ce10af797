// Models assembled from the parts of libraries/Driftless against closed forms, invariants and small integrations of
// their own.
#include <array>
#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "driftless/language/read.hpp"
#include "driftless/simulation.hpp"

namespace driftless {
namespace {

using namespace testing;

constexpr double pi = std::numbers::pi, g = 9.81;

Model read(const std::string& name) {
  ReadOptions options;
  options.libraries = {DRIFTLESS_SOURCE_DIR "/libraries"};
  return read_model_file(DRIFTLESS_SOURCE_DIR "/models/library/" + name + ".mo", options);
}

Solution run(const std::string& name, double tolerance = 1e-9) {
  SimulateOptions options;
  options.tolerance = tolerance;
  options.intervals = 200;
  const Solution solution = simulate(read(name), options);
  EXPECT_EQ(solution.outcome, Outcome::Success) << solution.message;
  return solution;
}

TEST(Parts, GearTrain) {
  const Solution s = run("gear_train");
  const double inertia = 0.1 + 2.0 / 9 + 5.0 / 144, angle = 0.5 * 4.0 / inertia;
  EXPECT_NEAR(s.final("motor.phi"), angle, 1e-8);
  EXPECT_NEAR(s.final("load.phi"), angle / 12, 1e-8);
  EXPECT_NEAR(s.final("load.flange_a.tau"), 5 / inertia / 12, 1e-8);
}

// Momenta along the gear's constraint, and the energy with the spring.
TEST(Parts, PlanetaryGear) {
  const Solution s = run("planetary_gear");
  const auto sun = s.column("sun.w"), carrier = s.column("carrier.w"), ring = s.column("ring.w"),
             angle = s.column("ring.phi");
  for (std::size_t k = 0; k < s.times.size(); ++k) {
    EXPECT_NEAR(3 * carrier[k], sun[k] + 2 * ring[k], 1e-8);
    const double energy = 0.5 * (0.5 * sun[k] * sun[k] + carrier[k] * carrier[k] + 0.8 * ring[k] * ring[k]) +
                          0.5 * 4 * angle[k] * angle[k];
    EXPECT_NEAR(energy, 0.5 * (0.5 * 4 + 0.8 * 1), 1e-7);
  }
}

// x = (current, speed, integral part), by the classical method of order 4 with small steps.
TEST(Parts, DCMotor) {
  const Solution s = run("dc_motor");
  const auto slope = [](double t, const std::array<double, 3>& x) {
    const double error = (t >= 0.1 ? 20 : 0) - x[1], voltage = error + x[2];
    return std::array<double, 3>{(voltage - 0.5 * x[0] - 0.4 * x[1]) / 0.01, 0.4 * x[0] / (0.02 + 0.1 / 25),
                                 error / 0.2};
  };
  std::array<double, 3> x{};
  const double h = 1e-4;
  for (int k = 1000; k < 30000; ++k) {
    const auto moved = [&](const std::array<double, 3>& d, double by) {
      return std::array<double, 3>{x[0] + by * d[0], x[1] + by * d[1], x[2] + by * d[2]};
    };
    const double t = 1.0;  // any time behind the step of the wanted speed
    const auto a = slope(t, x), b = slope(t, moved(a, h / 2)), c = slope(t, moved(b, h / 2)), d = slope(t, moved(c, h));
    for (std::size_t i = 0; i < 3; ++i) x[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  EXPECT_NEAR(s.final("inductor.i"), x[0], 1e-6);
  EXPECT_NEAR(s.final("rotor.w"), x[1], 1e-6);
  EXPECT_NEAR(s.final("controller.x"), x[2], 1e-6);
  EXPECT_NEAR(s.final("load.w"), x[1] / 5, 1e-6);
}

TEST(Parts, ParallelCapacitors) {
  const Solution s = run("parallel_capacitors");
  const double w = 2 * pi * 50, T = 1000 * 1e-6, t = s.times.back();
  // T v' + v = 10 sin(w t), v(0) = 0
  const double v = 10 / (1 + w * w * T * T) * (std::sin(w * t) - w * T * std::cos(w * t) + w * T * std::exp(-t / T));
  EXPECT_NEAR(s.final("third.v"), v, 1e-7);
  EXPECT_NEAR(s.final("second.i"), 2e-6 * 10 * w * std::cos(w * t), 1e-9);
}

TEST(Parts, BridgeRectifier) {
  const Solution s = run("bridge_rectifier");
  const auto v = s.column("load.v");
  for (std::size_t k = 0; k < s.times.size(); ++k)
    EXPECT_NEAR(v[k], std::abs(10 * std::sin(2 * pi * 50 * s.times[k])), 1e-5) << s.times[k];
}

struct Bar {
  std::string name;
  double mass, inertia;
};

// Kinetic and potential energy of all bodies stay what they were.
void expect_energy(const Solution& s, const std::vector<Bar>& bars, double tolerance) {
  double first = 0.0;
  for (std::size_t k = 0; k < s.times.size(); ++k) {
    double energy = 0.0;
    for (const Bar& bar : bars) {
      const auto value = [&](const std::string& what) { return s.column(bar.name + what)[k]; };
      const double vx = value(".v[1]"), vy = value(".v[2]"), w = value(".w");
      energy += 0.5 * bar.mass * (vx * vx + vy * vy) + 0.5 * bar.inertia * w * w + bar.mass * g * value(".r[2]");
    }
    if (k == 0) first = energy;
    EXPECT_NEAR(energy, first, tolerance * (1 + std::abs(first))) << s.times[k];
  }
}

TEST(Parts, SliderCrank) {
  const Solution s = run("slider_crank");
  expect_energy(s, {{"crank.body", 1, 0.01 / 12}, {"rod.body", 0.5, 0.5 * 0.09 / 12}, {"piston", 0.8, 0.01}}, 1e-6);
  const auto phi = s.column("bearing.phi"), x = s.column("piston.r[1]");
  for (std::size_t k = 0; k < s.times.size(); ++k) {
    const double c = std::cos(phi[k]), sine = std::sin(phi[k]);
    const double reach = std::sqrt(0.09 - 0.01 * sine * sine);
    EXPECT_NEAR(std::abs(x[k] - 0.1 * c), reach, 1e-8);
  }
}

TEST(Parts, FourBar) {
  const Solution s = run("four_bar");
  expect_energy(s, {{"crank.body", 1, 1.0 / 12}, {"coupler.body", 3, 3 * 16.0 / 12}, {"rocker.body", 2, 2 * 6.25 / 12}},
                1e-6);
  const auto bx = s.column("crank.frame_b.x"), by = s.column("crank.frame_b.y"), cx = s.column("coupler.frame_b.x"),
             cy = s.column("coupler.frame_b.y");
  for (std::size_t k = 0; k < s.times.size(); ++k) {
    EXPECT_NEAR(std::hypot(bx[k], by[k]), 1, 1e-9);
    EXPECT_NEAR(std::hypot(cx[k] - bx[k], cy[k] - by[k]), 4, 1e-8);
    EXPECT_NEAR(std::hypot(cx[k] - 4, cy[k]), 2.5, 1e-8);
  }
}

TEST(Parts, Pendulum) {
  const Solution s = run("pendulum_of_parts");
  expect_energy(s, {{"bob", 2, 0.1}}, 1e-6);
  const auto x = s.column("bob.r[1]"), y = s.column("bob.r[2]");
  for (std::size_t k = 0; k < s.times.size(); ++k) EXPECT_NEAR(std::hypot(x[k], y[k]), 1, 1e-9);
}

TEST(Parts, HeatedRod) {
  const Solution s = run("heated_rod");
  // Two slow modes are left at the end: the heat that the rod holds is what came in less what went out.
  EXPECT_NEAR(s.final("rod.port_a.T") - s.final("rod.port_b.T"), 50 / 2.0, 0.5);
  EXPECT_NEAR(s.final("rod.port_b.T") - 293.15, 50 / 1.5, 0.5);
}

TEST(Parts, Clutch) {
  const Solution s = run("clutch_of_parts");
  EXPECT_NEAR(s.final("left.w"), 2, 1e-9);
  EXPECT_NEAR(s.final("right.w"), 2, 1e-9);
}

TEST(Parts, HydraulicLift) {
  const Solution s = run("hydraulic_lift");
  EXPECT_NEAR(s.final("platform.s"), 2 * 1e-4 / 3e-3, 1e-9);
  EXPECT_NEAR(s.final("left.port.p"), 981 / 3e-3, 1e-3);
}

}  // namespace
}  // namespace driftless
