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

// ---- a time that changes

TEST_P(Delays, ByATimeThatSwings) {
  const Solution s =
      run("model M Real y; Real T = 0.5 + 0.3*sin(time); equation y = delay(sin(3*time) + 2, T, 1);"
          " annotation(experiment(StopTime = 8)); end M;");
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  for (double t = 0.05; t < 8; t += 0.07)
    EXPECT_NEAR(s.at(t, "y"), std::sin(3 * std::max(0.0, t - 0.5 - 0.3 * std::sin(t))) + 2, 1e-9) << t;
}

// The delay grows faster than time: the moment that is repeated goes back at times, also to before the start.
TEST_P(Delays, ByATimeThatGrowsFasterThanTime) {
  const Solution s =
      run("model M Real x(start = 0, fixed = true), v(start = 1, fixed = true), y;"
          " equation der(x) = v; der(v) = -x; y = delay(x, 1 + 0.8*sin(2*time - 1.2), 2);"
          " annotation(experiment(StopTime = 9)); end M;");
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  for (double t = 0.03; t < 9; t += 0.07)
    EXPECT_NEAR(s.at(t, "y"), std::sin(std::max(0.0, t - 1 - 0.8 * std::sin(2 * t - 1.2))), 5e-9) << t;
}

// x' = -x(t/2) from t = 1 on: polynomials between the powers of 2, where breaks of the past come again.
TEST_P(Delays, OfAPantograph) {
  const Solution s =
      run("model M Real x(start = 1, fixed = true); equation der(x) = -delay(x, time/2, 5);"
          " annotation(experiment(StartTime = 1, StopTime = 8)); end M;");
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  const auto to_4 = [](double t) { return 4 - 2 * t + (t * t - 4) / 4; };
  const auto to_8 = [&](double t) {  // minus the integral of to_4(s/2) from 4 on
    const auto integral = [](double u) { return 3 * u - u * u / 2 + u * u * u / 48; };
    return to_4(4) - (integral(t) - integral(4));
  };
  for (double t = 1.05; t < 8; t += 0.11)
    EXPECT_NEAR(s.at(t, "x"), t < 2 ? 2 - t : t < 4 ? to_4(t) : to_8(t), 1e-8) << t;
}

// y' = y(t) y(ln y(t))/t with y = 1 up to t = 1: y = t up to e, and exp(t/e) up to e^2. The delay t - ln y
// depends on the solution.
TEST_P(Delays, ThatDependsOnTheState) {
  const Solution s =
      run("model M Real y(start = 1, fixed = true); equation der(y) = y*delay(y, time - log(y), 10)/time;"
          " annotation(experiment(StartTime = 1, StopTime = 7)); end M;");
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  const double e = std::exp(1.0);
  for (double t = 1.05; t < 7; t += 0.11) EXPECT_NEAR(s.at(t, "y"), t < e ? t : std::exp(t / e), 5e-8) << t;
}

// The delay jumps from 0.5 to 1.5 and back, and with it what is repeated; what was before the jump is seen twice.
TEST_P(Delays, ByATimeThatJumps) {
  const Solution s =
      run("model M Real x(start = 0, fixed = true), z(start = 0, fixed = true), y; Integer n(start = 0, fixed = true);"
          " equation der(x) = 1; der(z) = y; y = delay(x, if time < 2 or time > 3 then 0.5 else 1.5, 2);"
          " when y > 1 then n = pre(n) + 1; end when;"
          " annotation(experiment(StopTime = 4)); end M;");
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  const auto y = [](double t) { return std::max(0.0, t - (t < 2 || t > 3 ? 0.5 : 1.5)); };
  for (double t = 0.03; t < 4; t += 0.07) EXPECT_NEAR(s.at(t, "y"), y(t), 1e-9) << t;
  EXPECT_EQ(s.final("n"), 2.0) << "it rises above 1 at 1.5 and at 2.5";
  // Triangles and trapezia: up to 2, up to 3, up to 4.
  EXPECT_NEAR(s.final("z"), 1.5 * 1.5 / 2 + (0.5 + 1.5) / 2 + (2.5 + 3.5) / 2, 1e-9);
}

// A jump of what is delayed comes as an event where the moment passes it, with a delay that swings back and forth.
TEST_P(Delays, OfAJumpByATimeThatChanges) {
  const Solution s =
      run("model M Real x(start = 0, fixed = true); Boolean on = time >= 1;"
          " equation der(x) = delay(if on then 1 else 0, 1 + 0.5*sin(time), 2);"
          " annotation(experiment(StopTime = 4)); end M;");
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  double low = 1.0, high = 4.0;  // t - 1 - sin(t)/2 = 1
  for (int k = 0; k < 100; ++k) {
    const double t = (low + high) / 2;
    (t - 2 - 0.5 * std::sin(t) < 0 ? low : high) = t;
  }
  for (double t = 0.05; t < 4; t += 0.07) EXPECT_NEAR(s.at(t, "x"), std::max(0.0, t - low), 1e-9) << t;
}

// s(t) = t + (1 - cos t)/2 is how far the water has moved since the start: it leaves the pipe of length 2 where it has
// moved by 2 since it entered. Before the start the speed was 1.
TEST_P(Delays, OfWaterInAPipe) {
  SimulateOptions options;
  options.method = methods()[GetParam()];
  options.tolerance = 1e-10;
  options.dense = true;
  const Solution s = simulate(read_model_file(DRIFTLESS_SOURCE_DIR "/models/hybrid/pipe.mo"), options);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  const auto moved = [](double t) { return t < 0 ? t : t + (1 - std::cos(t)) / 2; };
  for (double t = 0.05; t < 12; t += 0.13) {
    double low = -3, high = t;
    for (int k = 0; k < 100; ++k) {
      const double middle = (low + high) / 2;
      (moved(middle) < moved(t) - 2 ? low : high) = middle;
    }
    EXPECT_NEAR(s.at(t, "T"), t - low, 2e-8) << t;
    EXPECT_NEAR(s.at(t, "leaves"), low < 1 ? 20 : 20 + 3 * std::sin(2 * (low - 1)), 1e-7) << t;
  }
}

TEST(Delay, ByATimeAboveTheLongestEndsTheRun) {
  const auto message = [](const std::string& time) {
    return simulate(
               read_model_text("delay.mo", "model M Real x(start = 1, fixed = true); equation der(x) = -delay(x, " +
                                               time + ", 1); annotation(experiment(StopTime = 3)); end M;"),
               {})
        .message;
  };
  EXPECT_THAT(message("0.5 + 0.4*time"), HasSubstr("stopped at t = 1.25"));
  EXPECT_THAT(message("0.5 + 0.4*time"), HasSubstr("must not be above the longest one"));
  EXPECT_THAT(message("1 - 0.5*time"), HasSubstr("must be positive"));
  EXPECT_THAT(message("2 + time"), HasSubstr("must not be above the longest one"));
  EXPECT_THAT(message("-time"), HasSubstr("must be positive"));
}

TEST(Delay, ByATimeThatChangesThroughTheBuilder) {
  ModelBuilder m("M");
  const Expr x = m.variable("x", {.start = 1.0, .fixed = true});
  m.equation(der(x) == -m.delay(x, m.time() / 2.0, m.parameter("longest", 4.0)));
  m.experiment({.start = 1, .stop = 4});
  SimulateOptions options;
  options.tolerance = 1e-9;
  EXPECT_NEAR(simulate(m.build(), options).final("x"), -1.0, 1e-7);
}

}  // namespace
}  // namespace driftless
