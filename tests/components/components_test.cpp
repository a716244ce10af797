// Circuits and mechanisms that are built from parts, against formulas solved by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/language/read.hpp"
#include "driftless/simulate.hpp"

namespace driftless {
namespace {

Model read(const std::string& name) {
  return read_model_file(std::string(DRIFTLESS_SOURCE_DIR) + "/models/components/" + name + ".mo");
}

Solution kept_run(const Model& model) {
  Solution solution = simulate(model, {.tolerance = 1e-8, .intervals = 40});
  EXPECT_EQ(solution.outcome, Outcome::Success) << solution.message;
  EXPECT_EQ(solution.verdict(), Verdict::Kept);
  return solution;
}

template <class Formula>
void expect_column(const Solution& solution, const std::string& name, Formula formula, double tolerance) {
  const std::vector<double> values = solution.column(name);
  ASSERT_EQ(values.size(), solution.times.size());
  for (std::size_t k = 0; k < values.size(); ++k)
    EXPECT_NEAR(values[k], formula(solution.times[k]), tolerance) << name << " at " << solution.times[k];
}

TEST(Components, CapacitorIsChargedAsTheFormulaSays) {
  const Solution solution = kept_run(read("charged_capacitor"));
  const auto voltage = [](double t) { return 10.0 * (1.0 - std::exp(-t / 2.0)); };
  expect_column(solution, "capacitor.v", voltage, 1e-6);
  expect_column(
      solution, "resistor[2].v", [&](double t) { return 0.75 * (10.0 - voltage(t)); }, 1e-6);
  expect_column(
      solution, "source.p.i", [&](double t) { return -(10.0 - voltage(t)) / 4.0; }, 1e-6);
  expect_column(
      solution, "ground.p.i", [](double) { return 0.0; }, 1e-9);
}

// c = m g/0.1 follows from the start, and the frequency from c.
TEST(Components, ParametersFollowFromOneThatTheStartDetermines) {
  const Solution solution = kept_run(read("tuned_oscillator"));
  const double w = std::sqrt(98.1);
  EXPECT_NEAR(solution.final("spring.c"), 196.2, 1e-9);
  EXPECT_NEAR(solution.final("spring.w"), w, 1e-10);
  EXPECT_EQ(solution.final("spring.is_stiff"), 1.0);
  expect_column(
      solution, "spring.s", [&](double t) { return 0.1 + std::sin(w * t) / w; }, 1e-6);
  expect_column(
      solution, "phase", [&](double t) { return w * t; }, 1e-9);
}

// integer(sum) at a sum that an event has moved onto an integer, in a mode that comes back.
TEST(Components, CountFollowsTheSum) {
  const Solution solution = kept_run(read("count_of_active"));
  const std::vector<double> sums = solution.column("sum"), numbers = solution.column("number");
  for (std::size_t k = 0; k < sums.size(); ++k) EXPECT_EQ(numbers[k], -sums[k]) << "at " << solution.times[k];
  EXPECT_EQ(solution.at(1.5, "number"), 1.0);
  EXPECT_EQ(solution.final("number"), 0.0);
}

TEST(Components, GearTrainHasIndex3AndOneInertia) {
  const Model model = read("gear_train");
  const Analysis analysis = analyze(model);
  EXPECT_EQ(analysis.shape.structural_index, 3);
  EXPECT_EQ(analysis.shape.degrees_of_freedom, 2);
  const Solution solution = kept_run(model);
  const double J = 1.0 + 4.0 / 4.0 + 9.0 / 9.0;
  expect_column(
      solution, "inertia[1].phi", [&](double t) { return 6.0 * t * t / (2.0 * J); }, 1e-6);
  expect_column(
      solution, "inertia[3].w", [&](double t) { return 6.0 * t / J / 3.0; }, 1e-6);
  // What the first inertia does not need for itself goes into the gear.
  expect_column(
      solution, "gear[1].a.tau", [&](double) { return 6.0 - 6.0 / J; }, 1e-6);
}

TEST(Components, PlanarPendulumKeepsItsEnergyAndItsLength) {
  const Model model = read("planar_pendulum");
  const Analysis analysis = analyze(model);
  EXPECT_EQ(analysis.shape.degrees_of_freedom, 2);
  const Solution solution = kept_run(model);
  const double energy = -3.0 * 9.81 * 2.0 * std::cos(1.0);
  expect_column(
      solution, "mass.energy", [&](double) { return energy; }, 1e-5);
  const std::vector<double> x = solution.column("mass.a.r[1]"), y = solution.column("mass.a.r[2]");
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(std::hypot(x[k], y[k]), 2.0, 1e-12);
  // The force along the rod: weight and centripetal force.
  const std::vector<double> w = solution.column("w"), fx = solution.column("rod.b.f[1]"),
                            fy = solution.column("rod.b.f[2]");
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double along = (fx[k] * x[k] + fy[k] * y[k]) / 2.0;
    EXPECT_NEAR(along, 3.0 * (w[k] * w[k] * 2.0 - 9.81 * y[k] / 2.0), 1e-5);
  }
}

// The same equations written flat: the parts must not change the solution.
TEST(Components, PlanarPendulumSwingsLikeTheFlatOne) {
  const Solution parts = kept_run(read("planar_pendulum"));
  const Solution flat = kept_run(read_model_text(
      "flat.mo",
      "model F Real phi(start = 1, fixed = true); Real w(start = 0, fixed = true); equation der(phi) = w; "
      "der(w) = -9.81/2*sin(phi); annotation(experiment(StopTime = 10)); end F;"));
  const std::vector<double> angle = flat.column("phi"), built = parts.column("rod.a.phi");
  ASSERT_EQ(angle.size(), built.size());
  for (std::size_t k = 0; k < angle.size(); ++k) EXPECT_NEAR(built[k], angle[k], 1e-5);
}

}  // namespace
}  // namespace driftless
