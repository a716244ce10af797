// What a run with events delivers: both sides of every event, and every event between them.
#include <algorithm>

#include <gmock/gmock.h>

#include "driftless/language/read.hpp"
#include "driftless/simulate.hpp"

namespace driftless {
namespace {

// n grows by one every 0.1 s, x' = n: x is continuous, and der(x) jumps. At the end n = 10, x = 0.1*(1 + ... + 10).
Model staircase() {
  return read_model_text("staircase.mo", R"(model Staircase
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = n;
  when sample(0, 0.1) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 0.95));
end Staircase;)");
}

struct Delivered {
  std::vector<double> times, steps;  // of rows: the time and n
  std::vector<std::size_t> events;   // how many rows were there before each
  std::vector<Event> list;
  std::size_t place = 0;  // of n

  RowSink sink(bool keep_all) {
    return {.begin =
                [this](const Solution& head) {
                  *this = {};
                  place = head.find("n").value();
                },
            .row =
                [this](double t, std::span<const double> series) {
                  times.push_back(t), steps.push_back(series[place]);
                  return true;
                },
            .event = [this](const Event& event) { events.push_back(times.size()), list.push_back(event); },
            .keep_all = keep_all};
  }
};

TEST(ResultsOfEvents, ComeBetweenTheirTwoSides) {
  for (const bool keep_all : {true, false}) {
    Delivered delivered;
    SimulateOptions options;
    options.intervals = 7;
    options.rows = delivered.sink(keep_all);
    const Solution s = simulate(staircase(), options);
    ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
    ASSERT_EQ(delivered.list.size(), 10u);
    EXPECT_EQ(s.statistics.events, 10);
    for (std::size_t k = 0; k < 10; ++k) {
      const std::size_t after = delivered.events[k];
      ASSERT_GE(after, 1u);
      ASSERT_LT(after, delivered.times.size());
      const double t = delivered.list[k].time;
      EXPECT_NEAR(t, 0.1 * static_cast<double>(k), 1e-15);
      EXPECT_EQ(delivered.times[after - 1], t);
      EXPECT_EQ(delivered.times[after], t);
      EXPECT_EQ(delivered.steps[after - 1], static_cast<double>(k));
      EXPECT_EQ(delivered.steps[after], static_cast<double>(k + 1));
      ASSERT_EQ(delivered.list[k].discrete.size(), 1u);
      EXPECT_EQ(delivered.list[k].discrete[0].to, static_cast<double>(k + 1));
    }
    EXPECT_TRUE(std::ranges::is_sorted(delivered.times));
    EXPECT_NEAR(s.final("x"), 0.1 * 45.0 + 0.05 * 10.0, 1e-6);
    EXPECT_EQ(s.points, delivered.times.size());
  }
}

}  // namespace
}  // namespace driftless
