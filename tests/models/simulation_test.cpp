// A run as an object: it stops where it is told to, shows its values, takes changes, and goes on with the same bits
// after it was saved and restored.
#include "driftless/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include <fmt/format.h>

#include "driftless/archive/archive.hpp"
#include "driftless/joined_solution.hpp"
#include "driftless/language/read.hpp"
#include "tests/models/measure.hpp"

namespace driftless {
namespace {

Model from_text(const std::string& text) { return read_model_text("test.mo", text); }

void expect_identical(const Solution& one, const Solution& other) {
  EXPECT_EQ(one.outcome, other.outcome) << one.message << " / " << other.message;
  EXPECT_EQ(one.message, other.message);
  EXPECT_EQ(one.remarks, other.remarks);
  EXPECT_EQ(one.details, other.details);
  EXPECT_EQ(one.statistics.steps, other.statistics.steps);
  EXPECT_EQ(one.statistics.rejected_steps, other.statistics.rejected_steps);
  // The polynomial of a step at whose end a run was stopped may take some evaluations, as dense output does.
  EXPECT_NEAR(static_cast<double>(one.statistics.residual_evaluations),
              static_cast<double>(other.statistics.residual_evaluations), 100.0);
  EXPECT_EQ(one.statistics.pivots, other.statistics.pivots);
  EXPECT_EQ(one.statistics.mean_order, other.statistics.mean_order);
  EXPECT_EQ(one.statistics.smallest_step, other.statistics.smallest_step);
  EXPECT_EQ(one.reached, other.reached);
  EXPECT_EQ(one.times, other.times);
  EXPECT_TRUE(one.values == other.values);
  ASSERT_EQ(one.certificate.size(), other.certificate.size());
  for (std::size_t k = 0; k < one.certificate.size(); ++k) {
    EXPECT_EQ(one.certificate[k].max_residual, other.certificate[k].max_residual);
    EXPECT_EQ(one.certificate[k].at_time, other.certificate[k].at_time);
  }
  for (std::size_t k = 0; k < one.invariants.size(); ++k)
    EXPECT_EQ(one.invariants[k].max_deviation, other.invariants[k].max_deviation);
}

// Through a seventh, two fifths and nine tenths of the run; restored for a model that was read and compiled anew.
void expect_to_survive(const std::string& model, const SimulateOptions& options) {
  SCOPED_TRACE(model + " " + to_string(options.method) + " " + to_string(options.formulation));
  const Compiled compiled = compile(read_shipped(model), options);
  const Solution whole = simulate(compiled);
  for (const double part : {0.0, 1.0 / 7.0, 0.4, 0.9}) {
    Simulation first(compiled);
    const double t = std::lerp(whole.start, whole.stop, part);
    first.advance_to(std::min(t, first.stop()));
    const std::vector<std::byte> bytes = first.save();
    Simulation second = Simulation::restore(compile(read_shipped(model), options), bytes);
    EXPECT_EQ(second.time(), first.time());
    EXPECT_TRUE(second.save() == bytes) << "saved again at once, at part " << part;
    expect_identical(second.finish(), whole);
    expect_identical(first.finish(), whole);
    if (::testing::Test::HasFailure()) return;
  }
}

class Saved : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, Saved, ::testing::ValuesIn(shipped_models()), [](const auto& i) { return i.param; });

TEST_P(Saved, GoesOnWithTheSameBits) {
  for (const char* name : {"auto", "bdf", "radau", "explicit", "taylor"}) try {
      expect_to_survive(GetParam(),
                        {.tolerance = 1e-5, .intervals = 50, .method = *parse_method(name), .dense = false});
    } catch (const ModelError& error) {  // the method does not apply
      EXPECT_STRNE(name, "auto") << error.what();
    }
}

TEST(Saved, EveryMethodGoesOnWithTheSameBits) {
  int number = 0;
  for (const std::string& name : method_names())
    for (const char* model : {"pendulum", "ascher_petzold_1", "jay", "crane"}) {
      const Method method = *parse_method(name);
      const double length = read_shipped(model).experiment.stop - read_shipped(model).experiment.start;
      SimulateOptions options{.tolerance = 1e-5, .intervals = 20, .method = method, .dense = false};
      if (!controls_step(method)) options.step = length / 200.0;
      try {
        expect_to_survive(model, options);
        ++number;
      } catch (const ModelError&) {
      }
    }
  EXPECT_GT(number, 60);
}

TEST(Saved, EveryFormulationAndProjectionGoesOnWithTheSameBits) {
  for (const char* formulation :
       {"index1", "index2", "ggl", "baumgarte", "stabilized-index1", "state-space", "overdetermined",
        "projected-invariants", "minimal", "derivative-array", "derivative-array:kunkel-mehrmann"})
    for (const char* method : {"bdf", "radau"}) try {
        expect_to_survive("pendulum", {.tolerance = 1e-5,
                                       .intervals = 20,
                                       .formulation = parse_formulation(formulation).value(),
                                       .method = *parse_method(method),
                                       .dense = false});
      } catch (const ModelError&) {
      }
  expect_to_survive("pendulum", {.tolerance = 1e-5,
                                 .intervals = 20,
                                 .formulation = formulation::Index1{},
                                 .method = method::Radau{},
                                 .projection = projection::Coordinates{projection::Levels::Both},
                                 .dense = false});
}

TEST(Saved, DenseOutputOfARestoredRunIsThatOfTheWhole) {
  for (const char* method : {"bdf", "explicit", "taylor", "radau"}) {
    const SimulateOptions options{.tolerance = 1e-6, .method = *parse_method(method)};
    const Compiled compiled = compile(read_shipped("pendulum"), options);
    const Solution whole = simulate(compiled);
    Simulation run(compiled);
    run.advance_to(3.3);
    const Solution restored = Simulation::restore(compiled, run.save()).finish();
    for (double t = 0.05; t < 10.0; t += 0.37) EXPECT_EQ(whole.at(t), restored.at(t)) << method << " " << t;
  }
}

// Looking does not change the steps.
TEST(Advanced, ToAnyTimesTheStepsAreTheSame) {
  std::mt19937 random(7);
  for (const char* model : {"pendulum", "car_axis", "transistor_amplifier", "steering_wheel", "crane"})
    for (const char* method : {"auto", "bdf"}) {
      SCOPED_TRACE(std::string(model) + " " + method);
      const SimulateOptions options{
          .tolerance = 1e-5, .intervals = 50, .method = *parse_method(method), .dense = false};
      const Compiled compiled = compile(read_shipped(model), options);
      const Solution whole = simulate(compiled);
      Simulation run(compiled);
      double looked_at = 0.0;
      while (run.time() < run.stop() && run.outcome() == Outcome::Success) {
        const double part = 0.2 * static_cast<double>(random()) / 4294967296.0;
        run.advance_to(std::min(run.time() + part * (run.stop() - whole.start), run.stop()));
        looked_at += run.value(whole.columns.front().name);
      }
      EXPECT_TRUE(std::isfinite(looked_at));
      expect_identical(run.finish(), whole);
    }
}

TEST(Advanced, ValuesAreThoseOfDenseOutput) {
  for (const char* method : {"bdf", "radau", "explicit", "taylor"}) {
    const Compiled compiled = compile(read_shipped("pendulum"), {.method = *parse_method(method)});
    const Solution whole = simulate(compiled);
    Simulation run(compiled);
    for (const double t : {0.0, 0.013, 1.7, 5.0, 5.0, 9.99, 10.0}) {
      ASSERT_EQ(run.advance_to(t), Outcome::Success);
      EXPECT_EQ(run.time(), t);
      for (const char* name : {"x", "y", "der(x)", "lambda"}) {
        if (!whole.find(name)) continue;
        const double expected = t == 0.0 ? whole.value(0, *whole.find(name)) : whole.at(t, name);
        EXPECT_NEAR(run.value(name), expected, 1e-9 * (1.0 + std::abs(expected))) << method << " " << name << " " << t;
      }
      EXPECT_NEAR(std::hypot(run.value("x"), run.value("y")), run.value("L"), 1e-12) << method << " " << t;
    }
  }
}

// The step that reaches a switch ends there, and the method starts anew: values within that step are still known.
TEST(Advanced, ValuesBeforeASwitchAreKnown) {
  const Model model =
      from_text("model M Real x(start = 0, fixed = true); equation der(x) = if time < 1 then 1 else -2; end M;");
  for (const char* method : {"auto", "bdf", "radau", "explicit", "taylor"})
    for (const double t : {0.3, 0.9, 0.999, 1.0, 1.001, 1.5}) {
      Simulation run(compile(model, {.tolerance = 1e-8, .method = *parse_method(method)}), {.stop = 2.0});
      ASSERT_EQ(run.advance_to(t), Outcome::Success);
      EXPECT_NEAR(run.value("x"), t <= 1.0 ? t : 3.0 - 2.0 * t, 1e-6) << method << " " << t;
      Simulation restored =
          Simulation::restore(compile(model, {.tolerance = 1e-8, .method = *parse_method(method)}), run.save());
      EXPECT_EQ(restored.value("x"), run.value("x")) << method << " " << t;
      EXPECT_NEAR(restored.finish().final("x"), -1.0, 1e-6);
    }
}

TEST(Advanced, RefusesThePastAndWhatLiesBehindTheStop) {
  Simulation run(compile(read_shipped("pendulum")));
  run.advance_to(1.0);
  EXPECT_THROW(run.advance_to(0.5), std::invalid_argument);
  EXPECT_THROW(run.advance_to(11.0), std::invalid_argument);
  EXPECT_THROW(run.advance_to(std::nan("")), std::invalid_argument);
  EXPECT_THROW(run.value("z"), std::out_of_range);
  EXPECT_EQ(run.time(), 1.0);
}

TEST(Advanced, SaysWhereARunEnds) {
  const Model model = from_text("model M Real x(start = 1, fixed = true); equation der(x) = x^2; end M;");
  Simulation run(compile(model), {.stop = 3.0});
  EXPECT_EQ(run.advance_to(0.5), Outcome::Success);
  EXPECT_NEAR(run.value("x"), 2.0, 1e-4);
  EXPECT_NE(run.advance_to(2.0), Outcome::Success);
  EXPECT_NEAR(run.time(), 1.0, 1e-3);
  EXPECT_FALSE(run.message().empty());
}

// x' = -k x: exp(-t) until t = 1, then with k = 3.
TEST(Changed, AParameterActsFromItsTimeOn) {
  const Model model = from_text(
      "model M parameter Real k = 1; Real x(start = 1, fixed = true), y; equation der(x) = -k*x; y = k*x; end M;");
  for (const char* method : {"auto", "bdf", "radau", "explicit", "taylor"}) {
    Simulation run(compile(model, {.tolerance = 1e-9, .method = *parse_method(method)}),
                   {.stop = 2.0, .intervals = 20});
    run.advance_to(1.0);
    EXPECT_NEAR(run.value("y"), std::exp(-1.0), 1e-7);
    run.set("k", 3.0);
    EXPECT_EQ(run.time(), 1.0);
    EXPECT_NEAR(run.value("x"), std::exp(-1.0), 1e-7);
    EXPECT_NEAR(run.value("y"), 3.0 * std::exp(-1.0), 3e-7);
    EXPECT_EQ(run.value("k"), 3.0);
    const Solution solution = run.finish();
    EXPECT_EQ(solution.outcome, Outcome::Success) << solution.message;
    EXPECT_NEAR(solution.final("x"), std::exp(-4.0), 1e-7) << method;
    const std::vector<double> times = solution.column("time"), x = solution.column("x");
    EXPECT_TRUE(std::ranges::is_sorted(times));
    EXPECT_EQ(times.size(), 22u);  // that of the change twice
    for (std::size_t k = 0; k < times.size(); ++k)
      EXPECT_NEAR(x[k], times[k] <= 1.0 ? std::exp(-times[k]) : std::exp(2.0 - 3.0 * times[k]), 1e-7);
  }
}

// A pendulum that gets a push: der(x) is a state or becomes one, der(y) follows from the rod.
TEST(Changed, AVariableThatCanBeAStateIsSetAndTheConstraintsHold) {
  for (const char* method : {"bdf", "auto", "radau"}) {
    Simulation run(compile(read_shipped("pendulum"), {.method = *parse_method(method)}));
    for (const double t : {0.7, 2.1, 4.0}) {
      run.advance_to(t);
      const double x = run.value("x"), y = run.value("y");
      run.set("der(x)", 0.25);
      EXPECT_DOUBLE_EQ(run.value("der(x)"), 0.25);
      EXPECT_NEAR(run.value("x"), x, 1e-9);
      EXPECT_NEAR(run.value("y"), y, 1e-9);
      EXPECT_NEAR(x * run.value("der(x)") + y * run.value("der(y)"), 0.0, 1e-9);
    }
    const Solution solution = run.finish();
    EXPECT_EQ(solution.outcome, Outcome::Success);
    EXPECT_LT(solution.largest_residual(), 1e-9);
  }
}

TEST(Changed, WhatCannotBeSetIsRefusedAndTheRunGoesOn) {
  Simulation run(compile(read_shipped("pendulum"), {.method = method::Bdf{}}));
  run.advance_to(1.0);
  const double x = run.value("x");
  const auto message_of = [&](const NamedValues& values) -> std::string {
    try {
      run.set(values);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "was set";
  };
  EXPECT_THAT(message_of({{"lambda", 1.0}}), testing::HasSubstr("'lambda' follows from the equations"));
  EXPECT_THAT(message_of({{"z", 1.0}}), testing::HasSubstr("no variable or parameter 'z'"));
  EXPECT_THAT(message_of({{"x", 0.1}, {"y", 0.2}}), testing::HasSubstr("cannot be set"));
  EXPECT_THAT(message_of({{"x", 5.0}}), testing::HasSubstr("no solution"));
  EXPECT_EQ(run.value("x"), x);
  EXPECT_EQ(run.finish().outcome, Outcome::Success);
}

TEST(Changed, ARunThatWasChangedIsSavedAndRestored) {
  const auto compiled = [] { return compile(read_shipped("pendulum"), {.method = method::Bdf{}}); };
  Simulation run(compiled(), {.parameters = {{"g", 9.0}}});
  run.advance_to(2.0);
  run.set({{"g", 8.0}, {"der(x)", 0.1}});
  run.advance_to(5.0);
  Simulation restored = Simulation::restore(compiled(), run.save());
  EXPECT_EQ(restored.value("g"), 8.0);
  expect_identical(restored.finish(), run.finish());
}

// A change at a time makes the points of the step beyond it worthless: the sink does not get them.
TEST(Changed, TheSinkGetsNoPointsThatAChangeHasMadeWorthless) {
  const Model model =
      from_text("model M parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k*x; end M;");
  std::vector<double> times, values;
  const RowSink sink{.row = [&](double t, std::span<const double> series) {
    times.push_back(t), values.push_back(series[0]);
    return true;
  }};
  Simulation run(compile(model, {.tolerance = 1e-8, .method = method::Radau{}}),
                 {.stop = 2.0, .intervals = 200, .rows = sink});
  run.advance_to(1.0);
  EXPECT_LE(times.back(), 1.0);
  run.set("k", 3.0);
  run.advance_to(1.5);
  Simulation restored =
      Simulation::restore(compile(model, {.tolerance = 1e-8, .method = method::Radau{}}), run.save(), sink);
  restored.finish();
  EXPECT_TRUE(std::ranges::is_sorted(times));
  EXPECT_EQ(times.size(), 202u);
  for (std::size_t k = 0; k < times.size(); ++k)
    EXPECT_NEAR(values[k], times[k] <= 1.0 ? std::exp(-times[k]) : std::exp(2.0 - 3.0 * times[k]), 1e-6) << times[k];
}

TEST(Saved, BytesThatDoNotFitAreRefused) {
  const Compiled pendulum = compile(read_shipped("pendulum"), {.method = method::Bdf{}});
  Simulation run(pendulum);
  run.advance_to(1.0);
  const std::vector<std::byte> bytes = run.save();
  EXPECT_THROW(Simulation::restore(compile(read_shipped("crane"), {.method = method::Bdf{}}), bytes), ArchiveError);
  EXPECT_THROW(Simulation::restore(compile(read_shipped("pendulum"), {.method = method::Radau{}}), bytes),
               ArchiveError);
  EXPECT_THROW(
      Simulation::restore(compile(read_shipped("pendulum"), {.tolerance = 1e-8, .method = method::Bdf{}}), bytes),
      ArchiveError);
  EXPECT_THROW(Simulation::restore(pendulum, {}), ArchiveError);
  for (std::size_t size = 1; size < bytes.size(); size += 1 + size / 9)
    EXPECT_THROW(Simulation::restore(pendulum, std::span(bytes).first(size)), ArchiveError) << size;
  std::vector<std::byte> longer = bytes;
  longer.push_back(std::byte{0});
  EXPECT_THROW(Simulation::restore(pendulum, longer), ArchiveError);
}

// ---- another process

constexpr const char* models_of_process[] = {"pendulum", "squeezer", "transistor_amplifier", "two_pendula"};
constexpr const char* methods_of_process[] = {"auto", "bdf", "radau", "explicit", "taylor", "ida"};

SimulateOptions options_of_process(const char* method) {
  return {.tolerance = 1e-6, .intervals = 30, .method = *parse_method(method), .dense = false};
}

void write(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes));
}

std::vector<std::byte> read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::byte> bytes(text.size());
  std::ranges::transform(text, bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
  return bytes;
}

template <class Work>
void for_all_of_process(const Work& work) {
  for (const char* model : models_of_process)
    for (const char* method : methods_of_process) try {
        work(compile(read_shipped(model), options_of_process(method)), fmt::format("{}_{}", model, method));
      } catch (const ModelError&) {  // does not apply
      }
}

// The second half, in a process that the test below starts.
TEST(OtherProcess, GoesOn) {
  const char* folder = std::getenv("DRIFTLESS_SAVED_RUNS");
  if (!folder) GTEST_SKIP() << "started by RestoresWithTheSameBits";
  for_all_of_process([&](const Compiled& compiled, const std::string& name) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    if (!std::filesystem::exists(path)) return;
    Solution solution = Simulation::restore(compiled, read(path)).finish();
    Archive writer;
    writer(solution.outcome, solution.times, solution.values, solution.statistics.steps);
    write(path.string() + "_finished", writer.bytes());
  });
}

TEST(OtherProcess, RestoresWithTheSameBits) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("driftless_saved_{}", getpid());
  std::filesystem::create_directory(folder);
  for_all_of_process([&](const Compiled& compiled, const std::string& name) {
    Simulation run(compiled);
    run.advance_to(0.5 * run.stop());
    write(folder / name, run.save());
  });
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = fmt::format(
      "DRIFTLESS_SAVED_RUNS='{}' '{}' --gtest_filter=OtherProcess.GoesOn > /dev/null", folder.string(), self);
  ASSERT_EQ(std::system(command.c_str()), 0);
  int number = 0;
  for_all_of_process([&](const Compiled& compiled, const std::string& name) {
    Solution whole = simulate(compiled);
    Archive writer;
    writer(whole.outcome, whole.times, whole.values, whole.statistics.steps);
    EXPECT_EQ(read(folder / (name + "_finished")), writer.bytes()) << name;
    ++number;
  });
  EXPECT_GE(number, 16);
  std::filesystem::remove_all(folder);
}

// ---- joined_solution.hpp

// Points 0, 1, ... of one series, from `first` to `last`, whose value is 10 t.
Solution part(int first, int last) {
  Solution solution;
  solution.columns.push_back({.name = "x"});
  solution.start = first;
  for (int t = first; t <= last; ++t) {
    solution.times.push_back(t);
    solution.values.push_back(10.0 * t);
    solution.constraint_drift.push_back(0.1 * t);
    solution.events.push_back({.time = static_cast<double>(t)});
  }
  solution.drift_levels = 1;
  solution.points = solution.times.size();
  return solution;
}

TEST(JoinedSolution, WhatLiesBehindAChangeIsDropped) {
  Solution solution = part(0, 5);
  keep_up_to(solution, 2.5);
  EXPECT_EQ(solution.times, (std::vector<double>{0.0, 1.0, 2.0}));
  EXPECT_EQ(solution.values, (std::vector<double>{0.0, 10.0, 20.0}));
  EXPECT_EQ(solution.constraint_drift.size(), 3u);
  EXPECT_EQ(solution.events.size(), 3u);
  EXPECT_EQ(solution.points, 3u);
  keep_up_to(solution, 2.0);  // the point of the change itself stays
  EXPECT_EQ(solution.points, 3u);
}

TEST(JoinedSolution, PartsFollowEachOther) {
  Solution whole = part(0, 2);
  whole.remarks = {"first", "both"};
  Solution second = part(2, 4);
  second.remarks = {"both", "second"};
  second.outcome = Outcome::TooManySteps;
  append(whole, std::move(second));
  EXPECT_EQ(whole.times, (std::vector<double>{0.0, 1.0, 2.0, 2.0, 3.0, 4.0}));
  EXPECT_EQ(whole.values.back(), 40.0);
  EXPECT_EQ(whole.points, 6u);
  EXPECT_EQ(whole.start, 0.0);
  EXPECT_EQ(whole.outcome, Outcome::TooManySteps);
  EXPECT_EQ(whole.remarks.size(), 3u);  // "both" once
}

}  // namespace
}  // namespace driftless
