// The formulations of one model side by side: who keeps the constraints, who drifts, who fails.
#include "driftless/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "driftless/integrate/steppers/ida/ida.hpp"
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
  const auto found =
      std::ranges::find_if(comparison.runs, [&](const ComparedRun& run) { return run.formulation.starts_with(name); });
  EXPECT_NE(found, comparison.runs.end()) << name;
  return *found;
}

TEST(Compare, PendulumInAllFormulations) {
  const Comparison comparison = compare(shared(read_shipped("pendulum")), options_for({1e-6}));
  EXPECT_EQ(comparison.model, "Pendulum");
  EXPECT_DOUBLE_EQ(comparison.reference_tolerance, 1e-17);  // series in extended precision
  std::vector<std::string> names;
  for (const ComparedRun& run : comparison.runs) names.push_back(run.formulation.substr(0, run.formulation.find(':')));
  std::vector<std::string> all = formulation_names();
  std::erase(all, "auto");
  EXPECT_THAT(names, ElementsAreArray(all));

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
    if (run.formulation == "original" || !run.applies()) continue;
    EXPECT_TRUE(run.succeeded()) << run.formulation;
    EXPECT_LT(run.error, 1e-3) << run.formulation;
  }
}

TEST(Compare, WhatFailsStays) {
  if (!ida_available()) GTEST_SKIP() << "built without IDA, which fails to solve index 3 directly";
  CompareOptions options = options_for({1e-6, 1e-8}, {formulation::Original{}, formulation::Dummy{}});
  options.methods = {method::Ida{}};
  const Comparison comparison = compare(shared(read_shipped("squeezer")), options);
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
  const auto model =
      shared(read_text("model Oscillator Real x(start=1, fixed=true); Real v(start=0, fixed=true); "
                       "equation der(x) = v; der(v) = -x; annotation(experiment(StopTime=20)); end Oscillator;"));
  const Comparison comparison = compare(model, options_for({1e-5}, {formulation::Dummy{}}));
  SimulateOptions options;
  options.tolerance = 1e-5;
  options.method = method::Bdf{};
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
  int runs_before = 0;  // the reference, and the second one that tells how exact it is
  double last = 0.0;
  CompareOptions options;
  options.simulate.progress = [&](double t) {
    runs_before += t < last;
    last = t;
    return runs_before < 3 || t < 5.0;
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

const char* const oscillator =
    "model Oscillator Real x(start=1, fixed=true); Real v(start=0, fixed=true); equation der(x) = v; der(v) = -x; "
    "annotation(experiment(StopTime=2), __Driftless(invariants(energy = x^2/2 + v^2/2))); end Oscillator;";

CompareOptions constant_steps(std::vector<double> steps, const std::vector<const char*>& methods) {
  CompareOptions options;
  options.steps = std::move(steps);
  options.formulations = {formulation::Dummy{}};
  for (const char* name : methods) options.methods.push_back(*parse_method(name));
  return options;
}

// Half the step, an error smaller by 2^p: the reference is exact enough and the output points are steps.
TEST(Compare, ConstantStepsShowTheOrderOfEachMethod) {
  const std::vector<const char*> methods{"backward-euler", "bdf2", "radau2", "rk4"};
  const double orders[] = {1, 2, 3, 4};
  const Comparison comparison = compare(shared(read_text(oscillator)), constant_steps({0.02, 0.01}, methods));
  EXPECT_EQ(comparison.reference_tolerance, 1e-17);
  ASSERT_EQ(comparison.runs.size(), 8u);
  for (std::size_t k = 0; k < methods.size(); ++k) {
    const ComparedRun &coarse = comparison.runs[2 * k], &fine = comparison.runs[2 * k + 1];
    EXPECT_EQ(coarse.method, methods[k]);
    EXPECT_EQ(coarse.statistics.steps, 100);
    EXPECT_EQ(fine.step, 0.01);
    EXPECT_EQ(coarse.times.size(), 101u) << "output where both runs have steps";
    EXPECT_NEAR(std::log2(coarse.error / fine.error), orders[k], 0.1) << methods[k];
  }
}

// Backward Euler multiplies the energy by 1/(1 + h^2) in every step.
TEST(Compare, TheChangeOfAnInvariantIsThatOfTheMethod) {
  const Comparison comparison = compare(shared(read_text(oscillator)), constant_steps({0.01}, {"backward-euler"}));
  ASSERT_EQ(comparison.invariants, std::vector<std::string>{"energy"});
  const ComparedRun::Change& change = comparison.runs.at(0).changes.at(0);
  EXPECT_NEAR(change.largest, 0.5 * (1.0 - std::pow(1.0 + 1e-4, -200)), 1e-10);
  EXPECT_EQ(change.over_time.size(), 201u);
  EXPECT_EQ(change.over_time.back(), change.largest);
}

TEST(Compare, AReferenceFromElsewhereIsUsed) {
  CompareOptions options = constant_steps({0.1}, {"rk4"});
  Solution exact;
  exact.columns = {{.name = "unknown"}, {.name = "x"}};
  exact.times = {0.05, 2.0};
  exact.values = {0.0, 1e10, 0.0, std::cos(2.0)};  // no output point at t = 0.05
  options.reference = exact;
  options.reference_name = "exact";
  const Comparison comparison = compare(shared(read_text(oscillator)), options);
  SimulateOptions run;
  run.method = *parse_method("rk4");
  run.step = 0.1;
  const double error = std::abs(simulate(read_text(oscillator), run).final("x") - std::cos(2.0));
  EXPECT_NEAR(comparison.runs.at(0).error, error / (std::abs(std::cos(2.0)) + 1.0), 1e-12);
  EXPECT_EQ(comparison.reference_file, "exact");

  options.reference->times = {0.03, 0.05};
  EXPECT_THROW(compare(shared(read_text(oscillator)), options), ModelError);
  options.reference->columns[1].name = "other";
  EXPECT_THROW(compare(shared(read_text(oscillator)), options), ModelError);
}

TEST(Compare, WhatAMethodLacksIsTheReason) {
  CompareOptions options = constant_steps({0.1}, {"bdf", "dopri5"});
  Comparison comparison = compare(shared(read_text(oscillator)), options);
  EXPECT_THAT(comparison.runs.at(0).not_applicable, HasSubstr("bdf chooses its steps"));
  EXPECT_EQ(comparison.runs.at(1).step, 0.1);
  options.tolerances = {1e-6};
  comparison = compare(shared(read_text(oscillator)), options);
  EXPECT_TRUE(comparison.runs.at(0).succeeded());
  EXPECT_FALSE(comparison.runs.at(1).step) << "a tolerance was given: it chooses its steps";
}

// Explicit methods need forms whose rows determine all but the states: the index-2 form is none.
TEST(Compare, CombinationsThatDoNotApplyStay) {
  CompareOptions options = constant_steps({0.02}, {"backward-euler", "rk4"});
  options.formulations = {formulation::Index1{}, formulation::Index2{}};
  const Comparison comparison = compare(shared(read_shipped("pendulum")), options);
  ASSERT_EQ(comparison.runs.size(), 4u);
  EXPECT_TRUE(comparison.runs[0].succeeded() && comparison.runs[1].succeeded() && comparison.runs[2].succeeded());
  EXPECT_EQ(comparison.runs[3].method, "rk4");
  EXPECT_FALSE(comparison.runs[3].applies());
  EXPECT_THAT(comparison.runs[3].not_applicable, Not(HasSubstr("does not apply")));
}

}  // namespace
}  // namespace driftless
