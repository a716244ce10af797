// Inputs that are given piece by piece: tables and functions.
#include <gtest/gtest.h>

#include "driftless/fit/fit.hpp"
#include "tests/sensitivity/sensitivity_testing.hpp"

namespace driftless {
namespace {

const InputTable corners{{0, 0.313, 0.777, 0.777, 1.9}, {0, 1, 1, -1, 0.3}};  // kinks, and a jump

void expect_differences(const std::shared_ptr<const Model>& model, const InputSignal& signal, const std::string& name,
                        double value, const char* method, double bound) {
  const RunInputs inputs{.inputs = {{"u", signal}}, .stop = 2.5};
  const SensitiveSolution solution = simulate(compile(model, options_of(method, 1e-11, 25)), inputs, {name});
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  const Compiled series = compile(model, options_of("taylor:precision=extended", 1e-17, 25));
  const Solution plain = simulate(series, inputs);
  ASSERT_EQ(solution.times, plain.times);
  const std::vector<double> expected = differences(series, inputs, name, false, value, 1e-4 * value);
  EXPECT_LT(largest_error(solution, name, value, plain, expected), bound) << method << " " << name;
}

TEST(SensitivitiesWithInputs, PassTheCornersOfTables) {
  for (const char* method : {"auto", "bdf", "radau", "explicit", "taylor"})
    expect_differences(shipped("hybrid/driven_lag.mo"), corners, "T", 0.5, method, 1e-8);
}

// The force jumps, and with it accelerations and the force in the rod.
TEST(SensitivitiesWithInputs, HoldHiddenConstraintsBehindJumps) {
  const auto model = model_of(R"(model Pushed
  parameter Real L = 1.2, m = 0.7;
  input Real u(start = 0);
  Real x(start = 0.4, fixed = true), y(start = -1), vx(start = 0, fixed = true), vy, F;
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x + u;
  m*der(vy) = -F*y - 9.81*m;
  x^2 + y^2 = L^2;
end Pushed;)");
  for (const char* method : {"bdf", "radau", "auto"}) {
    expect_differences(model, corners, "L", 1.2, method, 1e-7);
    expect_differences(model, corners, "m", 0.7, method, 1e-7);
  }
}

// T x' = sin(3 t) - x from 0.
double filtered(double T, double t) {
  const double a = 3.0 * T;
  return (std::sin(3.0 * t) - a * std::cos(3.0 * t) + a * std::exp(-t / T)) / (1.0 + a * a);
}

TEST(SensitivitiesWithInputs, FollowFunctions) {
  const InputFunction wave = [](double t) { return std::sin(3.0 * t); };
  const auto compiled = compile(shipped("hybrid/driven_lag.mo"), options_of("auto", 1e-9, 25));
  const SensitiveSolution solution = simulate(compiled, {.inputs = {{"u", wave}}, .stop = 2.5}, {"T"});
  const std::vector<double> found = solution.column("d(x)/d(T)");
  const double h = 1e-3;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const auto x = [&](double T) { return filtered(T, solution.times[k]); };
    const double slope = (x(0.5 - 2 * h) - 8 * x(0.5 - h) + 8 * x(0.5 + h) - x(0.5 + 2 * h)) / (12 * h);
    EXPECT_NEAR(found[k], slope, 1e-7) << solution.times[k];
  }
}

TEST(SensitivitiesWithInputs, AreKnownBetweenOutputPoints) {
  const auto model = shipped("hybrid/driven_lag.mo");
  const RunInputs inputs{.inputs = {{"u", corners}}, .stop = 2.5};
  const SensitiveSolution coarse = simulate(compile(model, options_of("auto", 1e-11, 1)), inputs, {"T"});
  const SensitiveSolution fine = simulate(compile(model, options_of("auto", 1e-11, 100)), inputs, {"T"});
  for (std::size_t k = 0; k < fine.times.size(); ++k)
    EXPECT_NEAR(coarse.at(fine.times[k], "d(x)/d(T)"), fine.value(k, *fine.find("d(x)/d(T)")), 1e-9) << fine.times[k];
}

TEST(Fit, FindsParametersBehindAMeasuredInput) {
  const Compiled compiled = compile(shipped("hybrid/driven_lag.mo"), options_of("auto", 1e-10, 1));
  fit::Options options;
  options.inputs.inputs = {{"u", corners}};
  RunInputs truth = options.inputs;
  truth.parameters = {{"T", 0.37}};
  truth.stop = 2.5;
  const Solution run = simulate(compiled, truth);
  fit::Data data{{}, {{"x", {}}}};
  for (int k = 1; k <= 20; ++k) {
    data.times.push_back(0.12 * k);
    data.series[0].values.push_back(run.at(0.12 * k, "x"));
  }
  const fit::Result found = fit::fit(compiled, data, {{"T", 0.6}}, options);
  EXPECT_TRUE(found.converged) << found.stop;
  EXPECT_NEAR(found.estimates[0].value, 0.37, 1e-8);
}

}  // namespace
}  // namespace driftless
