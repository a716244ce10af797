// pre(y) in a when clause, for continuous variables that jump at events.
#include <algorithm>
#include <cmath>

#include "tests/events/shipped_run.hpp"

namespace driftless {
namespace {

double at_end(const Solution& solution, const std::string& name) {
  return solution.value(solution.times.size() - 1, *solution.find(name));
}

// y leaps by its condition and by k, w by k: what counts are the values right before.
TEST(LeftLimits, AreThoseBeforeRelationsAndDiscreteVariablesChange) {
  const Solution s = simulate(read_model_text("m.mo", R"(model M
  Real x(start = 1, fixed = true), y, w;
  discrete Real k(start = 3, fixed = true), first, second(start = 0, fixed = true), of_w(start = 0, fixed = true);
equation
  der(x) = -x;
  y = if x > 0.5 then k*x else 2 + w;
  w = k + x;
  when x < 0.5 then
    first = pre(y);
    second = pre(second);
    of_w = pre(w);
    k = 10;
  elsewhen x < 0.4 then
    first = pre(first);
    second = pre(y);
    of_w = pre(of_w);
    k = 11;
  end when;
end M;)"),
                              {.stop = 2.0});
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_NEAR(at_end(s, "first"), 3.0 * 0.5, 1e-9);
  EXPECT_NEAR(at_end(s, "of_w"), 3.0 + 0.5, 1e-9);
  EXPECT_NEAR(at_end(s, "second"), 2.0 + 10.0 + 0.4, 1e-9);
  EXPECT_NEAR(at_end(s, "y"), 2.0 + 11.0 + std::exp(-2.0), 1e-5);
}

TEST(LeftLimits, OfDefinitionsWithASign) {
  const Solution s = simulate(read_model_text("m.mo", R"(model M
  Real a = time, b = -a, c = if time > 1 then -2*b else -3*b;
  discrete Real k, l;
equation
  when time >= 1 then
    k = pre(b);
    l = pre(c);
  end when;
end M;)"),
                              {.stop = 2.0});
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_NEAR(at_end(s, "k"), -1.0, 1e-12);
  EXPECT_NEAR(at_end(s, "l"), 3.0, 1e-12);
}

// A trapezoid that is told to turn back while it is still rising, as Modelica.Blocks.Logical.TriggeredTrapezoid.
TEST(LeftLimits, ATrapezoidTurnsBackFromWhereItIs) {
  const Solution s = simulate(read_model_text("m.mo", R"(model M
  Boolean u = time > 1 and time < 1.5;
  Real y;
  discrete Real target(start = 0), rate(start = 1), until(start = 0);
equation
  y = if time < until then target - (until - time)*rate else target;
  when {initial(), u, not u} then
    target = if u then 1 else 0;
    rate = if u then 1 else -1;
    until = if initial() then time else time + (target - pre(y))/rate;
  end when;
end M;)"),
                              {.stop = 3.0, .intervals = 30});
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  for (std::size_t row = 0; row < s.times.size(); ++row) {
    const double t = s.times[row], rising = std::clamp(t - 1.0, 0.0, 0.5);
    EXPECT_NEAR(s.value(row, *s.find("y")), std::max(0.0, rising - std::max(0.0, t - 1.5)), 1e-9) << t;
  }
}

}  // namespace
}  // namespace driftless
