// Radau IIA with an error test, near its code: what is tested against what.
#include "driftless/integrate/steppers/radau/radau.hpp"

#include <cmath>

#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

using samples::run_to;
using samples::SampleProblem;

// A step h makes an error of index i that is felt h^(i-1) times, and so it is weighed. With full weights the estimate
// of the multiplier, which is of low order, would set the step size: more than twice as many steps.
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

}  // namespace
}  // namespace driftless
