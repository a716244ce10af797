// Many events: what they cost in steps, what they leave as it was, and that the values behind them are right.
#include <gmock/gmock.h>

#include <numeric>

#include "driftless/language/read.hpp"
#include "driftless/simulate.hpp"
#include "exact_solutions.hpp"

namespace driftless {
namespace {

Model shipped(const std::string& name) {
  return read_model_file(std::string(DRIFTLESS_SOURCE_DIR) + "/models/hybrid/" + name + ".mo");
}

SimulateOptions with(const std::string& method, double tolerance = 1e-6) {
  SimulateOptions options;
  options.method = *parse_method(method);
  options.tolerance = tolerance;
  options.intervals = 1;
  return options;
}

SimulateOptions with(const std::string& method, double tolerance, double stop) {
  SimulateOptions options = with(method, tolerance);
  options.stop = stop;
  return options;
}

// ---- events that change nothing continuous

constexpr const char* oscillators = R"(
  Real x(start = 0, fixed = true), v(start = 1, fixed = true), z(start = 2, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  der(z) = cos(z) - 0.1*x;
)";
constexpr double stop_of_oscillators = 20.0;

Model plain() { return read_model_text("plain.mo", std::string("model M") + oscillators + "end M;"); }

// x crosses 0.3 and 0.7 upwards 4 times in 20 s, at t = asin(0.3) + 2 k pi, and downwards 3 times.
Model counting() {
  return read_model_text("counting.mo", std::string("model M\n Integer low(start = 0, fixed = true), high(start = 0, "
                                                    "fixed = true); discrete Real last(start = 0, fixed = true);") +
                                            oscillators + R"(
equation
  when x > 0.3 then
    low = pre(low) + 1;
    last = time;
  end when;
  when x > 0.7 then
    high = pre(high) + 1;
  end when;
end M;)");
}

class UnchangedEvents : public testing::TestWithParam<const char*> {};

TEST_P(UnchangedEvents, LeaveEveryStepAsItIs) {
  for (const double tolerance : {1e-4, 1e-8}) {
    const Solution without = simulate(plain(), with(GetParam(), tolerance, stop_of_oscillators));
    const Solution counted = simulate(counting(), with(GetParam(), tolerance, stop_of_oscillators));
    ASSERT_EQ(counted.outcome, Outcome::Success) << counted.message;
    EXPECT_EQ(counted.final("low"), 4.0);
    EXPECT_EQ(counted.final("high"), 4.0);
    EXPECT_NEAR(counted.final("last"), std::asin(0.3) + 6.0 * std::numbers::pi, 1e3 * tolerance);
    EXPECT_EQ(counted.statistics.events, 14) << "up and down";
    EXPECT_EQ(counted.statistics.steps, without.statistics.steps);
    EXPECT_EQ(counted.statistics.rejected_steps, without.statistics.rejected_steps);
    EXPECT_EQ(counted.statistics.smallest_step, without.statistics.smallest_step);
    EXPECT_EQ(counted.statistics.largest_step, without.statistics.largest_step);
    EXPECT_EQ(counted.statistics.mean_order, without.statistics.mean_order);
    for (const char* name : {"x", "v", "z"}) EXPECT_EQ(counted.final(name), without.final(name)) << name;
  }
}

// The rows between two events are those of the steps, and every event has two of them.
TEST_P(UnchangedEvents, HaveTwoRowsAndDenseOutput) {
  SimulateOptions options = with(GetParam(), 1e-8, stop_of_oscillators);
  options.intervals = 40;
  options.dense = true;
  const Solution s = simulate(counting(), options), smooth = simulate(plain(), options);
  ASSERT_EQ(s.outcome, Outcome::Success);
  EXPECT_EQ(s.points, smooth.points + 2 * static_cast<std::size_t>(s.statistics.events));
  const double before = std::asin(0.3) - 1e-6, behind = std::asin(0.3) + 1e-6;
  EXPECT_EQ(s.at(before, "low"), 0.0);
  EXPECT_EQ(s.at(behind, "low"), 1.0);
  for (const double t : {before, behind, 3.0, 11.0}) EXPECT_EQ(s.at(t, "x"), smooth.at(t, "x")) << t;
}

// With samplings steps end at the instants, but order and step size stay: a restart of BDF would take some twenty
// steps.
TEST_P(UnchangedEvents, OfAClockKeepOrderAndStepSize) {
  const Solution s = simulate(read_model_text("clock.mo", std::string("model M\n Integer n(start = 0, fixed = true);") +
                                                              oscillators + R"(
equation
  when sample(0, 0.5) then
    n = pre(n) + 1;
  end when;
end M;)"),
                              with(GetParam(), 1e-6, stop_of_oscillators)),
                 without = simulate(plain(), with(GetParam(), 1e-6, stop_of_oscillators));
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_EQ(s.final("n"), 41.0);
  EXPECT_LE(s.statistics.steps, 2 * without.statistics.steps + 3 * 41);
  EXPECT_NEAR(s.final("x"), std::sin(20.0), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Methods, UnchangedEvents,
                         testing::Values("bdf", "radau", "radau3", "explicit", "dopri5", "taylor"));

// ---- events that change the equations

class ManyEvents : public testing::TestWithParam<const char*> {};

TEST_P(ManyEvents, OfAClockedConverter) {
  const Solution s = simulate(shipped("buck_converter"), with(GetParam(), 1e-8, 0.01));
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_EQ(s.statistics.events, 2001);
  const exact::Converter end = exact::clocked_converter(1000);
  EXPECT_NEAR(s.final("i"), end.i, 1e-6 * end.i);
  EXPECT_NEAR(s.final("v"), end.v, 1e-6 * end.v);
}

TEST_P(ManyEvents, OfAHystereticConverter) {
  const Solution s = simulate(shipped("hysteretic_converter"), with(GetParam(), 1e-8, 0.01));
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  const exact::Hysteresis exact = exact::hysteretic_converter(0.01);
  EXPECT_EQ(s.statistics.events, exact.events);
  // The errors of all steps add up in the phase: one tolerance of i for each event.
  const double accumulated = static_cast<double>(exact.events) * 1e-8 * (1.0 + 5.0);
  EXPECT_NEAR(s.final("i"), exact.at.i, accumulated);
  EXPECT_NEAR(s.final("v"), exact.at.v, accumulated);
}

// At t = 1 s the voltage of a half wave is zero, and its current is not.
TEST_P(ManyEvents, OfAThyristorBridge) {
  const Solution s = simulate(shipped("thyristor_bridge"), with(GetParam(), 1e-8, 1.0));
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_NEAR(s.final("i"), exact::thyristor_current(std::numbers::pi), 1e-5);
}

TEST_P(ManyEvents, OfBallsInABox) {
  const Solution s = simulate(shipped("balls_in_box"), with(GetParam(), 1e-8, 3.0));
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  for (int k = 1; k <= 100; ++k) {
    const std::string place = "[" + std::to_string(k) + "]";
    EXPECT_NEAR(s.final("x" + place), exact::between_walls(k / 101.0, 0.3 + 0.7 * k / 100.0, 1.0, 3.0), 1e-6) << place;
    EXPECT_NEAR(s.final("y" + place), exact::above_floor(0.2 + 0.8 * k / 100.0, 9.81, 3.0), 1e-5) << place;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, ManyEvents, testing::Values("auto", "explicit", "radau", "bdf"));

// Methods of one step keep their step size: between two events of a converter one step is enough.
TEST(StepsPerEvent, AreOneForMethodsThatKeepTheirStepSize) {
  for (const char* method : {"explicit", "radau"})
    for (const char* model : {"buck_converter", "hysteretic_converter"}) {
      const Solution s = simulate(shipped(model), with(method, 1e-6, 0.01));
      EXPECT_LE(s.statistics.steps, s.statistics.events + 20) << method << " on " << model;
      EXPECT_LE(s.statistics.rejected_steps, 20) << method << " on " << model;
    }
}

// The step size with which the equations of a half wave were left is that with which they are entered again: without it
// two of three steps would be rejected.
TEST(StepsPerEvent, AreRememberedForEachSetOfEquations) {
  const Solution s = simulate(shipped("thyristor_bridge"), with("explicit", 1e-6, 2.0));
  EXPECT_LE(s.statistics.rejected_steps, s.statistics.steps / 4);
}

// ---- what a long run leaves

TEST(EventsOfALongRun, AreCountedByCauseAndKeptUpToALimit) {
  long told = 0;
  SimulateOptions options = with("explicit", 1e-6, 0.1);
  options.rows.keep_all = false;
  options.rows.event = [&](const Event&) { ++told; };
  const Solution s = simulate(shipped("buck_converter"), options);
  ASSERT_EQ(s.outcome, Outcome::Success);
  EXPECT_EQ(s.statistics.events, 20001);
  EXPECT_EQ(told, 20001);
  EXPECT_EQ(s.events.size(), 10000u);
  EXPECT_THAT(s.statistics.events_by_cause,
              testing::ElementsAre(testing::Pair("sample(0, T)", 10001), testing::Pair("sample(d*T, T)", 10000)));
  EXPECT_LE(s.times.size(), 2u);
}

TEST(EventsOfALongRun, LeaveItInterruptible) {
  SimulateOptions options = with("explicit");
  double last = 0.0;
  int calls = 0;
  options.progress = [&](double t) {
    last = t;
    return ++calls < 100;
  };
  const Solution s = simulate(shipped("buck_converter"), options);
  EXPECT_EQ(s.outcome, Outcome::Interrupted) << "every step ends at an event";
  EXPECT_LT(last, 0.01);
}

}  // namespace
}  // namespace driftless
