// Inputs of models, driven by tables and by functions, from the text and from C++.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "driftless/input_file.hpp"
#include "driftless/language/read.hpp"
#include "driftless/model/builder.hpp"
#include "driftless/simulation.hpp"

namespace driftless {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const std::string models = DRIFTLESS_SOURCE_DIR "/models/hybrid/";

Model lag() { return read_model_file(models + "driven_lag.mo"); }

// T x' = a + b (t - t0) - x from x0 at t0.
double lag_behind_ramp(double T, double a, double b, double t0, double x0, double t) {
  const double s = t - t0;
  return a + b * (s - T) + (x0 - a + b * T) * std::exp(-s / T);
}

// Behind the table of driven_lag.csv: 2 t up to 1, 2 up to 2, then -1.
double lag_behind_table(double t) {
  const double T = 0.5;
  if (t <= 1) return lag_behind_ramp(T, 0, 2, 0, 0, t);
  if (t <= 2) return lag_behind_ramp(T, 2, 0, 1, lag_behind_table(1), t);
  return lag_behind_ramp(T, -1, 0, 2, lag_behind_table(2), t);
}

double largest_error(const Solution& solution, const std::string& name, double (*exact)(double)) {
  EXPECT_EQ(solution.outcome, Outcome::Success) << solution.message;
  const std::size_t column = *solution.find(name);
  double largest = 0.0;
  for (std::size_t row = 0; row < solution.times.size(); ++row)
    largest = std::max(largest, std::abs(solution.value(row, column) - exact(solution.times[row])));
  return largest;
}

NamedSignals shipped_table() { return std::get<NamedSignals>(read_input_file(models + "driven_lag.csv")); }

std::string refusal_of(const Model& model, const SimulateOptions& options) {
  try {
    simulate(model, options);
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

TEST(Inputs, HaveTheirStartWithoutValues) {
  const auto step_response = [](double t) { return 1 - std::exp(-2 * t); };
  EXPECT_LT(largest_error(simulate(lag(), {.tolerance = 1e-9}), "x", step_response), 1e-7);
  const Solution other = simulate(compile(lag(), {.tolerance = 1e-9}), {.starts = {{"u", 3.0}}});
  EXPECT_LT(largest_error(other, "x", [](double t) { return 3 * (1 - std::exp(-2 * t)); }), 1e-7);
  const Model overridden = read_model_file(models + "driven_lag.mo", {.overrides = {{"u", "-2"}}});
  EXPECT_NEAR(simulate(overridden, {.tolerance = 1e-9}).final("u"), -2.0, 0.0);
}

TEST(Inputs, AStartThatDependsOnAParameterFollowsIt) {
  const Model model =
      read_model_text("test.mo",
                      "model M parameter Real p = 2; input Real u(start = 3*p); Real x(start = 0, fixed "
                      "= true); equation der(x) = u; end M;");
  const Compiled compiled = compile(model);
  EXPECT_NEAR(simulate(compiled).final("x"), 6.0, 1e-9);
  EXPECT_NEAR(simulate(compiled, {.parameters = {{"p", 1.0}}}).final("x"), 3.0, 1e-9);
}

TEST(Inputs, TablesAreFollowedExactlyByEveryMethod) {
  for (const char* const name : {"auto", "bdf", "radau", "explicit", "taylor"}) {
    const Method method = *parse_method(name);
    const Solution solution = simulate(lag(), {.inputs = shipped_table(), .tolerance = 1e-10, .method = method});
    EXPECT_LT(largest_error(solution, "x", lag_behind_table), 1e-8) << name;
    EXPECT_EQ(solution.times.back(), 4.0);
    EXPECT_THAT(solution.remarks, Contains("the table of the input u ends at t = 3: from there on its last value, -1, "
                                           "is taken"));
    EXPECT_EQ(std::ranges::count(solution.remarks, solution.remarks.front()), 1);
  }
}

// One value is no table that ends: it holds for all times.
TEST(Inputs, AValueThatIsSetOnTheWayIsNotRemarked) {
  Simulation run(compile(lag(), {.tolerance = 1e-10}), {.stop = 2.0});
  for (const double t : {0.0, 0.5, 1.0}) {
    run.advance_to(t);
    run.set("u", 1.0 + t);
  }
  const Solution solution = run.finish();
  EXPECT_EQ(solution.outcome, Outcome::Success);
  for (const std::string& remark : solution.remarks) EXPECT_THAT(remark, Not(HasSubstr("table")));
}

TEST(Inputs, OneCompiledModelTakesAnyTable) {
  const Compiled compiled = compile(lag(), {.tolerance = 1e-10});
  const Solution table = simulate(compiled, {.inputs = shipped_table()});
  EXPECT_LT(largest_error(table, "x", lag_behind_table), 1e-8);
  const Solution ramp = simulate(compiled, {.inputs = {{"u", InputTable{{0, 10}, {0, 10}}}}});
  EXPECT_LT(largest_error(ramp, "x", [](double t) { return lag_behind_ramp(0.5, 0, 1, 0, 0, t); }), 1e-8);
}

TEST(Inputs, FunctionsAreFollowedWithinTheTolerance) {
  for (const double tolerance : {1e-5, 1e-8}) {
    const Solution solution =
        simulate(lag(), {.inputs = {{"u", [](double t) { return std::sin(2 * t); }}}, .tolerance = tolerance});
    // T x' = sin(2 t) - x with T = 1/2: x = (sin 2t - cos 2t + exp(-2t))/2.
    const auto exact = [](double t) { return (std::sin(2 * t) - std::cos(2 * t) + std::exp(-2 * t)) / 2; };
    EXPECT_LT(largest_error(solution, "x", exact), 30 * tolerance);
  }
}

TEST(Inputs, OfHigherIndexAreDifferentiated) {
  const Model model = read_model_file(models + "guided_mass.mo");
  const Solution solution =
      simulate(model, {.inputs = {{"u", [](double t) { return std::sin(t); }}}, .tolerance = 1e-8});
  EXPECT_EQ(solution.structure.structural_index, 3);
  EXPECT_LT(largest_error(solution, "x", [](double t) { return std::sin(t); }), 1e-7);
  EXPECT_LT(largest_error(solution, "v", [](double t) { return std::cos(t); }), 1e-5);
  EXPECT_LT(largest_error(solution, "F", [](double t) { return -2 * std::sin(t); }), 1e-2);
  // Straight lines between the first and the last time: no kink, no force.
  const Solution straight = simulate(model, {.inputs = {{"u", InputTable{{0, 1, 3}, {0, 2, 6}}}}});
  EXPECT_EQ(straight.final("v"), 2.0);
  EXPECT_EQ(straight.final("F"), 0.0);
}

TEST(Inputs, ThatCannotBeDifferentiatedAreRefused) {
  const Model model = read_model_file(models + "guided_mass.mo");
  EXPECT_THAT(
      refusal_of(model, {.inputs = {{"u", InputTable{{0, 1, 3}, {0, 2, 2}}}}}),
      HasSubstr("the input 'u' has a kink at t = 1, but it must be differentiated twice: line 10 asks for that"));
  EXPECT_THAT(refusal_of(model, {.inputs = {{"u", InputTable{{0, 1, 1, 3}, {0, 0, 2, 2}}}}}),
              HasSubstr("the input 'u' jumps at t = 1, but it must be differentiated twice"));
  // Behind the stop time it does not matter.
  EXPECT_EQ(refusal_of(model, {.stop = 0.9, .inputs = {{"u", InputTable{{0, 1, 3}, {0, 2, 2}}}}}), "");
}

TEST(Inputs, OfIndexTwoTakeTablesWithKinks) {
  const Model model =
      read_model_text("test.mo", "model M input Real u(start = 0); Real x, v; equation x = u; v = der(x); end M;");
  const Solution solution =
      simulate(model, {.stop = 3.0, .inputs = {{"u", InputTable{{0, 1, 3}, {0, 2, 1}}}}, .tolerance = 1e-9});
  EXPECT_LT(largest_error(solution, "x", [](double t) { return t < 1 ? 2 * t : 2.5 - t / 2; }), 1e-12);
  EXPECT_NEAR(solution.final("v"), -0.5, 1e-12);
}

TEST(Inputs, ADeclarationEquationIsReplaced) {
  const Model model = read_model_text(
      "test.mo", "model M input Real u = sin(time); Real x(start = 0, fixed = true); equation der(x) = u; end M;");
  EXPECT_NEAR(simulate(model, {.tolerance = 1e-9}).final("x"), 1 - std::cos(1.0), 1e-7);
  const NamedSignals ramp{{"u", InputTable{{0, 1}, {0, 2}}}};
  EXPECT_NEAR(simulate(model, {.inputs = ramp, .tolerance = 1e-9}).final("x"), 1.0, 1e-8);
  EXPECT_THROW(simulate(compile(model), {.inputs = ramp}), ModelError);
}

TEST(Inputs, OfABuilder) {
  ModelBuilder m("Lag");
  const Expr u = m.input("u", {.start = 1.0}), x = m.variable("x", {.start = 0.0, .fixed = true});
  m.equation(0.5 * der(x) == u - x);
  m.experiment({.stop = 4.0});
  const Solution solution = simulate(m.build(), {.inputs = shipped_table(), .tolerance = 1e-10});
  EXPECT_LT(largest_error(solution, "x", lag_behind_table), 1e-8);
}

TEST(Inputs, AreSetDuringARun) {
  Simulation run(compile(lag(), {.tolerance = 1e-10}), {.inputs = {{"u", InputTable{{0, 10}, {0, 20}}}}});
  run.advance_to(1.0);
  EXPECT_NEAR(run.value("u"), 2.0, 1e-12);
  run.set("u", 2.0);
  run.advance_to(2.0);
  EXPECT_NEAR(run.value("x"), lag_behind_table(2.0), 1e-8);
  run.set("u", -1.0);
  EXPECT_NEAR(run.finish().final("x"), lag_behind_table(4.0), 1e-8);
}

// Between output points too, on the right side of a jump.
TEST(Inputs, DenseOutputPassesTheCornersOfTables) {
  for (const char* method : {"auto", "bdf", "radau", "explicit", "taylor"}) {
    SimulateOptions options{.inputs = shipped_table(), .tolerance = 1e-10, .intervals = 3};
    options.method = *parse_method(method);
    const Solution solution = simulate(lag(), options);
    for (int k = 0; k <= 40; ++k) {
      const double t = 0.1 * k, u = t < 1 ? 2 * t : t < 2 ? 2 : -1;
      EXPECT_NEAR(solution.at(t, "x"), lag_behind_table(t), 1e-8) << method << " " << t;
      EXPECT_NEAR(solution.at(t, "u"), u, 1e-9) << method << " " << t;
    }
  }
}

TEST(Inputs, DenseOutputPassesChangesByTheUser) {
  Simulation run(compile(lag(), {.tolerance = 1e-10, .intervals = 3}), {.inputs = {{"u", InputTable{{0}, {0}}}}});
  run.advance_to(1.0);
  run.set("u", 1.0);
  const std::vector<std::byte> saved = run.save();
  run.advance_to(2.5);
  run.set("x", -3.0);
  const Solution solution = run.finish();
  for (const double t : {0.5, 1.0, 1.7, 2.5, 2.9, 4.0}) {
    const double before = t > 1 ? 1 - std::exp(-2 * (t - 1)) : 0.0;
    EXPECT_NEAR(solution.at(t, "x"), t < 2.5 ? before : 1 - 4 * std::exp(-2 * (t - 2.5)), 1e-8) << t;
  }
  // What was before the saved run is not saved with its polynomials.
  const Solution again = Simulation::restore(compile(lag(), {.tolerance = 1e-10, .intervals = 3}), saved).finish();
  EXPECT_THROW(again.at(2.0), std::out_of_range);
}

TEST(Inputs, SurviveSavingAndRestoring) {
  const Compiled compiled = compile(lag(), {.tolerance = 1e-8});
  const RunInputs inputs{.inputs = shipped_table()};
  Simulation run(compiled, inputs);
  run.advance_to(1.3);
  const std::vector<std::byte> saved = run.save();
  const Solution direct = run.finish(), restored = Simulation::restore(compiled, saved).finish();
  EXPECT_EQ(direct.times, restored.times);
  EXPECT_EQ(direct.values, restored.values);
  EXPECT_LT(largest_error(direct, "x", lag_behind_table), 1e-6);
}

// The events of the table are those of the model's own.
TEST(Inputs, DriveModelsWithEvents) {
  const Model model = read_model_file(models + "sampled_filter.mo");
  const Solution constant = simulate(model, {.tolerance = 1e-9});
  ASSERT_EQ(constant.outcome, Outcome::Success) << constant.message;
  EXPECT_NEAR(constant.final("y"), 1 - std::pow(0.5, 10), 1e-12);
  EXPECT_EQ(constant.final("n"), 10.0);
  EXPECT_EQ(constant.final("above"), 10.0);
  // 0 up to 0.55, then 1: the samples at 0.6, ..., 1.0 see it.
  const Solution step =
      simulate(model, {.inputs = {{"u", InputTable{{0, 0.55, 0.55, 2}, {0, 0, 1, 1}}}}, .tolerance = 1e-9});
  ASSERT_EQ(step.outcome, Outcome::Success) << step.message;
  EXPECT_NEAR(step.final("y"), 1 - std::pow(0.5, 5), 1e-12);
  EXPECT_EQ(step.final("n"), 10.0);
  EXPECT_EQ(step.final("above"), 5.0);
  EXPECT_TRUE(std::ranges::any_of(step.events, [](const Event& event) {
    return event.time == 0.55 && event.causes == std::vector<std::string>{"input u"};
  }));
}

TEST(Inputs, ThatAreDiscreteHoldTheirRows) {
  const Model model = read_model_text(
      "test.mo",
      "model M input Boolean on(start = false); input Integer n(start = 1); Real x(start = 0, fixed = true); equation "
      "der(x) = if on then n else 0; annotation(experiment(StopTime = 3)); end M;");
  const NamedSignals tables{{"on", InputTable{{0, 0.5, 2}, {0, 1, 0}}}, {"n", InputTable{{0, 1}, {2, 5}}}};
  const Solution solution = simulate(model, {.inputs = tables, .tolerance = 1e-9});
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  EXPECT_NEAR(solution.final("x"), 0.5 * 2 + 1.0 * 5, 1e-8);
  EXPECT_THAT(refusal_of(model, {.inputs = {{"on", InputTable{{0}, {0.5}}}}}),
              HasSubstr("the table of the input 'on' has the value 0.5, which is not of its type"));
}

TEST(Inputs, Mistakes) {
  EXPECT_THAT(refusal_of(lag(), {.inputs = {{"U", InputTable{{0}, {1}}}}}), HasSubstr("DrivenLag has no input 'U'"));
  EXPECT_THAT(refusal_of(lag(), {.inputs = {{"x", InputTable{{0}, {1}}}}}),
              HasSubstr("'x' is a variable of DrivenLag, but no input"));
  EXPECT_THAT(refusal_of(lag(), {.inputs = {{"u", InputTable{{1, 0}, {1, 2}}}}}),
              HasSubstr("the table of the input 'u' has times that go back: 0 after 1"));
  EXPECT_THAT(refusal_of(lag(), {.inputs = {{"u", InputTable{{0}, {1}}}, {"u", InputTable{{0}, {1}}}}}),
              HasSubstr("the input 'u' is given twice"));
  EXPECT_THAT(refusal_of(lag(), {.inputs = {{"u", [](double t) { return 1 / (t - 1); }}}}),
              HasSubstr("the function of the input 'u' has no finite value at t = 1"));
  EXPECT_THAT(refusal_of(lag(), {.inputs = {{"u", InputFunction{}}}}), HasSubstr("function of the input 'u' is empty"));
}

}  // namespace
}  // namespace driftless
