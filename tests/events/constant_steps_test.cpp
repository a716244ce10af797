// Constant steps: an event cuts a step, and steps of the same size go on from there.
#include <cmath>

#include "exact_solutions.hpp"
#include "tests/events/shipped_run.hpp"

namespace driftless {
namespace {

using namespace testing;

Solution run(const Model& model, const std::string& method, double step, double stop = 5.0) {
  SimulateOptions options;
  options.method = *parse_method(method);
  options.step = step;
  options.stop = stop;
  options.intervals = 10;
  return simulate(model, options);
}

Model model_of(const std::string& body) { return read_model_text("m.mo", "model M\n" + body + "end M;"); }

// Between 0.5 and 1.5 up and down: every way is an exponential.
Model relay() {
  return model_of(R"(  Real x(start = 0.6, fixed = true);
  Boolean on(start = true, fixed = true);
equation
  der(x) = -x + (if on then 2 else 0);
  when x > 1.5 then
    on = false;
  elsewhen x < 0.5 then
    on = true;
  end when;
)");
}

double exact_relay(double stop) {
  double x = 0.6, t = 0.0;
  for (bool on = true;; on = !on) {
    const double target = on ? 2.0 : 0.0, wait = std::log((x - target) / ((on ? 1.5 : 0.5) - target));
    if (t + wait > stop) return target + (x - target) * std::exp(t - stop);
    x = on ? 1.5 : 0.5;
    t += wait;
  }
}

struct Order {
  const char* method;
  double order;  // of the method, or what its polynomial leaves of it at events
};

class OrderAcrossEvents : public TestWithParam<Order> {};

INSTANTIATE_TEST_SUITE_P(Methods, OrderAcrossEvents,
                         Values(Order{"backward-euler", 1}, Order{"bdf2", 2}, Order{"bdf3", 3}, Order{"bdf4", 4},
                                Order{"radau1", 1}, Order{"radau2", 3}, Order{"gauss2", 3}, Order{"lobatto-iiia3", 3},
                                Order{"explicit-euler", 1}, Order{"heun3", 3}, Order{"rk4", 4},
                                Order{"half-explicit1", 1}, Order{"half-explicit4", 4}),
                         [](const auto& test) {
                           std::string name = test.param.method;
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(OrderAcrossEvents, IsThatOfTheMethod) {
  const auto [method, order] = GetParam();
  const auto error = [&, name = std::string(method)](double h) {
    const Solution s = run(relay(), name, h);
    EXPECT_EQ(s.outcome, Outcome::Success) << s.message;
    EXPECT_EQ(changes(s, "on").size(), 4u);
    return std::abs(s.final("x") - exact_relay(5.0));
  };
  // Where an event lies in its step changes with the step size: the slope over a factor of 8.
  const double slope = std::log2(error(0.08) / error(0.01)) / 3.0;
  EXPECT_GT(slope, order - 0.35) << error(0.01);
}

// The parabola of a flight is exact for methods of order 2, their polynomials included.
class ConstantSteps : public TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Methods, ConstantSteps,
                         Values("bdf2", "radau2", "radau3", "gauss2", "lobatto-iiia3", "lobatto-iiic3", "rk4", "dopri5",
                                "heun3", "half-explicit4", "stoermer-verlet", "shake", "rattle"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(ConstantSteps, HitTheFloorLikeTheParabola) {
  const Solution s = run(model_of(R"(  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -10;
  when h < 0 then
    reinit(v, -0.8*pre(v));
    n = pre(n) + 1;
  end when;
)"),
                         GetParam(), 0.03, 2.0);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  double t = std::sqrt(0.2), v = 0.8 * 10.0 * t;
  const std::vector<double> times = changes(s, "n");
  ASSERT_EQ(times.size(), 3u);
  for (const double at : times) {
    EXPECT_NEAR(at, t, 1e-11);
    t += 2.0 * v / 10.0;
    v *= 0.8;
  }
}

// On a constraint of index 3: as the same model with a tolerance.
TEST(ConstantStepsOnConstraints, HitTheWall) {
  const std::vector<double> exact = [] {
    std::vector<double> times;
    for (const Event& event : run_shipped("pendulum_and_wall", "radau").events) times.push_back(event.time);
    return times;
  }();
  for (const char* const method : {"radau3", "rk4", "bdf4", "half-explicit4", "rattle", "gauss3"}) {
    SimulateOptions options;
    options.method = *parse_method(method);
    options.step = 0.002;
    const Solution s = simulate(read_model_file(DRIFTLESS_SOURCE_DIR "/models/hybrid/pendulum_and_wall.mo"), options);
    ASSERT_EQ(s.outcome, Outcome::Success) << method << ": " << s.message;
    std::vector<double> times;
    for (const Event& event : s.events) times.push_back(event.time);
    EXPECT_THAT(times, Pointwise(DoubleNear(std::string(method) == "rattle" ? 3e-5 : 1e-7), exact)) << method;
  }
}

// 0.1, 0.2, 0.3, a step that is cut at 0.35, then 0.45 and so on, and a last step of 0.05.
TEST(ConstantStepsBehindAnEvent, GoOnFromThere) {
  const std::string body = "  Real x(start = 0, fixed = true), y(start = 0, fixed = true);\n";
  const Solution s =
      run(model_of(body + "equation\n  der(x) = 1;\n  der(y) = if x > 0.35 then 1 else 2;\n"), "rk4", 0.1, 1.0);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_EQ(s.statistics.steps, 11);
  EXPECT_NEAR(s.statistics.smallest_step, 0.05, 1e-12);
  EXPECT_NEAR(s.final("y"), 0.7 + 0.65, 1e-12);
  // Known instants end steps.
  const Solution sampled = run(model_of(body + R"(  discrete Real u(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = u;
  when sample(0, 0.25) then
    u = time;
  end when;
)"),
                               "rk4", 0.1, 1.0);
  ASSERT_EQ(sampled.outcome, Outcome::Success) << sampled.message;
  EXPECT_EQ(sampled.statistics.steps, 12);
  EXPECT_NEAR(sampled.final("y"), 0.25 * (0.25 + 0.5 + 0.75), 1e-12);
}

// An event that changes nothing continuous leaves every step as it is.
TEST(ConstantStepsBehindAnEvent, StayWhereNothingContinuousChanges) {
  const std::string oscillator = R"(  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
)";
  for (const char* const method : {"rk4", "radau3", "bdf3", "half-explicit4", "gauss2"}) {
    const Solution counted =
        run(model_of(oscillator + "  when x > 0.3 then\n    n = pre(n) + 1;\n  end when;\n"), method, 0.1, 10.0);
    const Solution plain = run(model_of(oscillator + "  n = pre(n);\n"), method, 0.1, 10.0);
    ASSERT_EQ(counted.outcome, Outcome::Success) << counted.message;
    EXPECT_EQ(counted.final("n"), 2.0);
    EXPECT_EQ(counted.statistics.steps, plain.statistics.steps) << method;
    EXPECT_EQ(counted.final("x"), plain.final("x")) << method;
  }
}

// Modes with other states and another index, and diodes.
TEST(ConstantStepsBehindAnEvent, GoOnInOtherModes) {
  const Model clutch = model_of(R"(  Real w1(start = 10, fixed = true), w2(start = 4, fixed = true), tau;
equation
  2*der(w1) = 1 - tau;
  3*der(w2) = tau;
  if time >= 1 and time < 2 then
    w1 = w2;
  else
    tau = 0;
  end if;
)");
  for (const char* const method : {"rk4", "radau2", "bdf2", "backward-euler", "half-explicit3"}) {
    const Solution s = run(clutch, method, 0.3, 3.0);
    ASSERT_EQ(s.outcome, Outcome::Success) << method << ": " << s.message;
    EXPECT_NEAR(s.final("w1"), (2.0 * 10.5 + 12.0) / 5.0 + 0.2 + 0.5, 1e-9) << method;
    EXPECT_NEAR(s.final("w2"), (2.0 * 10.5 + 12.0) / 5.0 + 0.2, 1e-9) << method;
  }
}

}  // namespace
}  // namespace driftless
