// Linear functions along the polynomials of steps are those that the methods interpolate, and their coefficients bound
// them.
#include "driftless/integrate/steppers/along_step.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "driftless/integrate/sample_problem.hpp"
#include "driftless/integrate/steppers/stepper.hpp"

namespace driftless {
namespace {

class AlongStepOf : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, AlongStepOf,
                         testing::Values("explicit", "dopri5", "radau", "radau3", "radau5", "taylor"));

TEST_P(AlongStepOf, IsWhatIsInterpolatedAndBounded) {
  const auto reduced = samples::reduced(samples::from_text(
      "model M Real x(start = 1, fixed = true), v(start = 0.5, fixed = true), w(start = 2, fixed = true);"
      " equation der(x) = v; der(v) = -4*sin(x) - 0.1*v; der(w) = x*v - w; end M;"));
  samples::SampleProblem sample(samples::consistent_start(*reduced), reduced);
  ASSERT_EQ(sample.problem.size(), 3);
  auto stepper =
      make_stepper(*parse_method(GetParam()), sample.problem, sample.start, {.tolerance = 1e-6, .stop = 5.0});
  const std::vector<SlotWeight> function = {{0, 2.0}, {1, -1.5}, {2, 0.25}};
  std::vector<double> y(3), yp(3);
  int steps = 0;
  for (; stepper->time() < 5.0; ++steps) {
    const double begin = stepper->time();
    ASSERT_EQ(stepper->step().outcome, Outcome::Success);
    AlongStep along;
    ASSERT_TRUE(stepper->has_polynomial());
    ASSERT_TRUE(stepper->along_step(function, along));
    const double origin = along(along.origin).value, bound = along.deviation();
    double largest = 0.0;
    for (int k = 1; k < 40; ++k) {
      const double t = begin + (stepper->time() - begin) * k / 40;
      stepper->interpolate(t, y, yp);
      const auto [value, slope] = along(t);
      EXPECT_NEAR(value, 2.0 * y[0] - 1.5 * y[1] + 0.25 * y[2], 1e-13);
      EXPECT_NEAR(slope, 2.0 * yp[0] - 1.5 * yp[1] + 0.25 * yp[2], 1e-3)
          << "slopes of the model, not of the polynomial";
      largest = std::max(largest, std::abs(value - origin));
    }
    EXPECT_LE(largest, bound * (1.0 + 1e-12));
  }
  EXPECT_GT(steps, 2);
}

TEST(AlongStep, IsAPolynomialFromOneEnd) {
  const AlongStep along{3.0, 2.0, {1.0, -4.0, 2.0}};
  EXPECT_EQ(along(2.0).value, 1.0 + 2.0 + 0.5);
  EXPECT_EQ(along(2.0).slope, (-4.0 - 2.0) / 2.0);
  EXPECT_EQ(along.deviation(), 6.0);
}

}  // namespace
}  // namespace driftless
