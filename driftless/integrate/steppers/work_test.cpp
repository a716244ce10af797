#include "driftless/integrate/steppers/work.hpp"

#include <gtest/gtest.h>

#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

Work work_of(const char* equations) {
  samples::SampleProblem sample(samples::from_text(equations), formulation::Dummy{});
  return Work(sample.problem);
}

Statistics counts(long steps, long evaluations) {
  Statistics result;
  result.steps = steps;
  result.residual_evaluations = evaluations;
  result.newton_iterations = evaluations;
  return result;
}

const char* const oscillator = R"(
  model Oscillator
    Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  equation
    der(x) = v;
    der(v) = -x;
  end Oscillator;)";

// The same with a loop that is solved by Newton's iteration in every slope.
const char* const saturated = R"(
  model Saturated
    Real x(start = 1, fixed = true), v(start = 0, fixed = true), f(start = 0.5);
  equation
    der(x) = v;
    der(v) = -f;
    f = x - 0.1*tanh(f);
  end Saturated;)";

TEST(Work, GrowsWithWhatIsCounted) {
  const Work work = work_of(oscillator);
  for (const Method& method : {Method(method::Bdf{}), Method(method::Radau{0}), Method(method::Taylor{}),
                               Method(method::ExplicitRungeKutta{method::Explicit::Adaptive})}) {
    const double once = work(method, counts(10, 100), 5);
    EXPECT_GT(once, 0.0);
    EXPECT_NEAR(work(method, counts(20, 200), 5), 2.0 * once, 1e-9 * once);
  }
}

// What makes a step of a series expensive is its coefficients, and a rejected step takes the same ones again.
TEST(Work, ARejectedStepKeepsItsSeries) {
  const Work work = work_of(oscillator);
  constexpr int order = 20;
  const auto of = [&](long rejected, long series) {
    Statistics result;
    result.steps = 10, result.rejected_steps = rejected;
    result.residual_evaluations = series * order;
    return work(method::Taylor{}, result, order);
  };
  EXPECT_LT(of(10, 10), 1.3 * of(0, 10));
  EXPECT_GT(of(0, 20), 1.7 * of(0, 10));
}

// Steps of order 8 shrink with the eighth root of the tolerance, those of a series hardly.
TEST(Work, ForetellsThatSeriesWinAtSharpTolerances) {
  const Work work = work_of(oscillator);
  for (double tolerance = 1e-3; tolerance > 1e-12; tolerance *= 0.1)
    EXPECT_LT(work.series_by_explicit(0.1 * tolerance), work.series_by_explicit(tolerance)) << tolerance;
}

// A series solves linear systems, order by order, where a slope takes an iteration.
TEST(Work, ForetellsThatSeriesWinWhereSlopesAreIterations) {
  EXPECT_LT(work_of(saturated).series_by_explicit(1e-6), work_of(oscillator).series_by_explicit(1e-6));
}

}  // namespace
}  // namespace driftless
