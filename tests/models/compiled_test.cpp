// A model that is compiled once runs with other numbers as if it had been read with them, again and again, in any
// thread.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include <fmt/format.h>

#include "driftless/driftless.hpp"
#include "tests/models/measure.hpp"

namespace driftless {
namespace {

void expect_identical(const Solution& one, const Solution& other) {
  EXPECT_EQ(one.outcome, other.outcome) << one.message << " / " << other.message;
  EXPECT_EQ(one.message, other.message);
  EXPECT_EQ(one.remarks, other.remarks);
  EXPECT_EQ(one.statistics.steps, other.statistics.steps);
  EXPECT_EQ(one.statistics.residual_evaluations, other.statistics.residual_evaluations);
  EXPECT_EQ(one.times, other.times);
  EXPECT_EQ(one.values, other.values);
  ASSERT_EQ(one.columns.size(), other.columns.size());
  for (std::size_t k = 0; k < one.columns.size(); ++k)
    EXPECT_EQ(one.columns[k].parameter_value, other.columns[k].parameter_value);
  ASSERT_EQ(one.certificate.size(), other.certificate.size());
  for (std::size_t k = 0; k < one.certificate.size(); ++k)
    EXPECT_EQ(one.certificate[k].max_residual, other.certificate[k].max_residual);
}

// Every parameter that may change, by some thousandths, so that mechanisms still close.
NamedValues other_parameters(const Model& model, double part) {
  NamedValues values;
  for (std::size_t p = 0; p < model.parameters.size(); ++p) {
    const Parameter& parameter = model.parameters[p];
    const bool is_bound = std::ranges::any_of(model.bindings, [&](const Binding& binding) {
      return binding.of == Binding::Of::Parameter && binding.place == p;
    });
    if (parameter.structural || !parameter.fixed || is_bound) continue;
    values.emplace_back(parameter.name, parameter.value * (1.0 + part * std::sin(1.0 + static_cast<double>(p))));
  }
  return values;
}

Model read_with(const std::string& name, const NamedValues& values) {
  Overrides overrides;
  for (const auto& [parameter, value] : values) overrides.emplace_back(parameter, fmt::format("{}", value));
  return read_shipped(name, overrides);
}

class CompiledOnce : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, CompiledOnce, ::testing::ValuesIn(shipped_models()),
                         [](const auto& i) { return i.param; });

TEST_P(CompiledOnce, RunsAsOftenAsAsked) {
  for (const Method& method : {Method(method::Auto{}), Method(method::Bdf{}), Method(method::Radau{0})}) {
    const SimulateOptions options{.tolerance = 1e-5, .method = method, .dense = false};
    const Compiled compiled = compile(read_shipped(GetParam()), options);
    const Solution first = simulate(compiled), second = simulate(compiled);
    expect_identical(first, second);
    expect_identical(first, simulate(read_shipped(GetParam()), options));
  }
}

// A run between with other numbers leaves nothing behind.
TEST_P(CompiledOnce, RunsWithOtherNumbersAsIfReadWithThem) {
  const Model model = read_shipped(GetParam());
  const NamedValues values = other_parameters(model, 0.003);
  if (values.empty()) GTEST_SKIP() << "all parameters are structural";
  for (const Method& method : {Method(method::Bdf{}), Method(method::Radau{0}), Method(method::ExplicitRungeKutta{}),
                               Method(method::Taylor{})}) {
    SCOPED_TRACE(to_string(method));
    const SimulateOptions options{.tolerance = 1e-5, .method = method, .dense = false};
    try {
      const Compiled compiled = compile(read_shipped(GetParam()), options);
      const Solution before = simulate(compiled);
      expect_identical(simulate(compiled, {.parameters = values}), simulate(read_with(GetParam(), values), options));
      expect_identical(simulate(compiled), before);
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find("does not apply"), std::string::npos) << error.what();
    }
  }
}

TEST(CompiledPendulum, TakesStartsAndTimesOfTheRun) {
  const Compiled compiled = compile(read_shipped("pendulum"), {.tolerance = 1e-8});
  const Solution solution = simulate(
      compiled,
      {.parameters = {{"L", 2.0}, {"vy0", 0.0}}, .starts = {{"y", -1.6}}, .start = 1.0, .stop = 3.0, .intervals = 10});
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  ASSERT_EQ(solution.times.size(), 11u);
  EXPECT_EQ(solution.times.front(), 1.0);
  EXPECT_EQ(solution.times.back(), 3.0);
  EXPECT_EQ(solution.at(1.0, "y"), -1.6);
  for (const double t : {1.0, 1.7, 3.0}) EXPECT_NEAR(std::hypot(solution.at(t, "x"), solution.at(t, "y")), 2.0, 1e-12);
  EXPECT_THROW(simulate(compiled, {.parameters = {{"length", 2.0}}}), ModelError);
  EXPECT_THROW(simulate(compiled, {.max_step = -1.0}), ModelError);
  EXPECT_THROW(simulate(compiled, {.tolerance = 7.0}), ModelError);
}

TEST(CompiledPendulum, KeepsTheTolerancesOfSingleVariables) {
  const Compiled compiled = compile(read_shipped("pendulum"), {.tolerance = 1e-6, .tolerances = {{"lambda", 1e-3}}});
  EXPECT_EQ(simulate(compiled, {.tolerance = 1e-6}).outcome, Outcome::Success);
  EXPECT_THROW(simulate(compiled, {.tolerance = 1e-8}), ModelError);
}

// A way that fails gives way to the next, which has expressions of its own, with the numbers of the run.
TEST(CompiledModel, TriesTheOtherWaysWithTheNumbersOfTheRun) {
  const char* text = R"(
    model Stiff parameter Real k = 1, twice = 2*k; Real x(start = twice), y;
    equation der(x) = -k*(x - y); y = cos(time)*twice; end Stiff;)";
  const Compiled compiled =
      compile(read_model_text("stiff.mo", text), {.stop = 1.0, .tolerance = 1e-6, .max_steps = 5});
  const auto outcome = [&](const RunInputs& inputs) { return simulate(compiled, inputs); };
  const Solution a = outcome({.parameters = {{"k", 3.0}}}), b = outcome({.parameters = {{"k", 3.0}}});
  EXPECT_EQ(a.outcome, b.outcome);
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.at(0.0, "x"), 6.0);
}

TEST(CompiledPendulum, RunsInManyThreadsWithTheBitsOfOne) {
  for (const Method& method : {Method(method::Auto{}), Method(method::Bdf{}), Method(method::ExplicitRungeKutta{}),
                               Method(method::Radau{0})}) {
    const Compiled compiled = compile(read_shipped("squeezer"), {.tolerance = 1e-5, .method = method, .dense = false});
    const auto inputs = [&](int k) { return RunInputs{.parameters = other_parameters(compiled.model(), 1e-4 * k)}; };
    constexpr int runs = 6, threads = 3;
    std::vector<Solution> together(runs);
    std::vector<std::thread> workers;
    for (int w = 0; w < threads; ++w)
      workers.emplace_back([&, w] {
        for (int k = w; k < runs; k += threads) together[k] = simulate(compiled, inputs(k));
      });
    for (std::thread& worker : workers) worker.join();
    const Compiled alone = compile(read_shipped("squeezer"), {.tolerance = 1e-5, .method = method, .dense = false});
    for (int k = 0; k < runs; ++k) expect_identical(together[k], simulate(alone, inputs(k)));
  }
}

}  // namespace
}  // namespace driftless
