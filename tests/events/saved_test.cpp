// Runs with events that are saved and restored, and that are changed on their way.
#include <cmath>

#include <gmock/gmock.h>

#include "driftless/language/read.hpp"
#include "driftless/simulation.hpp"

namespace driftless {
namespace {

using namespace testing;

struct Example {
  const char* name;
  const char* text;
  bool sliding = false;
};

const Example examples[] = {
    {"relation", R"(model M
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = if x > 0 then -x else -4*x;
  annotation(experiment(StopTime = 10));
end M;)"},
    {"ball_that_comes_to_rest", R"(model M
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    n = pre(n) + 1;
    reinit(v, -0.5*pre(v));
  end when;
  annotation(experiment(StopTime = 3));
end M;)"},
    {"clutch", R"(model M
  Real w1(start = 10, fixed = true), w2(start = 0, fixed = true), torque;
  Boolean locked = time > 1 and time < 2;
equation
  2*der(w1) = -torque + sin(time);
  3*der(w2) = torque - 0.1*w2;
  if locked then
    w1 = w2;
  else
    torque = 0.1*(w1 - w2);
  end if;
  annotation(experiment(StopTime = 3));
end M;)"},
    {"sampled", R"(model M
  Real x(start = 1, fixed = true);
  discrete Real u(start = 0, fixed = true);
equation
  der(x) = -x + u;
  when sample(0.05, 0.3) then
    u = pre(u) + 0.5*(2 - x);
  end when;
  annotation(experiment(StopTime = 3));
end M;)"},
    {"pendulum", R"(model M
  Real x(start = 1, fixed = true), y(start = 0), lambda;
equation
  der(der(x)) = -lambda*x + (if x > 0 then 0.3 else -0.2*der(x));
  der(der(y)) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 5));
end M;)"},
    {"two_balls_that_come_to_rest", R"(model M
  Real h[2](start = {0.2, 0.1}, each fixed = true), v[2](each start = 0, each fixed = true);
equation
  for k in 1:2 loop
    der(h[k]) = v[k];
    der(v[k]) = if time > 2 then k - 1.5 else -10;
    when h[k] < 0 then
      reinit(v[k], -0.5*v[k]);
    end when;
  end for;
  annotation(experiment(StopTime = 3));
end M;)"},
    {"sliding", R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = if x < 0.3*sin(time) then 2 else -1;
  annotation(experiment(StopTime = 4));
end M;)",
     true},
};

void expect_identical(const Solution& one, const Solution& other) {
  EXPECT_EQ(one.outcome, other.outcome) << one.message << " / " << other.message;
  EXPECT_EQ(one.remarks, other.remarks);
  EXPECT_EQ(one.statistics.steps, other.statistics.steps);
  EXPECT_EQ(one.statistics.events, other.statistics.events);
  EXPECT_EQ(one.statistics.modes, other.statistics.modes);
  EXPECT_EQ(one.times, other.times);
  ASSERT_EQ(one.values.size(), other.values.size());
  for (std::size_t k = 0; k < one.values.size(); ++k)
    ASSERT_TRUE(one.values[k] == other.values[k] || (std::isnan(one.values[k]) && std::isnan(other.values[k])))
        << one.values[k] << " " << other.values[k] << " at t = " << one.times[k / one.series()];
  ASSERT_EQ(one.events.size(), other.events.size());
  for (std::size_t k = 0; k < one.events.size(); ++k) EXPECT_EQ(one.events[k].time, other.events[k].time);
  ASSERT_EQ(one.certificate.size(), other.certificate.size());
  for (std::size_t k = 0; k < one.certificate.size(); ++k)
    EXPECT_EQ(one.certificate[k].max_residual, other.certificate[k].max_residual);
}

class SavedRun : public TestWithParam<Example> {};
INSTANTIATE_TEST_SUITE_P(Examples, SavedRun, ValuesIn(examples), [](const auto& i) { return i.param.name; });

TEST_P(SavedRun, GoesOnWithTheSameBits) {
  for (const char* name : {"bdf", "radau", "explicit", "taylor", "auto"}) {
    SCOPED_TRACE(name);
    SimulateOptions options{.tolerance = 1e-7, .intervals = 50, .method = *parse_method(name), .dense = false};
    options.sliding = GetParam().sliding;
    const auto compiled = [&] { return compile(read_model_text("test.mo", GetParam().text), options); };
    const Compiled once = compiled();
    const Solution whole = simulate(once);
    ASSERT_EQ(whole.outcome, Outcome::Success) << whole.message;
    EXPECT_GT(whole.statistics.events + whole.statistics.modes, 1);
    for (const double part : {0.0, 1.0 / 7.0, 0.4, 0.55, 0.9}) {
      SCOPED_TRACE(part);
      Simulation first(once);
      first.advance_to(part * whole.stop);
      const std::vector<std::byte> bytes = first.save();
      Simulation second = Simulation::restore(compiled(), bytes);
      EXPECT_EQ(second.time(), first.time());
      EXPECT_TRUE(second.save() == bytes) << "saved again at once";
      expect_identical(second.finish(), whole);
      expect_identical(first.finish(), whole);
      if (HasFailure()) return;
    }
  }
}

TEST(SavedRun, HasTheDenseOutputOfTheWhole) {
  const Compiled compiled = compile(read_model_text("test.mo", examples[0].text), {.tolerance = 1e-8});
  const Solution whole = simulate(compiled);
  Simulation run(compiled);
  run.advance_to(4.0);
  const Solution restored = Simulation::restore(compiled, run.save()).finish();
  for (double t = 0.05; t < 10.0; t += 0.37) EXPECT_EQ(whole.at(t), restored.at(t)) << t;
}

// x' = -k x with another k from 1 on, and an event at x = 0.2.
TEST(ChangedRun, TakesAnotherParameterAndGoesOn) {
  for (const char* method : {"bdf", "radau", "explicit", "taylor"}) {
    SCOPED_TRACE(method);
    Simulation run(compile(read_model_text("test.mo", R"(model M
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = if x > 0.2 then -k*x else -0.1;
  annotation(experiment(StopTime = 2));
end M;)"),
                           {.tolerance = 1e-10, .method = *parse_method(method)}));
    run.advance_to(1.0);
    run.set("k", 2.0);
    EXPECT_NEAR(run.value("x"), std::exp(-1.0), 1e-8);
    const double crossing = 1.0 + std::log(std::exp(-1.0) / 0.2) / 2.0;
    const Solution s = run.finish();
    ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
    ASSERT_EQ(s.events.size(), 1u);
    EXPECT_NEAR(s.events[0].time, crossing, 1e-8);
    EXPECT_NEAR(s.final("x"), 0.2 - 0.1 * (2.0 - crossing), 1e-8);
  }
}

// A state that is set to the other side of a relation: the relation is what it is there, at once.
TEST(ChangedRun, TakesAnotherStateOnTheOtherSideOfARelation) {
  Simulation run(compile(read_model_text("test.mo", R"(model M
  Real x(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
  Boolean low = x < 0.2;
equation
  der(x) = if low then 3 else -1;
  when low then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 0.53));
end M;)"),
                         {.tolerance = 1e-10}));
  run.advance_to(0.5);
  run.set("x", 0.1);
  EXPECT_EQ(run.value("x"), 0.1);
  EXPECT_EQ(run.value("low"), 1.0);
  EXPECT_EQ(run.value("n"), 1.0);
  run.advance_to(0.52);
  EXPECT_NEAR(run.value("x"), 0.16, 1e-9);
  const std::vector<std::byte> bytes = run.save();
  EXPECT_FALSE(bytes.empty());
  EXPECT_EQ(run.finish().reached, 0.53);
}

TEST(ChangedRun, ThatIsRefusedIsUnchanged) {
  const char* text = R"(model M
  Real x(start = 1, fixed = true), y;
equation
  der(x) = if x > 0.5 then -1 else -x;
  y = 2*x;
end M;)";
  const Compiled compiled = compile(read_model_text("test.mo", text), {.tolerance = 1e-8, .dense = false});
  const Solution whole = simulate(compiled);
  Simulation run(compiled);
  run.advance_to(0.3);
  EXPECT_THROW(run.set("y", 4.0), ModelError);
  EXPECT_EQ(run.finish().values, whole.values);
}

}  // namespace
}  // namespace driftless
