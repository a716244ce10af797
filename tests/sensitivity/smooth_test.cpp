// Runs without events.
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/sensitivity/sensitivity_testing.hpp"

namespace driftless {
namespace {

struct Case {
  const char* file;
  std::vector<std::pair<std::string, bool>> names;  // and is it a start?
  double stop;
  const char* method;
  double tolerance, reference_tolerance;
};

double value_of(const Model& model, const std::string& name, bool is_start) {
  if (is_start) return std::ranges::find(model.variables, name, &Variable::name)->start.value_or(0.0);
  return std::ranges::find(model.parameters, name, &Parameter::name)->value;
}

void expect_differences(const std::shared_ptr<const Model>& model, const Case& c, double bound) {
  std::vector<std::string> names;
  for (const auto& [name, is_start] : c.names) names.push_back(name);
  const RunInputs inputs{.stop = c.stop};
  const Compiled compiled = compile(model, options_of(c.method, c.tolerance));
  const SensitiveSolution solution = simulate(compiled, inputs, names);
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  const Compiled series = compile(model, options_of("taylor:precision=extended", c.reference_tolerance));
  const Solution plain = simulate(series, inputs);
  for (const auto& [name, is_start] : c.names) {
    const double value = value_of(*model, name, is_start);
    const double h = 1e-4 * (value != 0.0 ? std::abs(value) : 1.0);
    const std::vector<double> expected = differences(series, inputs, name, is_start, value, h);
    EXPECT_LT(largest_error(solution, name, value, plain, expected), bound) << c.file << " " << c.method << " " << name;
  }
}

TEST(Sensitivities, OfTheSqueezerAreDerivatives) {
  expect_differences(shipped("squeezer.mo"),
                     {"squeezer", {{"c0", false}, {"mom", false}, {"m5", false}}, 0.005, "auto", 1e-12, 1e-17}, 1e-8);
}

TEST(Sensitivities, OfTheAmplifierAreDerivatives) {
  expect_differences(shipped("transistor_amplifier.mo"),
                     {"amplifier", {{"R", false}, {"C2", false}, {"y3", true}}, 0.005, "radau", 1e-12, 1e-17}, 1e-8);
}

TEST(Sensitivities, OfAChainAreDerivatives) {
  ReadOptions options;
  options.overrides = {{"N", "3"}};
  expect_differences(shipped("chain.mo", options),
                     {"chain", {{"L", false}, {"m", false}, {"g", false}}, 1.0, "auto", 1e-12, 1e-17}, 1e-8);
}

TEST(Sensitivities, DoNotDependOnTheMethod) {
  for (const char* method : {"bdf", "radau", "explicit", "taylor"})
    expect_differences(shipped("pendulum.mo"), {"pendulum", {{"L", false}, {"vy0", false}}, 3.0, method, 1e-10, 1e-17},
                       std::string(method) == "bdf" ? 1e-6 : 1e-7);
}

// Against a run of tolerance 1e-12, for each series in units of its largest derivative.
void expect_closeness(const char* file, const std::string& name, int intervals, const std::vector<const char*>& methods,
                      const std::vector<double>& tolerances) {
  const auto model = shipped(file);
  const auto run = [&](const char* method, double tolerance) {
    return simulate(compile(model, options_of(method, tolerance, intervals)), {}, {name});
  };
  const SensitiveSolution exact = run("radau", 1e-12);
  for (const char* method : methods)
    for (const double tolerance : tolerances) {
      const SensitiveSolution found = run(method, tolerance);
      ASSERT_EQ(found.times.size(), exact.times.size());
      for (const Variable& variable : model->variables) {
        const std::vector<double> values = found.column(sensitivity_name(variable.name, name)),
                                  expected = exact.column(sensitivity_name(variable.name, name));
        double error = 0.0, size = 0.0;
        for (std::size_t k = 0; k < values.size(); ++k) {
          error = std::max(error, std::abs(values[k] - expected[k]));
          size = std::max(size, std::abs(expected[k]));
        }
        EXPECT_LT(error, 100.0 * tolerance * size)
            << file << " " << intervals << " " << method << " " << tolerance << " " << variable.name;
      }
    }
}

// Within a step the mechanism passes positions where a coordinate that is a state says nothing about the others; it
// must be left before. At many output points nothing of that can hide.
TEST(Sensitivities, AreAsCloseAsTheToleranceAtAllOutputPoints) {
  for (const int intervals : {1000, 5000})
    expect_closeness("pendulum.mo", "L", intervals, {"radau", "bdf", "auto"}, {1e-4, 1e-6, 1e-8});
  expect_closeness("squeezer.mo", "m5", 300, {"radau", "bdf"}, {1e-4, 1e-6});
}

// x² + y² = L² and its two time derivatives, differentiated with respect to L, hold at every point.
TEST(Sensitivities, SatisfyTheHiddenConstraints) {
  const Compiled compiled = compile(shipped("pendulum.mo"), options_of("auto", 1e-6, 50));
  const SensitiveSolution s = simulate(compiled, {}, {"L"});
  const auto of = [&](const char* name) { return s.column(name); };
  const auto x = of("x"), y = of("y"), vx = of("der(x)"), vy = of("der(y)"), ax = of("der(der(x))"),
             ay = of("der(der(y))");
  const auto xp = of("d(x)/d(L)"), yp = of("d(y)/d(L)"), vxp = of("d(der(x))/d(L)"), vyp = of("d(der(y))/d(L)"),
             axp = of("d(der(der(x)))/d(L)"), ayp = of("d(der(der(y)))/d(L)");
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double scale = 1.0 + std::abs(xp[k]) + std::abs(yp[k]) + std::abs(vxp[k]) + std::abs(vyp[k]) +
                         std::abs(axp[k]) + std::abs(ayp[k]);
    EXPECT_NEAR(x[k] * xp[k] + y[k] * yp[k], 1.0, 1e-12 * scale);
    EXPECT_NEAR(xp[k] * vx[k] + x[k] * vxp[k] + yp[k] * vy[k] + y[k] * vyp[k], 0.0, 1e-12 * scale);
    EXPECT_NEAR(xp[k] * ax[k] + x[k] * axp[k] + 2 * vx[k] * vxp[k] + yp[k] * ay[k] + y[k] * ayp[k] + 2 * vy[k] * vyp[k],
                0.0, 1e-11 * scale);
  }
}

TEST(Sensitivities, FollowParametersThatAreComputedFromOthers) {
  const auto model = model_of(R"(model M
  parameter Real a = 2;
  parameter Real b = a^2;
  parameter Real c = b + a;
  Real x(start = c, fixed = true);
equation
  der(x) = -b*x;
end M;)");
  const SensitiveSolution s = simulate(compile(model, options_of("auto", 1e-11)), {.stop = 0.7}, {"a", "b", "x"});
  // What is named does not follow from other names: neither b from a, nor the start from either.
  const double e = std::exp(-4 * 0.7), x = 6 * e;
  EXPECT_NEAR(s.final("x"), x, 1e-9);
  EXPECT_NEAR(s.final("d(x)/d(a)"), 0.0, 1e-12);
  EXPECT_NEAR(s.final("d(x)/d(b)"), -0.7 * x, 1e-8);
  EXPECT_NEAR(s.final("d(x)/d(x)"), e, 1e-9);
  const SensitiveSolution only = simulate(compile(model, options_of("auto", 1e-11)), {.stop = 0.7}, {"a"});
  EXPECT_NEAR(only.final("d(x)/d(a)"), e * 5 - 4 * 0.7 * x, 1e-8);
}

TEST(Sensitivities, FollowTheEquationsOfTheStart) {
  const auto model = model_of(R"(model M
  parameter Real a = 2;
  parameter Real q(fixed = false, start = 1);
  Real x(start = 1), y(start = 3, fixed = true);
initial equation
  x^2 = a;
  der(y) = -1;
equation
  der(x) = -x;
  der(y) = -q*y + a;
end M;)");
  // x(0) = √a; q = (a + 1)/3.
  const SensitiveSolution s = simulate(compile(model, options_of("auto", 1e-11)), {.stop = 0.5}, {"a"});
  EXPECT_NEAR(s.final("d(x)/d(a)"), std::exp(-0.5) / (2 * std::sqrt(2.0)), 1e-9);
  EXPECT_NEAR(s.column("d(der(y))/d(a)")[0], 0.0, 1e-12);
  const double q = 1.0, t = 0.5, qa = 1.0 / 3.0;
  // y = a/q + (3 - a/q) exp(-q t)
  const double e = std::exp(-q * t), r = 2.0 / q, ra = 1.0 / q - 2.0 / (q * q) * qa;
  EXPECT_NEAR(s.final("d(y)/d(a)"), ra * (1 - e) - (3 - r) * t * e * qa, 1e-8);
}

// Small nonlinear systems with an algebraic unknown, made by chance.
TEST(Sensitivities, OfRandomModelsAreDerivatives) {
  std::mt19937 engine(5);
  const auto number = [&] { return 0.01 * (static_cast<int>(engine() % 200u) - 100); };
  for (int k = 0; k < 6; ++k) {
    std::string text =
        "model M\n  parameter Real p = 0.8;\n  parameter Real r = 1.3;\n"
        "  Real x(start = 1, fixed = true), y(start = p, fixed = true), z(start = 0.3);\nequation\n";
    text += fmt::format("  der(x) = {}*x + {}*sin(p*y) + {}*z;\n", number() - 0.5, number(), number());
    text += fmt::format("  der(y) = {}*y*x + {}*z*r + {}*cos(r*time);\n", number(), number(), number());
    text += fmt::format("  z + 0.1*z^3 = {}*x*p + {}*y^2 + {}*r;\nend M;\n", number(), number(), number());
    expect_differences(model_of(text), {"random", {{"p", false}, {"r", false}, {"x", true}}, 1.5, "auto", 1e-11, 1e-17},
                       1e-8);
  }
}

TEST(Sensitivities, AreKnownBetweenOutputPoints) {
  const auto model = model_of(
      "model M\n  parameter Real w = 3;\n  Real x(start = 1, fixed = true), v(start = 0, fixed = true);\nequation\n"
      "  der(x) = v;\n  der(v) = -w^2*x;\nend M;");
  const SensitiveSolution s = simulate(compile(model, options_of("auto", 1e-11, 1)), {.stop = 2.0}, {"w"});
  for (const double t : {0.0, 0.31, 1.0, 1.77, 2.0}) EXPECT_NEAR(s.at(t, "d(x)/d(w)"), -t * std::sin(3 * t), 1e-8) << t;
}

}  // namespace
}  // namespace driftless
