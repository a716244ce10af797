// Models with delay(e, T) whose trajectories are known in closed form, by every method that chooses its steps.
#include <cmath>

#include <gmock/gmock.h>

#include "driftless/language/read.hpp"
#include "driftless/model/builder.hpp"
#include "driftless/simulation.hpp"

namespace driftless {
namespace {

using namespace testing;

std::vector<Method> methods() {
  return {method::Bdf{}, method::Radau{0}, method::ExplicitRungeKutta{}, method::Taylor{}, method::Auto{}};
}

class Delays : public TestWithParam<std::size_t> {
 protected:
  Solution run(const std::string& text, double tolerance = 1e-10) const {
    SimulateOptions options;
    options.method = methods()[GetParam()];
    options.tolerance = tolerance;
    options.dense = true;
    return simulate(read_model_text("delay.mo", text), options);
  }
};

INSTANTIATE_TEST_SUITE_P(Methods, Delays, Range(std::size_t{0}, methods().size()));

// x' = -x(t - 1), x = 1 up to t = 0: the sum of (-1)^k (t - k + 1)^k / k! over all k with t >= k - 1.
double by_steps(double t) {
  double sum = 0.0, factorial = 1.0;
  for (int k = 0; t >= k - 1; ++k) {
    sum += (k % 2 == 0 ? 1.0 : -1.0) * std::pow(t - k + 1, k) / factorial;
    factorial *= k + 1;
  }
  return sum;
}

TEST_P(Delays, OfAStateThatItDrives) {
  const Solution s =
      run("model M Real x(start = 1, fixed = true); equation der(x) = -delay(x, 1);"
          " annotation(experiment(StopTime = 12)); end M;");
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  for (double t = 0.05; t < 12; t += 0.11) EXPECT_NEAR(s.at(t, "x"), by_steps(t), 2e-8) << t;
}

TEST_P(Delays, OfAFunctionOfTime) {
  const Solution s =
      run("model M Real y; equation y = delay(sin(3*time) + 2, 0.3);"
          " annotation(experiment(StopTime = 4)); end M;");
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  for (double t = 0.05; t < 4; t += 0.07)
    EXPECT_NEAR(s.at(t, "y"), t < 0.3 ? 2 : std::sin(3 * (t - 0.3)) + 2, 1e-9) << t;
}

TEST_P(Delays, OfAJumpIsAJump) {
  const Solution s =
      run("model M Real x(start = 0, fixed = true); Boolean on = time >= 0.5;"
          " equation der(x) = delay(if on then 1 else 0, 0.25);"
          " annotation(experiment(StopTime = 2)); end M;");
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  for (double t = 0.05; t < 2; t += 0.07) EXPECT_NEAR(s.at(t, "x"), std::max(0.0, t - 0.75), 1e-9) << t;
}

// The velocity follows from a position that is given by a delay: index 2.
TEST_P(Delays, OfAConstraintIsDifferentiated) {
  const Solution s =
      run("model M Real x, v, y(start = 1, fixed = true);"
          " equation der(y) = -y; x = delay(y, 0.5); der(x) = v;"
          " annotation(experiment(StopTime = 3)); end M;");
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  for (double t = 0.05; t < 3; t += 0.07) {
    EXPECT_NEAR(s.at(t, "x"), t < 0.5 ? 1 : std::exp(0.5 - t), 1e-8) << t;
    EXPECT_NEAR(s.at(t, "v"), t < 0.5 ? 0 : -std::exp(0.5 - t), 1e-6) << t;
  }
}

// Two delays of different lengths: x' = -x(t - 1) and y' = x(t - 0.4).
TEST_P(Delays, OfDifferentLengths) {
  const Solution s =
      run("model M Real x(start = 1, fixed = true), y(start = 0, fixed = true);"
          " equation der(x) = -delay(x, 1); der(y) = delay(x, 0.4);"
          " annotation(experiment(StopTime = 5)); end M;");
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  // x = -d/dt x(t + 1), so the integral of x from 0 to t is x(1) - x(t + 1).
  for (double t = 0.45; t < 5; t += 0.11)
    EXPECT_NEAR(s.at(t, "y"), 0.4 + by_steps(1) - by_steps(t - 0.4 + 1), 2e-8) << t;
}

TEST(Delay, ByATimeThatIsNotPositiveIsRefused) {
  const Model model = read_model_text(
      "delay.mo", "model M parameter Real T = 0; Real x(start = 1); equation der(x) = -delay(x, T); end M;");
  try {
    simulate(model, {});
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the time of delay(x, T) must be positive, but is 0"));
  }
}

TEST(Delay, WithAnotherParameter) {
  const Model model =
      read_model_text("delay.mo",
                      "model M parameter Real T = 3; Real x(start = 1, fixed = true); equation der(x) = -delay(x, T);"
                      " annotation(experiment(StopTime = 4)); end M;");
  SimulateOptions options;
  options.tolerance = 1e-9;
  EXPECT_NEAR(simulate(compile(model, options), {.parameters = {{"T", 1.0}}}).final("x"), by_steps(4), 1e-7);
}

TEST(Delay, ThroughTheBuilder) {
  ModelBuilder m("M");
  const Expr x = m.variable("x", {.start = 1.0, .fixed = true});
  const Expr T = m.parameter("T", 1.0);
  m.equation(der(x) == -m.delay(x, T));
  m.experiment({.stop = 3});
  SimulateOptions options;
  options.tolerance = 1e-9;
  EXPECT_NEAR(simulate(m.build(), options).final("x"), by_steps(3), 1e-7);
}

}  // namespace
}  // namespace driftless
