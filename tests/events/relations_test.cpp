// Relations in models that have nothing else to do with events: they cause events all the same, from text and from the
// builder, so that no method sees a jump.
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "driftless/language/read.hpp"
#include "driftless/model/builder.hpp"
#include "driftless/simulation.hpp"
#include "driftless/solve_boundary.hpp"
#include "driftless/steady.hpp"

namespace driftless {
namespace {

using namespace testing;

Model from_text(const std::string& text) { return read_model_text("test.mo", text); }

std::vector<Method> methods() {
  std::vector<Method> all;
  for (const char* name : {"bdf", "radau", "explicit", "taylor", "half-explicit", "auto"})
    all.push_back(*parse_method(name));
  return all;
}

class Relation : public TestWithParam<std::size_t> {
 protected:
  SimulateOptions options(double tolerance = 1e-11) const {
    SimulateOptions options;
    options.method = methods()[GetParam()];
    options.tolerance = tolerance;
    options.dense = false;
    return options;
  }
};

INSTANTIATE_TEST_SUITE_P(Methods, Relation, Range(std::size_t{0}, methods().size()));

// A step that chooses its size by the rest of the model is a hundred times as long as the pulse.
TEST_P(Relation, APulseOfAMillisecondInATenSecondRunIsHit) {
  const Solution s = simulate(from_text(R"(model Pulse
  Real x(start = 0, fixed = true);
equation
  der(x) = -0.1*x + (if sin(0.1*time) > sin(0.5) and sin(0.1*time) < sin(0.5001) then 1000 else 0);
  annotation(experiment(StopTime = 10));
end Pulse;)"),
                              options());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_EQ(s.statistics.events, 2);
  EXPECT_NEAR(s.final("x"), 1000.0 / 0.1 * (std::exp(0.1 * (5.001 - 10.0)) - std::exp(0.1 * (5.0 - 10.0))), 1e-9);
}

// A kink that causes no event and a relation that causes one, both at 0.36: the event must not be passed by the short
// step across the kink. Up to rounding, since 0.36 - time is 0 at another floating-point number than 3*time - 1.08.
TEST_P(Relation, BesideAKinkIsHit) {
  for (const char* const kink : {"max(0.36 - time, 0)^1.5", "max(1.08 - 3*time, 0)", "sign(time - 0.36)"}) {
    const std::string text = fmt::format(R"(model Beside
  Real x(start = 0, fixed = true), y;
equation
  der(x) = if 0.36 - time < 0 then 2 else -1;
  y = {};
end Beside;)",
                                         kink);
    const Solution s = simulate(from_text(text), options());
    ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
    EXPECT_EQ(s.statistics.events, 1) << kink;
    EXPECT_NEAR(s.final("x"), 2.0 * 0.64 - 0.36, 1e-10) << kink;
  }
}

Model switched_oscillator(ModelBuilder m) {
  const Expr x = m.variable("x", {.start = 1.0, .fixed = true}), v = m.variable("v", {.start = 0.0, .fixed = true});
  m.equation(der(x) == v);
  m.equation(der(v) == if_else(x > 0.0, -x, -4.0 * x));
  m.experiment({.stop = 10.0});
  return m.build();
}

// x'' = -x above 0 and -4 x below: half a period is pi above and pi/2 below, and the amplitude below is a half.
TEST_P(Relation, OfAStateSwitchesAtItsZeros) {
  const Solution s = simulate(switched_oscillator(ModelBuilder("Oscillator")), options());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  const double pi = std::acos(-1.0);
  std::vector<double> zeros;
  for (double t = pi / 2.0; t < 10.0; t += zeros.size() % 2 == 1 ? pi / 2.0 : pi) zeros.push_back(t);
  ASSERT_EQ(s.events.size(), zeros.size());
  for (std::size_t k = 0; k < zeros.size(); ++k) EXPECT_NEAR(s.events[k].time, zeros[k], 1e-9);
  const double phase = 10.0 - zeros.back();  // above 0 again
  EXPECT_NEAR(s.final("x"), zeros.size() % 2 == 0 ? std::sin(phase) : -0.5 * std::sin(2.0 * phase), 1e-9);
}

TEST_P(Relation, AndTheIndexIsThree) {
  const Solution s = simulate(from_text(R"(model Pendulum
  Real x(start = 1, fixed = true), y(start = 0), lambda, push;
equation
  push = if x > 0 then 0.3 else -0.2*der(x);
  der(der(x)) = -lambda*x + push;
  der(der(y)) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 5));
end Pendulum;)"),
                              options(1e-10));
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_EQ(s.statistics.events, 4);
  EXPECT_NEAR(s.final("x"), 0.6218170078, 2e-8);
  EXPECT_EQ(s.verdict(), Verdict::Kept);
  for (const CertificateEntry& entry : s.certificate) EXPECT_LE(entry.max_relative, 1e-9);
}

TEST_P(Relation, OfFloorMakesASaw) {
  const Solution s = simulate(from_text(R"(model Saw
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = x - floor(x);
  annotation(experiment(StopTime = 3.5));
end Saw;)"),
                              options());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_EQ(s.statistics.events, 3);
  EXPECT_NEAR(s.final("y"), 3 * 0.5 + 0.125, 1e-10);
}

// x is a line, so steps become as long as they may be; z follows from it, and no error test of bdf sees it.
TEST_P(Relation, OfAnUnknownThatNoErrorTestSees) {
  const Solution s = simulate(from_text(R"(model Unknown
  Real x(start = 0, fixed = true), z;
equation
  der(x) = 1;
  z^3 + z = x - 1;
  when z > 0 then
    reinit(x, 0);
  end when;
  annotation(experiment(StopTime = 4.5));
end Unknown;)"),
                              options());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  ASSERT_EQ(s.events.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(s.events[k].time, static_cast<double>(k + 1), 1e-10);
  EXPECT_NEAR(s.final("x"), 0.5, 1e-10);
}

// At x = 0, for 2e-9 of the time: a step that passes it sees nothing of it at its ends.
TEST_P(Relation, OfAnAbsoluteValueIsTrueForAnInstant) {
  const Solution s = simulate(from_text(R"(model Instant
  Real x(start = -1, fixed = true), y(start = 3, fixed = true);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true), k(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = -1;
  when abs(x) < 1e-9 then
    n = pre(n) + 1;
  end when;
  when min(x, y) > 1 - 1e-9 then
    m = pre(m) + 1;
  end when;
  when not max(x, -x) >= 1e-9 then
    k = pre(k) + 1;
  end when;
  annotation(experiment(StopTime = 2.9));
end Instant;)"),
                              options());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_EQ(s.final("n"), 1.0);
  EXPECT_EQ(s.final("m"), 1.0);
  EXPECT_EQ(s.final("k"), 1.0);
  EXPECT_NEAR(s.events.front().time, 1.0 - 1e-9, 1e-11);
}

TEST(Relations, ThatAreQuietCauseNone) {
  const char* text = R"(model Quiet
  Real x(start = 1, fixed = true);
equation
  der(x) = %s;
end Quiet;)";
  const auto events = [&](const std::string& right) {
    std::string model = text;
    model.replace(model.find("%s"), 2, right);
    return simulate(from_text(model), {.tolerance = 1e-8}).statistics.events;
  };
  EXPECT_EQ(events("-2*(if x > 0.5 then x else 0.5)"), 1);
  EXPECT_EQ(events("-2*noEvent(if x > 0.5 then x else 0.5)"), 0);
  EXPECT_EQ(events("-2*smooth(0, if x > 0.5 then x else 0.5)"), 0);
  EXPECT_EQ(events("-2*max(x, 0.5)"), 0) << "noEvent by the rules of Modelica";
  EXPECT_EQ(events("-2*abs(x - 0.5)"), 0) << "noEvent by the rules of Modelica";
}

TEST(Relations, InABoundaryValueProblem) {
  const auto solve = [](const std::string& force) {
    return solve_boundary(
        from_text("model M Real x(start = 0, fixed = true), v(start = 1); "
                  "equation der(x) = v; der(v) = " +
                  force + "; annotation(experiment(StopTime = 1), __Driftless(finalEquations = {x == 0})); end M;"),
        {.tolerance = 1e-8});
  };
  const Solution held = solve("if x > 1 then -1000 else -2"), plain = solve("-2");
  ASSERT_EQ(held.outcome, Outcome::Success) << held.message;
  EXPECT_EQ(held.values, plain.values) << "the relation stays false";
  EXPECT_THAT(held.remarks, Contains(HasSubstr("a mesh cannot follow them")));
}

TEST(Relations, InASteadyState) {
  const SteadyState state = find_steady_state(
      analyze(from_text("model M Real x(start = 5); equation der(x) = if x > 2 then 3 - x else 1 - x; end M;")));
  ASSERT_TRUE(state.point.found);
  EXPECT_NEAR(state.point.values[0], 3.0, 1e-12);
}

// The function lies on its bound and leaves it: the equations take the side to which it leaves.
TEST(Relations, ThatBeginOnTheirBoundCauseNoEventThere) {
  const Solution s = simulate(from_text(R"(model Fall
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = if v < 0 then -2 else -1;
end Fall;)"),
                              {.tolerance = 1e-10});
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_EQ(s.statistics.events, 0);
  EXPECT_NEAR(s.final("v"), -2.0, 1e-10);
}

// ... but what a when clause waits for happens by an event.
TEST(Relations, ThatBeginOnTheirBoundAreSeenByWhenClauses) {
  const Solution s = simulate(from_text(R"(model Fall
  Real v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(v) = -1;
  when v < 0 then
    n = pre(n) + 1;
  end when;
end Fall;)"),
                              {.tolerance = 1e-10});
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_EQ(s.final("n"), 1.0);
}

// y = sin(t)^2 is algebraic, so der(y) is no unknown unless a relation asks for it.
TEST(Relations, OfDerivativesThatNoEquationNeeds) {
  const Solution s = simulate(from_text(R"(model Slope
  Real y, x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  y = sin(time)^2;
  der(x) = if der(y) > 0 then 1 else -1;
  when der(y) < -0.5 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 3));
end Slope;)"),
                              {.tolerance = 1e-9});
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_NEAR(s.final("x"), std::acos(-1.0) / 2.0 - (3.0 - std::acos(-1.0) / 2.0), 1e-8);
  EXPECT_EQ(s.final("n"), 1.0) << "sin(2 t) falls below -1/2 once";
  const auto fell = std::ranges::find_if(s.events, [](const Event& event) { return !event.discrete.empty(); });
  ASSERT_NE(fell, s.events.end());
  EXPECT_NEAR(fell->time, 7.0 * std::acos(-1.0) / 12.0, 1e-8);
}

// The derivative of a jump is an impulse: whoever integrates it gets the height of the jump.
TEST(Relations, WhoseJumpIsDifferentiatedMoveWhatIntegratesIt) {
  const Solution s = simulate(from_text(R"(model Impulse
  Real x, y, z(start = 0, fixed = true);
equation
  x = if time < 0.5 then 0 else 3;
  y = der(x);
  der(z) = y;
end Impulse;)"),
                              {.tolerance = 1e-9});
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_NEAR(s.final("z"), 3.0, 1e-12);
}

// Taking one relation after the other goes from x = 2 to x = -1 and back.
TEST(Relations, OfTheStartThatGoRoundInACircle) {
  const Solution s = simulate(from_text(R"(model Start
  Real x(start = 2), z(start = 0, fixed = true);
equation
  x = if x > 0.5 then 0.8*x - 0.4 else 0.6 - 0.5*x;
  der(z) = 1;
end Start;)"),
                              {.tolerance = 1e-9});
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_NEAR(s.final("x"), 0.4, 1e-9);
}

TEST(Relations, ThatChatterAreNamed) {
  const Solution s =
      simulate(from_text("model M Real x(start = 1, fixed = true); equation der(x) = if x > 0 then -1 else 1; "
                         "annotation(experiment(StopTime = 3)); end M;"),
               {.tolerance = 1e-8});
  EXPECT_FALSE(reached_end(s.outcome));
  EXPECT_THAT(s.message, HasSubstr("0 < x"));
  EXPECT_NEAR(s.reached, 1.0, 1e-6);
}

// x' = 2 below 0.3 sin t and -1 above: the solution follows 0.3 sin t.
TEST(Relations, ThatChatterSlideWhereThatIsAskedFor) {
  SimulateOptions options{.tolerance = 1e-9};
  options.sliding = true;
  const Solution s = simulate(from_text(R"(model Slide
  Real x(start = 1, fixed = true);
equation
  der(x) = if x < 0.3*sin(time) then 2 else -1;
  annotation(experiment(StopTime = 4));
end Slide;)"),
                              options);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_NEAR(s.final("x"), 0.3 * std::sin(4.0), 1e-7);
}

// Reading and running take a time that grows with the number of relations and not with its square. Counted, not
// measured: every relation is held once.
TEST(Relations, OfAThousandEquationsAreHeldOnce) {
  std::string text = "model M Real x[1000](each start = 1, each fixed = true); equation\n";
  for (int i = 1; i <= 1000; ++i)
    text += fmt::format("der(x[{0}]) = if x[{0}] > {1} then -1 else (if x[{2}] > {3} then -2 else -3);\n", i,
                        0.0005 * (i + 1), i % 1000 + 1, 0.0005 * (i % 1000 + 2));
  const Model model = from_text(text + "end M;");
  EXPECT_EQ(model.discrete.held.size(), 1000u);
}

}  // namespace
}  // namespace driftless
