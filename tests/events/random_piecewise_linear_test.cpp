// Piecewise linear systems at random: every event is found, in order, at its instant, by every method.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "driftless/simulation.hpp"
#include "tests/events/piecewise_linear.hpp"

namespace driftless {
namespace {

using namespace piecewise;

constexpr double stop = 3.0;
constexpr int compared = 500;

struct Sample {
  Random system;
  Trajectory exact;
};

// The same for all methods; systems that cannot be compared are counted by their reason.
struct Samples {
  std::vector<Sample> all;
  std::array<int, 6> by_fit{};
  int events = 0;

  Samples() {
    std::mt19937 random(2024);
    while (all.size() < compared) {
      Random system = random_system(random);
      Trajectory exact = Exact(system)(stop);
      ++by_fit[static_cast<std::size_t>(exact.fit)];
      if (exact.fit != Trajectory::Fit::Yes) continue;
      events += static_cast<int>(exact.crossings.size());
      all.push_back({std::move(system), std::move(exact)});
    }
  }
};

const Samples& samples() {
  static const Samples samples;
  return samples;
}

class PiecewiseLinear : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, PiecewiseLinear, testing::Values("bdf", "radau", "explicit", "taylor", "auto"));

TEST_P(PiecewiseLinear, EveryEventIsFoundInOrderAtItsInstant) {
  SimulateOptions options;
  options.method = *parse_method(GetParam());
  options.tolerance = 1e-13;
  options.intervals = 1;
  options.dense = false;
  double worst = 0.0, worst_end = 0.0;
  int idle = 0, ill_conditioned = 0;
  for (std::size_t k = 0; k < samples().all.size(); ++k) {
    const auto& [system, exact] = samples().all[k];
    const Solution s = simulate(model_of(system, stop), options);
    ASSERT_EQ(s.outcome, Outcome::Success) << k << ": " << s.message;
    std::vector<bool> truth;
    std::vector<int> counts(system.surfaces.size(), 0);
    for (std::size_t r = 0; r < counts.size(); ++r) truth.push_back(s.value(0, *s.find(fmt::format("r{}", r))) != 0.0);
    std::size_t next = 0;
    for (const Event& event : s.events) {
      if (event.discrete.empty() && event.jumps.empty()) {
        ++idle;
        continue;
      }
      for (const ChangeOfValue& change : event.discrete) {
        const auto r = static_cast<std::size_t>(std::stoi(change.name.substr(1)));
        if (change.name[0] == 'r') truth[r] = change.to != 0.0;
        if (change.name[0] == 'n') counts[r] = static_cast<int>(change.to);
      }
      ASSERT_LT(next, exact.crossings.size()) << k << ": an event too many at " << event.time;
      const Crossing& crossing = exact.crossings[next++];
      // Errors of x move the instant by their size over the speed at which the surface is crossed.
      const double condition = std::max(1.0, static_cast<double>(crossing.condition));
      ill_conditioned += condition > 100.0;
      const double error = std::abs(event.time - static_cast<double>(crossing.time));
      worst = std::max(worst, error / condition);
      EXPECT_LE(error, 1e-9 * condition) << k << " at " << event.time;
      EXPECT_EQ(truth, crossing.truth) << k << " at " << event.time;
      EXPECT_EQ(counts, crossing.counts) << k << " at " << event.time;
    }
    EXPECT_EQ(next, exact.crossings.size()) << k << ": an event is missing";
    for (int i = 0; i < system.size(); ++i)
      worst_end = std::max(worst_end, std::abs(s.final(fmt::format("x{}", i)) - static_cast<double>(exact.end[i])));
  }
  RecordProperty("events", samples().events);
  fmt::print(
      "{}: {} events in {} systems, {} of them with a condition above 100, {} idle; largest error of an instant "
      "over its condition {:.1e}, of the end {:.1e}\n",
      GetParam(), samples().events, compared, ill_conditioned, idle, worst, worst_end);
}

// Both crossings of a surface that is passed by 1e-2 to 1e-9 only, where steps are longer than the time between them.
TEST_P(PiecewiseLinear, NearlyTangentialCrossingsAreFound) {
  SimulateOptions options;
  options.method = *parse_method(GetParam());
  options.tolerance = 1e-13;
  options.intervals = 1;
  options.dense = false;
  std::mt19937 random(7);
  double worst = 0.0, largest_condition = 0.0;
  std::size_t crossings = 0;
  for (int k = 0; k < 80; ++k) {
    const double depth = std::pow(10.0, -2.0 - 7.0 * (k % 8) / 7.0);
    const Random system = nearly_tangential(random, depth, stop);
    Exact solve(system);
    const Trajectory exact = solve.tangential(stop);
    const Solution s = simulate(model_of(system, stop), options);
    ASSERT_EQ(s.outcome, Outcome::Success) << k << ": " << s.message;
    ASSERT_EQ(s.events.size(), exact.crossings.size()) << k << ", depth " << depth;
    crossings += exact.crossings.size();
    for (std::size_t c = 0; c < exact.crossings.size(); ++c) {
      const double condition = std::max(1.0, static_cast<double>(exact.crossings[c].condition));
      const double error = std::abs(s.events[c].time - static_cast<double>(exact.crossings[c].time));
      EXPECT_LE(error, 1e-10 * condition) << k << ", depth " << depth;
      worst = std::max(worst, error / condition);
      largest_condition = std::max(largest_condition, condition);
    }
  }
  EXPECT_GE(crossings, 155u);
  EXPECT_GT(largest_condition, 1e3);
  fmt::print("{}: conditions up to {:.1e}, largest error of an instant over its condition {:.1e}\n", GetParam(),
             largest_condition, worst);
}

// Without --sliding a motion that is driven back to a surface from both sides ends there, with a reason.
TEST(PiecewiseLinearSamples, ThatSlideEndWhereTheyDo) {
  std::mt19937 random(2024);
  SimulateOptions options;
  options.method = method::Taylor{};
  options.tolerance = 1e-12;
  int judged = 0;
  for (int k = 0; k < 300; ++k) {
    const Random system = random_system(random);
    const Trajectory exact = Exact(system)(stop);
    if (exact.fit != Trajectory::Fit::Slides) continue;
    ++judged;
    const Solution s = simulate(model_of(system, stop), options);
    EXPECT_FALSE(reached_end(s.outcome)) << k;
    EXPECT_TRUE(s.code == Code::EventUnresolved || s.code == Code::EndlessJumps) << k << ": " << s.message;
    EXPECT_NEAR(s.reached, static_cast<double>(exact.reached), 1e-9) << k << ": " << s.message;
  }
  EXPECT_GT(judged, 50);
}

TEST(PiecewiseLinearSamples, AreMostlyComparedAndOthersCounted) {
  const auto& count = samples().by_fit;
  fmt::print("compared {}, slide {}, touch {}, coincide {}, land on a surface {}, accumulate {}\n", count[0], count[1],
             count[2], count[3], count[4], count[5]);
  EXPECT_EQ(count[0], compared);
  EXPECT_GT(samples().events, 4 * compared / 2);
}

}  // namespace
}  // namespace driftless
