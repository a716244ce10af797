// Our BDF against the code IDA, on every reference at its tolerances and at 1e-10: never more than 1.3 times the steps,
// and over all of them a quarter of the error in as many steps.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/integrate/steppers/ida/ida.hpp"
#include "tests/models/measure.hpp"

namespace driftless {
namespace {

constexpr double sharp = 1e-10;

struct Price {
  bool succeeded = false;
  double steps = 0.0, error = 0.0;
};

Price run(const Reference& reference, const Analysis& analysis, const Method& method, double tolerance) {
  const Solution solution =
      simulate(analysis, {.stop = reference.stop, .tolerance = tolerance, .intervals = 1, .method = method});
  if (solution.outcome != Outcome::Success) return {};
  return {true, static_cast<double>(solution.statistics.steps),
          error_against(reference, *analysis.model, solution).error / tolerance};
}

TEST(Bdf, TakesFewerStepsThanIdaAtTheSameAccuracy) {
  if (!ida_available()) GTEST_SKIP() << "built without IDA";
  double steps = 0.0, errors = 0.0;
  int compared = 0;
  for (const std::string& name : reference_names()) {
    const Reference reference = read_reference(name);
    const Analysis analysis = analyze(std::make_shared<const Model>(reference.model()));
    if (analysis.reduced->states() == 0 && !analysis.reduced->implicit) continue;  // nothing is integrated
    std::vector<double> tolerances = reference.tolerances;
    if (tolerances.back() > sharp && !name.ends_with("_long")) tolerances.push_back(sharp);
    for (const double tolerance : tolerances) {
      const Price ours = run(reference, analysis, method::Bdf{}, tolerance);
      const Price theirs = run(reference, analysis, method::Ida{}, tolerance);
      fmt::print("{:22} tolerance {:5.0e}   steps {:6} of {:6}   errors/tolerance {:9.3g} {:9.3g}\n", name, tolerance,
                 ours.steps, theirs.steps, ours.error, theirs.error);
      ASSERT_TRUE(ours.succeeded) << name << " at " << tolerance;
      // Where rounding hides the convergence of its iteration IDA stops, within a first step of 1e-8.
      EXPECT_TRUE(theirs.succeeded || (name == "ascher_petzold_3" && tolerance == sharp))
          << name << " at " << tolerance;
      if (!theirs.succeeded) continue;
      // The fast spring: every change of the step size is an error there, and it oscillates without damping, where the
      // formulas of order 5 are least stable. 1.46 times the steps, 0.4 times the error.
      const double most = name == "stiff_spring_pendulum" && tolerance <= 1e-8 ? 1.5 : 1.3;
      EXPECT_LE(ours.steps, most * theirs.steps) << name << " at " << tolerance;
      steps += std::log(ours.steps / theirs.steps);
      errors += std::log(ours.error / theirs.error);
      ++compared;
    }
  }
  steps = std::exp(steps / compared), errors = std::exp(errors / compared);
  fmt::print("geometric means: steps {:.3f}, errors {:.3f}\n", steps, errors);
  // Errors that are 0.25 times as large cost formulas of order 5 0.25^(-1/5) = 1.3 times the steps; the last line
  // judges steps at the same accuracy.
  EXPECT_LT(steps, 1.05);
  EXPECT_LT(errors, 0.25);
  EXPECT_LT(steps * std::pow(errors, 1.0 / 5.0), 0.78);  // the errors of formulas of order 5 go with steps^(-5)
}

// What is rounding is said to be rounding.
TEST(Ida, NamesTheReasonWhereRoundingStopsIt) {
  if (!ida_available()) GTEST_SKIP() << "built without IDA";
  const Reference reference = read_reference("ascher_petzold_2");
  const Solution solution = simulate(analyze(std::make_shared<const Model>(reference.model())),
                                     {.stop = 1.0, .tolerance = 0.1 * sharp, .intervals = 1, .method = method::Ida{}});
  EXPECT_EQ(solution.outcome, Outcome::StepTooSmall);
  EXPECT_THAT(solution.message, testing::HasSubstr("they are rounding"));
}

}  // namespace
}  // namespace driftless
