#include "driftless/solution/row_sink.hpp"

#include <cmath>
#include <new>

#include "driftless/integrate/run/integrate.hpp"
#include "driftless/reduce/sample_models.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace driftless {
namespace {

Solution run(Model model, const IntegrateOptions& options) {
  const auto reduced = samples::reduced(std::move(model));
  Diagnostics diagnostics;
  const auto start = initialize(*reduced, 0.0, diagnostics);
  Solution solution;
  integrate(std::make_shared<System>(reduced, Backend::Interpreter), std::get<State>(start), options, solution);
  return solution;
}

Model oscillator() {
  ModelBuilder m("Oscillator");
  const Expr x = m.variable("x", {.start = 1.0, .fixed = true}), v = m.variable("v", {.start = 0.0, .fixed = true});
  m.equation(der(x) == v);
  m.equation(der(v) == -x);
  m.invariant("energy", x * x + v * v);
  return m.build();
}

Model without_states() {
  ModelBuilder m("Path");
  const Expr x = m.variable("x", {.start = 1.0});
  m.equation(x * x == 1.0 + m.time());
  return m.build();
}

struct Collected {
  int begins = 0;
  std::vector<double> times, values;
  std::size_t most = 1'000'000;

  RowSink sink(bool keep_all) {
    return {.begin = [this](const Solution& head) { begins += head.columns.empty() ? 100 : 1; },
            .row =
                [this](double time, std::span<const double> series) {
                  times.push_back(time);
                  values.insert(values.end(), series.begin(), series.end());
                  return times.size() < most;
                },
            .keep_all = keep_all};
  }
};

TEST(RowSink, GetsEveryPointOnce) {
  Collected collected;
  const Solution solution = run(oscillator(), {.intervals = 100, .rows = collected.sink(true)});
  EXPECT_EQ(collected.begins, 1);
  EXPECT_EQ(solution.points, 101u);
  EXPECT_EQ(collected.times, solution.times);
  EXPECT_EQ(collected.values, solution.values);
}

TEST(RowSink, MayBeTheOnlyOneThatKeepsThem) {
  Collected collected;
  const Solution all = run(oscillator(), {.intervals = 100});
  const Solution last = run(oscillator(), {.intervals = 100, .rows = collected.sink(false)});
  EXPECT_EQ(collected.values, all.values);
  EXPECT_EQ(last.points, 101u);
  EXPECT_EQ(last.times, std::vector{1.0});
  EXPECT_EQ(last.final("x"), all.final("x"));
  EXPECT_EQ(last.invariants[0].start, all.invariants[0].start);
  EXPECT_EQ(last.invariants[0].max_deviation, all.invariants[0].max_deviation);
}

TEST(RowSink, EndsTheRunWhenItTakesNoMore) {
  for (Model (*model)() : {oscillator, without_states}) {
    Collected collected;
    collected.most = 20;
    const Solution solution = run(model(), {.intervals = 100'000, .rows = collected.sink(true)});
    EXPECT_EQ(solution.outcome, Outcome::Interrupted);
    EXPECT_EQ(collected.times.size(), 20u);
    EXPECT_LT(solution.reached, 1.0);
    EXPECT_THAT(solution.message, testing::HasSubstr("can no longer be stored"));
  }
}

TEST(RowSink, ProgressEndsARunWithoutStatesToo) {
  int calls = 0;
  const Solution solution = run(without_states(), {.progress = [&](double) { return ++calls < 3; }});
  EXPECT_EQ(solution.outcome, Outcome::Interrupted);
  EXPECT_EQ(solution.points, 4u);  // the start and one for each call
}

// What runs out of memory keeps its points.
TEST(RowSink, PointsSurviveWhenMemoryRunsOut) {
  Collected collected;
  RowSink sink = collected.sink(true);
  sink.row = [&](double time, std::span<const double>) -> bool {
    if (time > 0.5) throw std::bad_alloc();
    return true;
  };
  const Solution solution = run(oscillator(), {.intervals = 100, .rows = sink});
  EXPECT_EQ(solution.outcome, Outcome::OutOfMemory);
  EXPECT_GE(solution.times.size(), 51u);
  EXPECT_EQ(solution.values.size(), solution.times.size() * solution.series());
  EXPECT_NEAR(solution.value(50, *solution.find("x")), std::cos(0.5), 1e-5);
}

}  // namespace
}  // namespace driftless
