// Linear systems on the way of a run against what the run itself does when it is pushed a little.
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "driftless/language/read.hpp"
#include "driftless/linearize.hpp"

namespace driftless {
namespace {

Compiled shipped(const std::string& name, const SimulateOptions& options = {}) {
  return compile(read_model_file(std::string(MODELS) + "/" + name + ".mo"), options);
}

// A column of [A; C] by central differences: a state is set on both sides, and rates and outputs are looked at.
void expect_slopes(const Compiled& model, double t, const LinearizeOptions& options, double tolerance) {
  Simulation run(model, {.stop = t + 1.0});
  run.advance_to(t);
  const StateSpace system = linearize(run, options);
  const std::vector<std::byte> saved = run.save();
  const auto at = [&](const std::string& name, double value, bool is_state) {
    Simulation pushed = Simulation::restore(model, saved);
    NamedValues values;
    for (std::size_t k = 0; k < system.states.size() && is_state; ++k)
      values.emplace_back(system.states[k], system.states[k] == name ? value : system.x[k]);
    if (!is_state) values.emplace_back(name, value);
    pushed.set(values);
    std::vector<double> seen;
    for (const std::string& state : system.states) seen.push_back(pushed.value("der(" + state + ")"));
    for (const std::string& output : system.outputs) seen.push_back(pushed.value(output));
    return seen;
  };
  const auto compare = [&](const std::string& name, double here, bool is_state, std::size_t j) {
    const double h = 1e-5 * (1.0 + std::abs(here));
    const std::vector<double> right = at(name, here + h, is_state), left = at(name, here - h, is_state);
    for (std::size_t i = 0; i < right.size(); ++i) {
      const std::size_t n = system.states.size();
      const double exact = i < n ? (is_state ? system.A : system.B)(i, j) : (is_state ? system.C : system.D)(i - n, j);
      EXPECT_NEAR((right[i] - left[i]) / (2.0 * h), exact, tolerance * (1.0 + std::abs(exact)))
          << (i < n ? "der of " + system.states[i] : system.outputs[i - n]) << " by " << name;
    }
  };
  for (std::size_t j = 0; j < system.states.size(); ++j) compare(system.states[j], system.x[j], true, j);
  for (std::size_t j = 0; j < system.inputs.size(); ++j) compare(system.inputs[j], system.u[j], false, j);
  EXPECT_EQ(run.save(), saved);  // as if nobody had asked
}

TEST(LinearizeOnTheWay, AgreesWithPushedRuns) {
  expect_slopes(shipped("pendulum", {.method = method::Bdf{}}), 1.3, {.inputs = {{"g", "m"}}}, 1e-7);
  expect_slopes(shipped("pendulum", {.method = method::Taylor{}}), 0.4, {.inputs = {{"g"}}}, 1e-7);
  expect_slopes(shipped("double_pendulum"), 0.7, {}, 1e-6);
}

TEST(LinearizeOnTheWay, TakesTheInputsAsTheyAre) {
  const Compiled model = compile(read_model_text("model.mo", R"(
model Driven
  input Real u(start = 0.5);
  Real x(start = 1, fixed = true), z;
equation
  der(x) = -x*z + u;
  z^3 + z = x + u^2;
end Driven;
)"));
  expect_slopes(model, 0.6, {}, 1e-7);
}

// Of a rectifier: the equations are those of the present mode.
TEST(LinearizeOnTheWay, FollowsTheModeInForce) {
  const Compiled model = compile(read_model_text("model.mo", R"(
model Clamped
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -2*x + 1.2*y;
  y = if time < 0.5 then 0 else 5*x;
end Clamped;
)"));
  EXPECT_DOUBLE_EQ(linearize(model, {}, {}, 0.2).A(0, 0), -2.0);
  EXPECT_DOUBLE_EQ(linearize(model, {}, {}, 0.7).A(0, 0), 4.0);
}

TEST(LinearizeOnTheWay, GoesBeyondTheStopTimeOfTheModelIfAsked) {
  const Compiled model = shipped("pendulum");
  EXPECT_DOUBLE_EQ(linearize(model, {}, {}, 12.5).t, 12.5);
  EXPECT_THROW(linearize(model, {}, {}, -1.0), ModelError);
}

// Formulations share the equations that are linearized.
TEST(LinearizeOnTheWay, DoesNotDependOnTheFormulation) {
  const StateSpace one = linearize(shipped("pendulum", {.tolerance = 1e-10, .method = method::Bdf{}}), {}, {}, 2.0);
  const StateSpace other = linearize(
      shipped("pendulum", {.tolerance = 1e-10, .formulation = *parse_formulation("ggl"), .method = method::Bdf{}}),
      {.states = one.states}, {}, 2.0);
  ASSERT_EQ(one.states, other.states);
  for (std::size_t k = 0; k < one.A.values.size(); ++k) EXPECT_NEAR(one.A.values[k], other.A.values[k], 1e-5);
}

TEST(LinearizeFiles, HaveTheNamesAndTheNumbers) {
  StateSpace system;
  system.model = "M", system.states = {"x", "der(x)"}, system.inputs = {"u"}, system.outputs = {"r[1,2]"};
  system.A = Matrix(2, 2), system.B = Matrix(2, 1), system.C = Matrix(1, 2), system.D = Matrix(1, 1);
  system.A(0, 1) = 1.0, system.A(1, 0) = -0.1, system.B(1, 0) = 2.5, system.C(0, 0) = 3.0, system.D(0, 0) = 4.0;
  const std::string path = ::testing::TempDir() + "/linear_system.csv";
  ASSERT_EQ(write_state_space(system, path), std::nullopt);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), "row,x,der(x),u\nd/dt x,0,1,0\nd/dt der(x),-0.1,0,2.5\n\"r[1,2]\",3,0,4\n");
}

}  // namespace
}  // namespace driftless
