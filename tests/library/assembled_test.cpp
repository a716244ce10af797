// Circuits, drives, heat and liquids assembled from the parts of libraries/Driftless, against closed forms and small
// integrations of their own.
#include <array>
#include <cmath>
#include <numbers>

#include "tests/library/assembled.hpp"

namespace driftless {
namespace {

using assembled::expect_course;
using assembled::run;

constexpr double pi = std::numbers::pi, g = 9.81;

// x' = slope(x) from x by the classical method of order 4 with small steps.
template <std::size_t N, class Slope>
std::array<double, N> integrate(std::array<double, N> x, Slope slope, double stop, int steps) {
  const double h = stop / steps;
  const auto moved = [&](const std::array<double, N>& d, double by) {
    std::array<double, N> y = x;
    for (std::size_t i = 0; i < N; ++i) y[i] += by * d[i];
    return y;
  };
  for (int k = 0; k < steps; ++k) {
    const auto a = slope(x), b = slope(moved(a, h / 2)), c = slope(moved(b, h / 2)), d = slope(moved(c, h));
    for (std::size_t i = 0; i < N; ++i) x[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return x;
}

TEST(Circuits, SeriesOfCoilCapacitorAndResistor) {
  const double w = std::sqrt(96.0);
  expect_course(
      run("rlc_series"), "capacitor.v",
      [&](double t) { return 5 * std::exp(-2 * t) * (std::cos(w * t) + 2 / w * std::sin(w * t)); }, 1e-6);
}

TEST(Circuits, CoilAndCapacitor) {
  expect_course(
      run("lc_circuit"), "capacitor.v", [](double t) { return 3 * std::cos(2 * t); }, 1e-6);
}

TEST(Circuits, LadderOfResistorsAndCapacitors) {
  const Solution s = run("rc_ladder");
  const auto v = integrate<10>(
      {},
      [](const std::array<double, 10>& u) {
        std::array<double, 10> d;
        for (std::size_t k = 0; k < 10; ++k)
          d[k] = 10 * ((k > 0 ? u[k - 1] : 1.0) - u[k] - (k < 9 ? u[k] - u[k + 1] : 0.0));
        return d;
      },
      2, 4000);
  for (std::size_t k = 0; k < 10; ++k) EXPECT_NEAR(s.final("capacitor[" + std::to_string(k + 1) + "].v"), v[k], 1e-7);
}

// Between opposite corners of a mesh of two by two squares lie 3/2 ohms.
TEST(Circuits, MeshOfResistors) { EXPECT_NEAR(run("resistor_mesh").final("source.i"), -2.0 / 3, 1e-12); }

TEST(Circuits, WheatstoneBridge) {
  const double inside = 100 * 200 / 300.0 + 300 * 500 / 800.0;  // Thevenin's resistance
  EXPECT_NEAR(run("wheatstone_bridge").final("meter.i"), (10 * 200 / 300.0 - 10 * 500 / 800.0) / (inside + 1000),
              1e-12);
}

// The diode has the resistance 1e-5 while it conducts, and the conductance 1e-5 while it blocks.
TEST(Circuits, HalfWaveRectifier) {
  const Solution s = run("half_wave_rectifier");
  expect_course(
      s, "load.v",
      [](double t) {
        const double v = 10 * std::sin(2 * pi * 50 * t);
        return v * 100 / (100 + (v > 0 ? 1e-5 : 1e5));
      },
      1e-6);
}

// 2 ohms behind the ratio 5 are 50 ohms.
TEST(Circuits, LoadBehindATransformer) {
  expect_course(
      run("transformer_load"), "load.v", [](double t) { return 230 * std::sin(2 * pi * 50 * t) / 6; }, 1e-9);
}

TEST(Circuits, CoupledCoils) {
  const Solution s = run("coupled_coils");
  const auto i = integrate<2>(
      {},
      [](const std::array<double, 2>& x) {
        const double v1 = 1 - x[0], v2 = -3 * x[1];
        return std::array<double, 2>{v1 - v2, 2 * v2 - v1};
      },
      3, 4000);
  EXPECT_NEAR(s.final("coils.i1"), i[0], 1e-7);
  EXPECT_NEAR(s.final("coils.i2"), i[1], 1e-7);
}

// A capacitor C behind a gyrator G is a coil of C/G^2.
TEST(Circuits, GyratorMakesACoil) {
  const double L = 2 / (0.5 * 0.5);
  expect_course(
      run("gyrator_inductor"), "gyrator.i1", [&](double t) { return (1 - std::cos(2 * pi * t)) / (2 * pi * L); }, 1e-7);
}

TEST(Circuits, AmplifierIntegrates) {
  expect_course(
      run("opamp_integrator"), "amplifier.out.v", [](double t) { return -2 * (1 - std::cos(pi * t)) / pi; }, 1e-6);
}

TEST(Drives, FirstModeOfThreeMasses) {
  const Solution s = run("mass_chain");
  const double w = std::sqrt(100 * (2 - std::sqrt(2.0)));
  for (const int k : {1, 2, 3})
    expect_course(
        s, "mass[" + std::to_string(k) + "].s", [&](double t) { return std::sin(k * pi / 4) * std::cos(w * t); }, 1e-6);
}

TEST(Drives, MassOnSpringAndDamper) {
  const double w = std::sqrt(24.0);
  expect_course(
      run("damped_mass"), "mass.s",
      [&](double t) { return 0.2 * (1 - std::exp(-t) * (std::cos(w * t) + std::sin(w * t) / w)); }, 1e-7);
}

TEST(Drives, ElasticShaft) {
  const Solution s = run("torsional_pair");
  expect_course(
      s, "motor.w", [](double t) { return 2 + std::cos(6 * t); }, 1e-6);
  expect_course(
      s, "load.w", [](double t) { return 2 - 2 * std::cos(6 * t); }, 1e-6);
}

TEST(Drives, Winch) {
  const Solution s = run("winch");
  const double acceleration = (30 - 98.1 / 5) / (0.5 + 10.0 / 25);
  EXPECT_NEAR(s.final("drum.phi"), 2 * acceleration, 1e-7);
  EXPECT_NEAR(s.final("mass.s"), 2 * acceleration / 5, 1e-7);
}

TEST(Drives, FiveGears) {
  const Solution s = run("five_gears");
  double inertia = 1;
  for (int k = 1; k <= 5; ++k) inertia += std::pow(4, -k);
  EXPECT_NEAR(s.final("first.phi"), 9 / inertia, 1e-7);
  EXPECT_NEAR(s.final("shaft[5].phi"), 9 / inertia / 32, 1e-8);
}

TEST(Heat, BodyInAir) {
  expect_course(
      run("cooling_body"), "body.T", [](double t) { return 300 + 100 * std::exp(-t / 100); }, 1e-5);
}

TEST(Heat, TwoBodies) {
  const Solution s = run("two_bodies_of_heat");
  expect_course(
      s, "hot.T", [](double t) { return 300 + 60 * std::exp(-t / 5); }, 1e-5);
  expect_course(
      s, "cold.T", [](double t) { return 300 - 20 * std::exp(-t / 5); }, 1e-5);
}

TEST(Heat, LayersOfAWall) {
  const Solution s = run("layered_wall");
  EXPECT_NEAR(s.final("layer[2].Q_flow"), 12.5, 1e-10);
  EXPECT_NEAR(s.final("layer[3].port_a.T"), 293 - 12.5 * 2.1, 1e-9);
}

// T^-3 grows linearly in time.
TEST(Heat, RadiationIntoSpace) {
  expect_course(
      run("radiating_body"), "body.T",
      [](double t) { return std::pow(std::pow(600.0, -3) + 3 * 5.670374419e-8 * t / 1000, -1.0 / 3); }, 1e-4);
}

TEST(Liquids, TwoTanks) {
  const Solution s = run("two_tanks");
  const auto difference = [](double t) { return 2 * std::exp(-1.5 * 1000 * g / 1e6 * t); };
  expect_course(
      s, "left.h", [&](double t) { return 7.0 / 3 + difference(t) / 3; }, 1e-7);
  expect_course(
      s, "right.h", [&](double t) { return 7.0 / 3 - 2 * difference(t) / 3; }, 1e-7);
}

TEST(Liquids, TankDrainsByTorricelli) {
  const double k = 0.6e-3 * std::sqrt(2 * g) / 0.5;
  expect_course(
      run("draining_tank"), "tank.h", [&](double t) { return std::pow(std::sqrt(2.0) - k * t / 2, 2); }, 1e-6);
}

TEST(Liquids, WaterSwingsInATube) {
  const Solution s = run("u_tube");
  const double w = std::sqrt(2 * 1000 * g / (2e5 * 0.01));
  expect_course(
      s, "left.h", [&](double t) { return 1 + 0.2 * std::cos(w * t); }, 1e-6);
}

}  // namespace
}  // namespace driftless
