// Radau IIA with an error test: which errors are compared with which bounds.
#include "driftless/integrate/steppers/radau/radau.hpp"

#include <cmath>

#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

using samples::run_to;
using samples::SampleProblem;

// An error of index i affects others by h^(i-1), and is weighted by this factor. With full weights the estimate of the
// multiplier, which is of low order, would set the step size: more than twice as many steps.
TEST(Radau, WeighsUnknownsOfHigherIndexByPowersOfTheStep) {
  const auto steps = [](const Formulation& formulation, double tolerance) {
    SampleProblem sample(samples::driven_pendulum(), formulation);
    const auto stepper =
        make_stepper(method::Radau{3}, sample.problem, sample.start, {.tolerance = tolerance, .stop = 3.0});
    const StepReport report = run_to(*stepper, 3.0);
    EXPECT_EQ(report.outcome, Outcome::Success) << report.reason;
    EXPECT_NEAR(sample(*stepper, "x"), std::sin(std::sin(3.0)), 100.0 * tolerance);
    Statistics statistics;
    stepper->add_to(statistics);
    return static_cast<double>(statistics.steps);
  };
  for (const double tolerance : {1e-5, 1e-7}) {
    const double of_index_1 = steps(formulation::Index1{}, tolerance);
    EXPECT_LT(steps(formulation::Index2{}, tolerance), 2.0 * of_index_1) << tolerance;
    EXPECT_LT(steps(formulation::Original{}, tolerance), 2.0 * of_index_1) << tolerance;
  }
}

// After a restart, and before the first step, only the tangent of the solution is known.
TEST(Radau, AnswersBeforeAStepByTheTangent) {
  SampleProblem sample(samples::driven_pendulum(), formulation::Index1{});
  const auto stepper = make_stepper(method::Radau{}, sample.problem, sample.start, {.tolerance = 1e-6, .stop = 1.0});
  std::vector<double> y(sample.start.y.size()), yp(y.size());
  const auto expect_tangent = [&] {
    EXPECT_FALSE(stepper->has_polynomial());
    EXPECT_EQ(stepper->last_order(), 1);
    stepper->interpolate(stepper->time() + 0.1, y, yp);
    for (std::size_t k = 0; k < y.size(); ++k) {
      EXPECT_EQ(yp[k], stepper->yp()[k]);
      EXPECT_NEAR(y[k], stepper->y()[k] + 0.1 * yp[k], 1e-15);
    }
  };
  expect_tangent();
  ASSERT_EQ(stepper->step().outcome, Outcome::Success);
  EXPECT_TRUE(stepper->has_polynomial());
  EXPECT_GE(stepper->last_order(), 5);
  stepper->restart(sample.start.y, sample.start.yp);
  expect_tangent();
  ASSERT_EQ(stepper->step().outcome, Outcome::Success);
  ASSERT_TRUE(stepper->resume(0.0, sample.start.y, sample.start.yp, 1.0));
  expect_tangent();
}

}  // namespace
}  // namespace driftless
