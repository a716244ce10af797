// Models with events whose trajectories are known in closed form, by every method that chooses its steps.
#include <cmath>

#include <gmock/gmock.h>

#include "driftless/model/builder.hpp"
#include "driftless/simulation.hpp"

namespace driftless {
namespace {

using namespace testing;

std::vector<Method> methods() {
  return {method::Bdf{}, method::Radau{0}, method::ExplicitRungeKutta{}, method::Taylor{}, method::Auto{}};
}

SimulateOptions options(const Method& method, double tolerance = 1e-11) {
  SimulateOptions options;
  options.method = method;
  options.tolerance = tolerance;
  return options;
}

class ClosedForm : public TestWithParam<std::size_t> {
 protected:
  Method method() const { return methods()[GetParam()]; }
};

INSTANTIATE_TEST_SUITE_P(Methods, ClosedForm, Range(std::size_t{0}, methods().size()));

Model bouncing_ball(double e, double stop) {
  ModelBuilder m("BouncingBall");
  const Expr h = m.variable("h", {.start = 1.0, .fixed = true}), v = m.variable("v", {.start = 0.0, .fixed = true});
  const Expr bounces = m.discrete("bounces", {.type = DiscreteType::Integer});
  m.equation(der(h) == v);
  m.equation(der(v) == -9.81);
  const Expr hit = m.when(h < 0.0);
  m.discrete_equation(bounces == if_else(hit, m.pre(bounces) + 1.0, m.pre(bounces)));
  m.reinit(hit, v, -e * v);
  m.experiment({.stop = stop});
  return m.build();
}

TEST_P(ClosedForm, BouncingBall) {
  const double e = 0.8, g = 9.81, fall = std::sqrt(2.0 / g);
  const Solution s = simulate(bouncing_ball(e, 2.0), options(method()));
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  // Bounces at fall * (1 + 2e + 2e^2 + ...).
  std::vector<double> times{fall};
  for (double width = 2.0 * e * fall; times.back() + width < 2.0; width *= e) times.push_back(times.back() + width);
  EXPECT_EQ(s.final("bounces"), static_cast<double>(times.size()));
  ASSERT_GE(s.events.size(), times.size());
  std::size_t k = 0;
  for (const Event& event : s.events)
    if (!event.discrete.empty()) {
      ASSERT_LT(k, times.size());
      EXPECT_NEAR(event.time, times[k], 1e-10);
      ++k;
    }
  EXPECT_EQ(k, times.size());
  const double last = times.back(), speed = g * fall * std::pow(e, static_cast<double>(times.size()));
  EXPECT_NEAR(s.final("h"), speed * (2.0 - last) - g / 2.0 * (2.0 - last) * (2.0 - last), 1e-10);
}

TEST_P(ClosedForm, SampledController) {
  // x' = -x + u, u = -K x held over intervals of 0.1: x_{k+1} = (e^-T - K (1 - e^-T)) x_k.
  ModelBuilder m("Sampled");
  const Expr x = m.variable("x", {.start = 1.0, .fixed = true});
  const Expr u = m.discrete("u"), n = m.discrete("n", {.type = DiscreteType::Integer});
  const Expr tick = m.sample(0.0, 0.1);
  m.equation(der(x) == -x + u);
  m.discrete_equation(u == if_else(tick, -2.0 * x, m.pre(u)));
  m.discrete_equation(n == if_else(tick, m.pre(n) + 1.0, m.pre(n)));
  m.experiment({.stop = 1.05});
  const Solution s = simulate(m.build(), options(method()));
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_EQ(s.final("n"), 11.0);
  const double decay = std::exp(-0.1), factor = decay - 2.0 * (1.0 - decay);
  const double before = std::pow(factor, 10.0);
  const double rest = std::exp(-0.05);
  EXPECT_NEAR(s.final("u"), -2.0 * before, 1e-10);
  EXPECT_NEAR(s.final("x"), before * (rest - 2.0 * (1.0 - rest)), 1e-10);
}

TEST_P(ClosedForm, Hysteresis) {
  // A heater that is switched on below 19 and off above 21: T' = -(T - 10) + (on ? 15 : 0).
  ModelBuilder m("Heater");
  const Expr T = m.variable("T", {.start = 20.0, .fixed = true});
  const Expr on = m.discrete("on", {.type = DiscreteType::Boolean, .start = 1.0});
  m.equation(der(T) == -(T - 10.0) + if_else(on, 15.0, 0.0));
  m.discrete_equation(on == ((m.pre(on) && T < 21.0) || T < 19.0));
  m.experiment({.stop = 1.0});
  const Solution s = simulate(m.build(), options(method()));
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  std::vector<double> times{std::log(5.0 / 4.0)};  // 25 - 5 e^-t = 21
  while (times.back() < 1.0) {
    const bool cools = times.size() % 2 == 1;
    times.push_back(times.back() + (cools ? std::log(11.0 / 9.0) : std::log(6.0 / 4.0)));
  }
  times.pop_back();
  std::vector<double> switched;
  for (const Event& event : s.events)
    if (!event.discrete.empty()) switched.push_back(event.time);
  EXPECT_THAT(switched, Pointwise(DoubleNear(1e-10), times));
}

TEST_P(ClosedForm, PulseOfOneMicrosecondInAThousandSeconds) {
  ModelBuilder m("Pulse");
  const Expr x = m.variable("x", {.start = 0.0, .fixed = true});
  const Expr n = m.discrete("n", {.type = DiscreteType::Integer});
  const Expr t = m.time();
  m.equation(der(x) == if_else(t >= 500.0 && t < 500.0 + 1e-6, 1.0, 0.0));
  m.discrete_equation(n == m.pre(n));
  m.experiment({.stop = 1000.0});
  const Solution s = simulate(m.build(), options(method()));
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_NEAR(s.final("x"), (500.0 + 1e-6) - 500.0, 1e-12);
}

TEST_P(ClosedForm, ClutchKeepsAngularMomentum) {
  // Two rotors turn freely until the clutch closes at t = 1; then they turn together.
  ModelBuilder m("Clutch");
  const Expr w1 = m.variable("w1", {.start = 10.0, .fixed = true}),
             w2 = m.variable("w2", {.start = 1.0, .fixed = true});
  const Expr tau = m.variable("tau", {.unit = "N.m"});
  const Expr closed = m.discrete("closed", {.type = DiscreteType::Boolean});
  m.equation(2.0 * der(w1) == -tau);
  m.equation(3.0 * der(w2) == tau);
  m.equation(if_else(closed, w1 - w2, tau) == 0.0, "clutch");
  m.discrete_equation(closed == (m.time() >= 1.0));
  m.experiment({.stop = 2.0});
  const Solution s = simulate(m.build(), options(method()));
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_NEAR(s.final("w1"), 23.0 / 5.0, 1e-10);
  EXPECT_NEAR(s.final("w2"), 23.0 / 5.0, 1e-10);
  ASSERT_EQ(s.events.size(), 1u);
  EXPECT_EQ(s.events[0].time, 1.0);
  ASSERT_FALSE(s.events[0].impulses.empty());
  EXPECT_NEAR(s.events[0].impulses[0].size, 2.0 * (10.0 - 4.6), 1e-10);
  EXPECT_EQ(s.statistics.modes, 2);
}

// 3*0.1 is not 0.3: the sampling and the relation are one event, since no step fits between them.
TEST_P(ClosedForm, InstantsThatDifferByRoundingAreOneEvent) {
  ModelBuilder m("Instants");
  const Expr x = m.variable("x", {.start = 0.0, .fixed = true});
  const Expr n = m.discrete("n", {.type = DiscreteType::Integer});
  m.equation(der(x) == if_else(m.time() >= 0.3, 1.0, 2.0) + if_else(m.time() >= 0.7, 3.0, 0.0));
  m.discrete_equation(n == if_else(m.sample(0.0, 0.1), m.pre(n) + 1.0, m.pre(n)));
  m.experiment({.stop = 1.05});
  const Solution s = simulate(m.build(), options(method()));
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_EQ(s.final("n"), 11.0);
  EXPECT_NEAR(s.final("x"), 2 * 0.3 + 0.75 + 3 * 0.35, 1e-10);
  EXPECT_EQ(s.statistics.events, 11);
}

// 0.03 + 71*0.07 lies behind 5 by rounding, where another clock ticks and the run ends: both tick there.
TEST_P(ClosedForm, InstantsAtTheEndDoNotLieBehindItByRounding) {
  for (const double other : {0.1, 0.7}) {  // the second one does not tick at 5
    ModelBuilder m("Clocks");
    const Expr x = m.variable("x", {.start = 0.0, .fixed = true});
    const Expr n = m.discrete("n", {.type = DiscreteType::Integer}),
               k = m.discrete("k", {.type = DiscreteType::Integer});
    m.equation(der(x) == 1.0);
    m.discrete_equation(n == if_else(m.sample(0.0, other), m.pre(n) + 1.0, m.pre(n)));
    m.discrete_equation(k == if_else(m.sample(0.03, 0.07), m.pre(k) + 1.0, m.pre(k)));
    m.experiment({.stop = 5.0});
    const Solution s = simulate(m.build(), options(method()));
    ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
    EXPECT_EQ(s.final("n"), other == 0.1 ? 51.0 : 8.0);
    EXPECT_EQ(s.final("k"), 72.0);
  }
}

}  // namespace
}  // namespace driftless
