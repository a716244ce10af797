// Kinks and jumps of the equations in the part of a step that lies before an event: the event cuts the step, but what
// it stands on must be right.
#include <cmath>
#include <numbers>

#include "tests/events/shipped_run.hpp"

namespace driftless {
namespace {

constexpr double pi = std::numbers::pi, stop = 10.0;

class BeforeEvents : public ByMethod {
 protected:
  // der(y) = law, with events of x = sin(t) that change nothing, or the equation of z.
  Solution run(const std::string& law, double tolerance = 1e-9) {
    SimulateOptions options{.stop = stop, .tolerance = tolerance, .intervals = 20};
    options.method = *parse_method(GetParam());
    return simulate(read_model_text("m.mo", R"(model M
  Real x(start = 0, fixed = true), v(start = 1, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
  Real s = sin(time);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  der(y) = )" + law + R"(;
  der(z) = if x > -0.3 then 1 else -1;
  when x > 0.7 then
    n = pre(n) + 1;
  end when;
  when s > 0.2 then
    m = pre(m) + 1;
  end when;
end M;)"),
                    options);
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, BeforeEvents,
                         testing::Values("auto", "bdf", "ida", "radau", "explicit", "taylor", "half-explicit5"));

TEST_P(BeforeEvents, KinksAndJumpsAreSeen) {
  const double a = std::asin(0.45), b = std::asin(0.2);
  const struct {
    const char* law;
    double exact;  // y(10)
  } cases[] = {
      {"sign(x)", 4.0 * pi - stop},
      {"sign(s)", 4.0 * pi - stop},
      {"noEvent(if x > -0.45 then 1 else 0)", 2.0 * pi + 3.0 * a},
      {"noEvent(if s > -0.45 then 1 else 0)", 2.0 * pi + 3.0 * a},
      {"max(x, 0)", 4.0},
      {"abs(s)", 6.0 + 1.0 + std::cos(stop)},
      // On the surface of an event: 0.2 falls below x and above it again in each period.
      {"max(s - 0.2, 0)", 2.0 * (2.0 * std::cos(b) - 0.2 * (pi - 2.0 * b))},
      {"sign(x - 0.7)", 4.0 * (pi - 2.0 * std::asin(0.7)) - stop},
  };
  for (const auto& [law, exact] : cases) {
    const Solution solution = run(law);
    ASSERT_EQ(solution.outcome, Outcome::Success) << law << ": " << solution.message;
    EXPECT_NEAR(solution.final("y"), exact, 3e-6) << law;
    EXPECT_NEAR(solution.final("z"), 2.0 * (2.0 * pi + 3.0 * std::asin(0.3)) - stop, 1e-6) << law;
    EXPECT_EQ(solution.final("n"), 2.0) << law;
    EXPECT_EQ(solution.final("m"), 2.0) << law;
  }
}

// The step that is to lead across a jump is so short that its first guess of a step size is nothing.
TEST_P(BeforeEvents, AJumpOfALoneStateIsCrossed) {
  SimulateOptions options{.stop = 20.0, .tolerance = 1e-9};
  options.method = *parse_method(GetParam());
  const Solution solution = simulate(read_model_text("m.mo", R"(model M
  Real x = 1.01*sin(1.35*time + 5.98) - 0.13, y(start = 0, fixed = true);
equation
  der(y) = noEvent(if x > -0.71 then 1 else 0);
end M;)"),
                                     options);
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  double exact = 0.0;
  const double bound = std::asin(-0.58 / 1.01);
  for (int k = 0; k < 6; ++k)  // from the bound to the bound, upwards and downwards
    exact += std::max(0.0, std::min(20.0, (pi - bound + 2.0 * pi * k - 5.98) / 1.35) -
                               std::max(0.0, (bound + 2.0 * pi * k - 5.98) / 1.35));
  EXPECT_NEAR(solution.final("y"), exact, 1e-6);
}

}  // namespace
}  // namespace driftless
