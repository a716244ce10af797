// What an event does may take away its own cause, and discrete values may depend on what the equations make of them.
#include <cmath>

#include "tests/events/shipped_run.hpp"

namespace driftless {
namespace {

Solution run(const std::string& text, const char* method, double tolerance, double stop) {
  SimulateOptions options{.stop = stop, .tolerance = tolerance};
  options.method = *parse_method(method);
  return simulate(read_model_text("m.mo", "model M\n" + text + "end M;"), options);
}

class Causes : public ByMethod {};
INSTANTIATE_TEST_SUITE_P(Methods, Causes, testing::Values("auto", "bdf", "ida", "radau", "explicit", "taylor"));

// The force in the rod of a pendulum from rest at the height of its pivot is -3 g y; where it reaches 25 the rod
// breaks, and there is no force any more.
TEST_P(Causes, ARodBreaksByItsOwnForce) {
  const Solution s = run(R"(  Real x(start = 1, fixed = true), y(start = 0), vx, vy(start = 0, fixed = true), F;
  Boolean broken(start = false, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - 9.81;
  if broken then
    F = 0;
  else
    x^2 + y^2 = 1;
  end if;
  when F > 25 then
    broken = true;
  end when;
)",
                         GetParam(), 1e-10, 1.0);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  ASSERT_EQ(s.events.size(), 1u);
  const double y = -25.0 / (3.0 * 9.81), x = std::sqrt(1.0 - y * y), v = std::sqrt(-2.0 * 9.81 * y);
  const double t = 1.0 - s.events[0].time;
  EXPECT_NEAR(s.final("x"), x + v * y * t, 1e-8);
  EXPECT_NEAR(s.final("y"), y - v * x * t - 0.5 * 9.81 * t * t, 1e-8);
}

// Two ratios of a gear: at w1 = 5 the other one is chosen, and the jump leads to w1 = 3.
TEST_P(Causes, AGearIsShiftedToWhereItWouldNotBe) {
  const Solution s = run(R"(  Real w1(start = 1, fixed = true), w2, torque;
  discrete Real ratio(start = 2, fixed = true);
equation
  der(w1) = 3 - torque;
  4*der(w2) = ratio*torque;
  w1 = ratio*w2;
  when w1 > 5 then
    ratio = 1;
  end when;
)",
                         GetParam(), 1e-10, 5.0);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  ASSERT_EQ(s.events.size(), 1u);
  EXPECT_NEAR(s.events[0].time, 8.0 / 3.0, 1e-9);
  EXPECT_NEAR(s.final("w1"), 3.0 + 0.6 * (5.0 - 8.0 / 3.0), 1e-8);
}

// A clock brings the current above what the fuse bears.
TEST_P(Causes, AFuseBlowsWhereAClockSwitches) {
  const Solution s = run(R"(  Real q(start = 0, fixed = true), i;
  Integer loads(start = 0, fixed = true);
  Boolean blown(start = false, fixed = true);
equation
  i = if blown then 0 else 4*loads;
  der(q) = i;
  when sample(1, 1) then
    loads = pre(loads) + 1;
  end when;
  when i > 10 then
    blown = true;
  end when;
)",
                         GetParam(), 1e-8, 5.5);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_NEAR(s.final("q"), 4.0 + 8.0, 1e-6);
  EXPECT_EQ(s.final("blown"), 1.0);
}

// Without a memory it stays a contradiction.
TEST_P(Causes, AnEffectThatIsNotKeptIsAContradiction) {
  const Solution s = run(R"(  Real x(start = 0, fixed = true), i;
  Boolean blown;
equation
  der(x) = 1;
  i = if blown then 0 else x;
  blown = i > 1;
)",
                         GetParam(), 1e-9, 2.0);
  EXPECT_EQ(s.code, Code::EventUnresolved) << s.message;
  EXPECT_NEAR(s.reached, 1.0, 1e-6);
}

class Feedthrough : public ByMethod {};
INSTANTIATE_TEST_SUITE_P(Methods, Feedthrough, testing::Values("auto", "bdf", "ida", "radau", "explicit", "taylor"));

// y = x + u/2 and u = K (1 - y) at each instant: u = K (1 - x)/(1 + K/2), held until the next one. Taking one after the
// other goes round with the factor -K/2.
TEST_P(Feedthrough, ASampledControllerAndItsPlantAgree) {
  for (const double gain : {0.5, 1.9, 2.0, 3.0, 50.0}) {
    const Solution s = run(fmt::format(R"(  Real x(start = 0, fixed = true), y;
  discrete Real u(start = 0, fixed = true);
equation
  der(x) = u - x;
  y = x + 0.5*u;
  when sample(0, 0.1) then
    u = {}*(1 - y);
  end when;
)",
                                       gain),
                           GetParam(), 1e-9, 2.05);
    ASSERT_EQ(s.outcome, Outcome::Success) << gain << ": " << s.message;
    double x = 0.0, u = 0.0;
    for (int k = 0; k <= 20; ++k) {
      u = gain * (1.0 - x) / (1.0 + 0.5 * gain);
      x = u + (x - u) * std::exp(-(k < 20 ? 0.1 : 0.05));
    }
    EXPECT_NEAR(s.final("u"), u, 1e-7) << gain;
    EXPECT_NEAR(s.final("x"), x, 1e-7) << gain;
  }
}

// Two of them with different periods, a nonlinear plant, and one that acts from the start on.
TEST_P(Feedthrough, OfSeveralValuesAndNonlinearPlants) {
  const Solution two = run(R"(  Real x(start = 0, fixed = true), y1, y2;
  discrete Real u1(start = 0, fixed = true), u2(start = 0, fixed = true);
equation
  der(x) = u1 - x + 0.3*u2;
  y1 = x + 2*u1 + u2;
  y2 = x - 3*u2 + u1;
  when sample(0, 0.2) then
    u1 = 2*(1 - y1);
    u2 = 2*(1 - y2);
  end when;
)",
                           GetParam(), 1e-9, 0.1);
  ASSERT_EQ(two.outcome, Outcome::Success) << two.message;
  // 5 u1 + 2 u2 = 2 and 2 u1 - 5 u2 = 2 with x = 0
  EXPECT_NEAR(two.final("u1"), 14.0 / 29.0, 1e-10);
  EXPECT_NEAR(two.final("u2"), -6.0 / 29.0, 1e-10);

  const Solution cubic = run(R"(  Real x(start = 0, fixed = true), y(start = 0);
  discrete Real u;
equation
  der(x) = u - x;
  y + y^3 = x + 5*u;
  when {initial(), sample(0.1, 0.1)} then
    u = 1 - 2*y;
  end when;
)",
                             GetParam(), 1e-9, 0.05);
  ASSERT_EQ(cubic.outcome, Outcome::Success) << cubic.message;
  const double u = cubic.final("u"), y = (1.0 - u) / 2.0;  // at the start, x = 0
  EXPECT_NEAR(y + y * y * y, 5.0 * u, 1e-8);
}

}  // namespace
}  // namespace driftless
