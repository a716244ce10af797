// Mechanisms in space, assembled from the parts of libraries/Driftless/Spatial.mo.
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

}  // namespace
}  // namespace driftless
