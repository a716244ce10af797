// models/hybrid, read as text, against closed forms.
#include <cmath>
#include <string>

#include <gmock/gmock.h>

#include "driftless/language/read.hpp"
#include "driftless/simulation.hpp"

namespace driftless {
namespace {

using namespace testing;

Solution run(const std::string& name, const Method& method, bool sliding = false) {
  SimulateOptions options;
  options.method = method;
  options.tolerance = 1e-11;
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
  EXPECT_NEAR(std::stod(remark->substr(remark->find("t = ") + 4)), zeno, 1e-9);
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
  EXPECT_NEAR(std::abs(s.events[0].impulses[0].size), radial, 1e-9);
  const double energy = (vy * vy - radial * radial) / 2.0 - g * 0.8;
  for (std::size_t row = 0; row < s.times.size(); ++row) {
    if (s.times[row] <= s.events[0].time) continue;
    const auto value = [&](const char* name) { return s.value(row, *s.find(name)); };
    EXPECT_NEAR((value("vx") * value("vx") + value("vy") * value("vy")) / 2.0 + g * value("y"), energy, 1e-7);
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
  EXPECT_NEAR(s.final("v1"), joined * std::exp(-4.0 / 3.0), 1e-9);
  EXPECT_NEAR(s.final("v2"), joined * std::exp(-4.0 / 3.0), 1e-9);
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
  EXPECT_THAT(switched, Pointwise(DoubleNear(1e-9), times));
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
  EXPECT_NEAR(s.final("x"), x * std::exp(t - 3.0), 1e-9);
  EXPECT_NEAR(s.final("y"), -x * std::exp(t - 3.0), 1e-9);
}

TEST(HybridModels, RelayWithoutSlidingEndsWithItsReason) {
  const Solution s = run("relay", method::Bdf{});
  EXPECT_FALSE(reached_end(s.outcome));
  EXPECT_THAT(s.code, Optional(Code::EventUnresolved));
}

}  // namespace
}  // namespace driftless
