// The formulations of one model side by side: who keeps the constraints, who drifts, who fails.
#include "driftless/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/models/reference.hpp"

namespace driftless {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::Not;

std::shared_ptr<const Model> shared(Model model) { return std::make_shared<const Model>(std::move(model)); }

CompareOptions options_for(std::vector<double> tolerances, std::vector<Formulation> formulations = {}) {
  CompareOptions options;
  options.tolerances = std::move(tolerances);
  options.formulations = std::move(formulations);
  return options;
}

const ComparedRun& find(const Comparison& comparison, const std::string& name) {
  const auto found = std::ranges::find_if(comparison.runs, [&](const ComparedRun& run) { return run.formulation.starts_with(name); });
  EXPECT_NE(found, comparison.runs.end()) << name;
  return *found;
}

TEST(Compare, PendulumInAllFormulations) {
  const Comparison comparison = compare(shared(read_shipped("pendulum")), options_for({1e-6}));
  EXPECT_EQ(comparison.model, "Pendulum");
  EXPECT_DOUBLE_EQ(comparison.reference_tolerance, 1e-9);
  std::vector<std::string> names;
  for (const ComparedRun& run : comparison.runs) names.push_back(run.formulation.substr(0, run.formulation.find(':')));
  EXPECT_THAT(names, ElementsAreArray(formulation_names()));

  const ComparedRun& dummy = find(comparison, "dummy");
  ASSERT_TRUE(dummy.succeeded());
  ASSERT_EQ(dummy.drift.size(), 3u);
  EXPECT_LT(dummy.drift[0], 1e-14);
  EXPECT_LT(dummy.drift[1], 1e-14);

  const ComparedRun& index1 = find(comparison, "index1");
  ASSERT_TRUE(index1.succeeded());
  EXPECT_GT(index1.drift[0], 1e-6);
  EXPECT_EQ(index1.times.size(), index1.residual.size());
  EXPECT_EQ(*std::ranges::max_element(index1.residual), index1.drift[0]);

  for (const ComparedRun& run : comparison.runs) {
    if (run.formulation == "original") continue;
    EXPECT_TRUE(run.succeeded()) << run.formulation;
    EXPECT_LT(run.error, 1e-3) << run.formulation;
  }
}

TEST(Compare, WhatFailsStays) {
  const Comparison comparison =
      compare(shared(read_shipped("squeezer")), options_for({1e-6, 1e-8}, {formulation::Original{}, formulation::Dummy{}}));
  ASSERT_EQ(comparison.runs.size(), 4u);
  for (int k = 0; k < 2; ++k) {
    const ComparedRun& run = comparison.runs[k];
    EXPECT_EQ(run.formulation, "original");
    EXPECT_NE(run.outcome, Outcome::Success);
    EXPECT_LT(run.reached, comparison.stop);
    EXPECT_TRUE(run.applies());
  }
  EXPECT_TRUE(comparison.runs[2].succeeded() && comparison.runs[3].succeeded());
  EXPECT_LT(comparison.runs[3].error, 0.2 * comparison.runs[2].error);
}

TEST(Compare, WhatDoesNotApplyStaysWithItsReason) {
  const Comparison comparison = compare(shared(read_shipped("akzo")));
  const ComparedRun& ggl = find(comparison, "ggl");
  EXPECT_FALSE(ggl.applies());
  EXPECT_THAT(ggl.not_applicable, HasSubstr("nothing to stabilize"));
  EXPECT_THAT(ggl.not_applicable, Not(HasSubstr("ggl")));
  EXPECT_TRUE(find(comparison, "original").succeeded());
}

// The solution x = cos t, v = -sin t is known; the error against the reference must be the error against it.
TEST(Compare, TheErrorIsTheTrueError) {
  const auto model = shared(read_text("model Oscillator Real x(start=1, fixed=true); Real v(start=0, fixed=true); "
                                      "equation der(x) = v; der(v) = -x; annotation(experiment(StopTime=20)); end Oscillator;"));
  const Comparison comparison = compare(model, options_for({1e-5}, {formulation::Dummy{}}));
  SimulateOptions options;
  options.tolerance = 1e-5;
  const Solution solution = simulate(*model, options);
  const std::vector<double> x = solution.column("x"), v = solution.column("v");
  double error = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double t = solution.times[k];
    error = std::max({error, std::abs(x[k] - std::cos(t)) / (std::abs(std::cos(t)) + 1.0),
                      std::abs(v[k] + std::sin(t)) / (std::abs(std::sin(t)) + 1.0)});
  }
  EXPECT_GT(error, 1e-6);
  EXPECT_NEAR(comparison.runs[0].error, error, 0.02 * error);
}

TEST(Compare, ARunThatIsInterruptedIsTheLast) {
  int runs_before = 0;  // the reference is the first
  double last = 0.0;
  CompareOptions options;
  options.simulate.progress = [&](double t) {
    runs_before += t < last;
    last = t;
    return runs_before < 2 || t < 5.0;
  };
  const Comparison comparison = compare(shared(read_shipped("pendulum")), options);
  ASSERT_EQ(comparison.runs.size(), 2u);
  EXPECT_TRUE(comparison.runs[0].succeeded());
  EXPECT_EQ(comparison.runs[1].outcome, Outcome::Interrupted);
  EXPECT_NEAR(comparison.runs[1].reached, 5.0, 0.5);
}

// Solution::constraint_drift is the certificate over time.
TEST(Compare, TheDriftOverTimeHasTheCertificateAsItsMaximum) {
  for (const char* name : {"pendulum", "slider_crank", "capacitor_loop"}) {
    SimulateOptions options;
    options.formulation = formulation::Index1{};
    const Solution solution = simulate(read_shipped(name), options);
    ASSERT_GT(solution.drift_levels, 1u);
    ASSERT_EQ(solution.constraint_drift.size(), solution.times.size() * solution.drift_levels);
    std::vector<double> from_series(solution.drift_levels, 0.0), from_certificate = from_series;
    for (std::size_t k = 0; k < solution.constraint_drift.size(); ++k) {
      double& largest = from_series[k % solution.drift_levels];
      largest = std::max(largest, solution.constraint_drift[k]);
    }
    for (const CertificateEntry& entry : solution.certificate) {
      double& largest = from_certificate[static_cast<std::size_t>(entry.level)];
      largest = std::max(largest, entry.max_residual);
    }
    EXPECT_EQ(from_series, from_certificate) << name;
  }
}

}  // namespace
}  // namespace driftless
