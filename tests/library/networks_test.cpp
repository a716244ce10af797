// Networks assembled from the parts of libraries/Driftless: meshes, bridges, lines, coupled circuits, rooms.
#include <cmath>
#include <complex>
#include <numbers>

#include "tests/library/assembled.hpp"

namespace driftless {
namespace {

using assembled::expect_course;
using assembled::run;

constexpr double pi = std::numbers::pi;

// Between opposite corners of a cube lie 5/6 of the resistance of an edge.
TEST(Networks, CubeOfResistors) {
  const Solution s = run("resistor_cube");
  EXPECT_NEAR(s.final("source.i"), -2.0, 1e-12);
  EXPECT_NEAR(s.final("edge[1].i"), 2.0 / 3, 1e-12);
  EXPECT_NEAR(s.final("edge[4].i"), 1.0 / 3, 1e-12);
}

// L = R2 R3 C and R = R2 R3 / R4: the arms divide alike, also while the currents build up.
TEST(Networks, BridgeInBalance) {
  const Solution s = run("maxwell_bridge");
  const auto current = s.column("meter.i"), coil = s.column("coil.i");
  for (std::size_t k = 0; k < s.times.size(); ++k) EXPECT_NEAR(current[k], 0, 1e-9);
  const double L = 0.2, R = 150, w = 2 * pi * 60;
  const auto settled = [&](double t) {
    const std::complex<double> i = 10.0 / std::complex<double>(R, w * L);
    return std::imag(i * std::exp(std::complex<double>(0, w * t)));
  };
  expect_course(
      s, "coil.i", [&](double t) { return settled(t) - settled(0) * std::exp(-R / L * t); }, 1e-7);
}

// What passes at the frequency 1/(2 pi R C) dies out; only the start is seen behind the filter.
TEST(Networks, NotchFilter) {
  const Solution s = run("twin_t");
  const auto load = s.column("load.v"), source = s.column("source.v");
  double largest = 0, late = 0;
  for (std::size_t k = 0; k < s.times.size(); ++k) {
    largest = std::max(largest, std::abs(load[k]));
    if (s.times[k] > 0.08) late = std::max(late, std::abs(load[k]));
    EXPECT_NEAR(source[k], std::sin(1000 * s.times[k]), 1e-12);
  }
  EXPECT_GT(largest, 0.1);
  EXPECT_LT(late, 2e-4);  // the load of 10 megohms shifts the balance by about R/load
}

TEST(Networks, FirstModeOfALine) {
  const Solution s = run("lc_line");
  const double w = 2 * std::sin(pi / 20) / std::sqrt(0.1 * 0.001);
  for (const int k : {1, 5, 9})
    expect_course(
        s, "capacitor[" + std::to_string(k) + "].v", [&](double t) { return std::sin(k * pi / 10) * std::cos(w * t); },
        1e-6);
}

// The sum of both voltages swings with L + M, their difference with L - M.
TEST(Networks, CircuitsCoupledByATransformer) {
  const Solution s = run("tuned_transformer");
  const double slow = 1 / std::sqrt(1.1 * 0.01), fast = 1 / std::sqrt(0.9 * 0.01);
  expect_course(
      s, "left.v", [&](double t) { return (std::cos(slow * t) + std::cos(fast * t)) / 2; }, 1e-5);
  expect_course(
      s, "right.v", [&](double t) { return (std::cos(slow * t) - std::cos(fast * t)) / 2; }, 1e-5);
}

// Waves of 1 and 3 periods around the ring decay at the rates (2 - 2 cos(2 pi m/n)) G/C.
TEST(Networks, RingOfBodies) {
  const Solution s = run("heat_ring");
  const auto rate = [](int m) { return (2 - 2 * std::cos(2 * pi * m / 12)) * 3 / 2; };
  for (const int k : {1, 4, 12})
    expect_course(
        s, "body[" + std::to_string(k) + "].T",
        [&](double t) {
          return 300 + 10 * std::cos(2 * pi * k / 12) * std::exp(-rate(1) * t) +
                 5 * std::sin(6 * pi * k / 12) * std::exp(-rate(3) * t);
        },
        1e-5);
}

// Two rooms with the conductances 32 and 33 to the outside and 30 between them.
TEST(Networks, House) {
  const Solution s = run("house");
  const double a = 62, b = 63, g = 30, C = 1e5, determinant = a * b - g * g;
  const double steady[] = {268 + 1500 * b / determinant, 268 + 1500 * g / determinant};
  const double mean = (a + b) / 2, half = std::hypot((a - b) / 2, g);
  // exp(-A t/C) = exp(-mean t/C) (cosh(half t/C) - (A - mean) sinh(half t/C)/half)
  for (const int k : {0, 1})
    expect_course(
        s, "room[" + std::to_string(k + 1) + "].T",
        [&](double t) {
          const double d[] = {285 - steady[0], 285 - steady[1]}, u = half * t / C;
          const double own = (k == 0 ? a : b) - mean;
          return steady[k] +
                 std::exp(-mean * t / C) * (d[k] * std::cosh(u) - (own * d[k] - g * d[1 - k]) * std::sinh(u) / half);
        },
        1e-5);
}

TEST(Networks, VibrationAbsorber) {
  const Solution s = run("vibration_absorber");
  const double w = 4 * pi;
  expect_course(
      s, "machine.s", [](double) { return 0.0; }, 1e-8);
  expect_course(
      s, "absorber.s", [&](double t) { return -20 / (0.5 * w * w) * std::sin(w * t); }, 1e-7);
}

}  // namespace
}  // namespace driftless
