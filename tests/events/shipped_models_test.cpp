// models/hybrid, read as text, against closed forms.
#include <cmath>
#include <string>

#include <gmock/gmock.h>

#include "driftless/language/read.hpp"
#include "driftless/simulation.hpp"
#include "exact_solutions.hpp"

namespace driftless {
namespace {

using namespace testing;

Solution run(const std::string& name, const Method& method, bool sliding = false) {
  SimulateOptions options;
  options.method = method;
  options.tolerance = 1e-12;
  options.sliding = sliding;
  return simulate(read_model_file(std::string(DRIFTLESS_SOURCE_DIR "/models/hybrid/") + name + ".mo"), options);
}

class HybridModel : public TestWithParam<const char*> {
 protected:
  Method method() const { return *parse_method(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Methods, HybridModel, Values("bdf", "radau", "explicit", "taylor", "auto"));

TEST_P(HybridModel, BouncingBallComesToRest) {
  const Solution s = run("bouncing_ball", method());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_NEAR(s.final("h"), 0.0, 1e-10);
  EXPECT_NEAR(s.final("v"), 0.0, 1e-10);
  const double fall = std::sqrt(2.0 / 9.81), zeno = fall * (1.0 + 2.0 * 0.8 / (1.0 - 0.8));
  const auto remark = std::ranges::find_if(
      s.remarks, [](const std::string& text) { return text.find("accumulate at t = ") != std::string::npos; });
  ASSERT_NE(remark, s.remarks.end());
  EXPECT_NEAR(std::stod(remark->substr(remark->find("t = ") + 4)), zeno, 1e-11);
}

// Where a half wave ends at a zero of the mains, after a hundred of them.
TEST_P(HybridModel, ThyristorBridgeHasTheClosedFormOfEveryHalfWave) {
  SimulateOptions options;
  options.method = method();
  options.tolerance = 1e-11;
  options.stop = 1.0;
  const Solution s = simulate(read_model_file(DRIFTLESS_SOURCE_DIR "/models/hybrid/thyristor_bridge.mo"), options);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_NEAR(s.final("i"), exact::thyristor_current(std::numbers::pi), 1e-10);
}

TEST_P(HybridModel, RopeLosesWhatPullsAtIt) {
  const Solution s = run("rope", method());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  ASSERT_FALSE(s.events.empty());
  const double g = 9.81, t = std::sqrt(2.4 / g), vy = -g * t;
  EXPECT_NEAR(s.events[0].time, t, 1e-10);
  // Along the rope, (0.6, -0.8), the velocity is lost; across it, it is kept.
  const double radial = -0.8 * vy;
  ASSERT_FALSE(s.events[0].impulses.empty());
  EXPECT_NEAR(std::abs(s.events[0].impulses[0].size), radial, 1e-10);
  const double energy = (vy * vy - radial * radial) / 2.0 - g * 0.8;
  for (std::size_t row = 0; row < s.times.size(); ++row) {
    if (s.times[row] <= s.events[0].time) continue;
    const auto value = [&](const char* name) { return s.value(row, *s.find(name)); };
    EXPECT_NEAR((value("vx") * value("vx") + value("vy") * value("vy")) / 2.0 + g * value("y"), energy, 1e-10);
    EXPECT_NEAR(std::hypot(value("x"), value("y")), 1.0, 1e-11);
  }
}

TEST_P(HybridModel, ClutchKeepsAngularMomentum) {
  const Solution s = run("clutch", method());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  ASSERT_EQ(s.events.size(), 2u);
  ASSERT_FALSE(s.events[0].impulses.empty());
  EXPECT_NEAR(std::abs(s.events[0].impulses[0].size), 3.0 * 3.8, 1e-10);
  EXPECT_NEAR(s.final("w1"), 5.5, 1e-10);
  EXPECT_NEAR(s.final("w2"), 5.0, 1e-10);
}

TEST_P(HybridModel, CapacitorsKeepTheirCharge) {
  const Solution s = run("switched_capacitors", method());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  const double joined = (5.0 * std::exp(-1.0) - 2.0) / 3.0;
  EXPECT_NEAR(s.final("v1"), joined * std::exp(-4.0 / 3.0), 1e-10);
  EXPECT_NEAR(s.final("v2"), joined * std::exp(-4.0 / 3.0), 1e-10);
  // On both sides of the event: with the charge, C1 C2/(C1 + C2) of half the square of the difference is lost.
  std::vector<double> energies;
  for (std::size_t row = 0; row < s.times.size(); ++row)
    if (s.times[row] == 1e-3) energies.push_back(s.value(row, *s.find("energy")));
  ASSERT_EQ(energies.size(), 2u);
  const double difference = 5.0 * std::exp(-1.0) + 1.0;
  EXPECT_NEAR((energies[0] - energies[1]) / 1e-6, difference * difference / 3.0, 1e-10);
}

// It swings up from the bottom, becomes slack at 30 degrees above the horizontal, where v^2 = g L sin 30, and flies
// along a parabola that meets the circle again after 4 v cos 30/g, right at the bottom. What is left there is v/2.
TEST_P(HybridModel, RopeGoesSlackAndTautAgain) {
  SimulateOptions options;
  options.method = method();
  options.tolerance = 1e-12;
  const Solution s = simulate(read_model_text("swing.mo", R"(model Swing
  parameter Real g = 9.81;
  Real x(start = 0, fixed = true), y(start = -1), vx(start = sqrt(3.5*g), fixed = true), vy(start = 0), F;
  Boolean taut(start = true, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - g;
  taut = if pre(taut) then F >= 0 else x^2 + y^2 >= 1;
  if taut then
    x^2 + y^2 = 1;
  else
    F = 0;
  end if;
  annotation(experiment(StopTime = 2));
end Swing;)"),
                              options);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  const double g = 9.81, v = std::sqrt(g / 2.0), cosine = std::sqrt(3.0) / 2.0;
  std::vector<const Event*> changes;
  for (const Event& event : s.events)
    if (!event.discrete.empty()) changes.push_back(&event);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_NEAR(changes[1]->time - changes[0]->time, 4.0 * v * cosine / g, 1e-10);
  for (const ChangeOfValue& jump : changes[1]->jumps)
    if (jump.name == "vy") {
      EXPECT_NEAR(jump.from, -3.0 * v * cosine, 1e-10);
      EXPECT_NEAR(jump.to, 0.0, 1e-10);
    }
  // The pendulum that is left has the energy of v/2 at the bottom.
  EXPECT_NEAR((s.final("vx") * s.final("vx") + s.final("vy") * s.final("vy")) / 2.0 + g * s.final("y"), v * v / 8.0 - g,
              1e-10);
  EXPECT_NEAR(std::hypot(s.final("x"), s.final("y")), 1.0, 1e-12);
}

TEST_P(HybridModel, ThermostatSwitchesInTime) {
  const Solution s = run("thermostat", method());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  std::vector<double> times{std::log(5.0 / 4.0)}, switched;
  for (bool cools = true; times.back() < 2.0; cools = !cools)
    times.push_back(times.back() + (cools ? std::log(11.0 / 9.0) : std::log(6.0 / 4.0)));
  times.pop_back();
  for (const Event& event : s.events)
    if (!event.discrete.empty()) switched.push_back(event.time);
  EXPECT_THAT(switched, Pointwise(DoubleNear(1e-10), times));
}

TEST_P(HybridModel, CradleHandsTheSpeedOn) {
  const Solution s = run("newtons_cradle", method());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_EQ(s.final("impacts"), 2.0);
  EXPECT_NEAR(s.final("v[1]"), 0.0, 1e-12);
  EXPECT_NEAR(s.final("v[2]"), 0.0, 1e-12);
  EXPECT_NEAR(s.final("v[3]"), 1.0, 1e-12);
  EXPECT_NEAR(s.final("x[3]"), 2.2, 1e-10);
}

TEST_P(HybridModel, RelaySlides) {
  const Solution s = run("relay", method(), true);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  const double t = (std::sqrt(8.25) - 1.5) / 2.0, x = 1.0 + 0.5 * t - t * t;
  EXPECT_NEAR(s.final("x"), x * std::exp(t - 3.0), 1e-10);
  EXPECT_NEAR(s.final("y"), -x * std::exp(t - 3.0), 1e-10);
}

TEST(HybridModels, RelayWithoutSlidingEndsWithItsReason) {
  const Solution s = run("relay", method::Bdf{});
  EXPECT_FALSE(reached_end(s.outcome));
  EXPECT_THAT(s.code, Optional(Code::EventUnresolved));
}

}  // namespace
}  // namespace driftless
