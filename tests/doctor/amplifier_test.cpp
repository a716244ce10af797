// The transistor amplifier, whose structure promises 8 states where 5 are: what it costs as it is written, by BDF and
// by IDA, and what a run of the repaired model costs that chooses its method.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/driftless.hpp"

namespace driftless {
namespace {

double error_of(const Solution& solution, const Solution& reference) {
  double worst = 0.0;
  for (int k = 1; k <= 8; ++k) {
    const std::string y = fmt::format("y{}", k);
    worst = std::max(worst, std::abs(solution.final(y) - reference.final(y)) / (1.0 + std::abs(reference.final(y))));
  }
  return worst;
}

TEST(TransistorAmplifier, TakesAThirdOfTheStepsThatItTakesAsWritten) {
  const Model model = read_model_file(std::filesystem::path(MODELS) / "transistor_amplifier.mo");
  const Solution reference = simulate(model, {.tolerance = 1e-11, .intervals = 2, .method = method::Radau{0}});
  ASSERT_EQ(reference.outcome, Outcome::Success) << reference.message;
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    const Solution written =
        simulate(model, {.tolerance = tolerance, .formulation = formulation::Original{}, .method = method::Bdf{}});
    const Solution repaired = simulate(model, {.tolerance = tolerance});
    ASSERT_EQ(written.outcome, Outcome::Success) << written.message;
    ASSERT_EQ(repaired.outcome, Outcome::Success) << repaired.message;
    EXPECT_EQ(repaired.structure.degrees_of_freedom, 5);
    EXPECT_LE(3 * repaired.statistics.steps, written.statistics.steps) << tolerance;
    EXPECT_LE(error_of(repaired, reference), 100.0 * tolerance) << tolerance;
  }
}

}  // namespace
}  // namespace driftless
