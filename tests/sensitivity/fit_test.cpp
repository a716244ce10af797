// Parameters from measurements.
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/fit/fit.hpp"
#include "tests/sensitivity/sensitivity_testing.hpp"

namespace driftless {
namespace {

using testing::HasSubstr;

Compiled cooling() { return compile(shipped("fit/cooling.mo"), options_of("auto", 1e-10, 1)); }

fit::Data exact_cooling(double k, double room) {
  fit::Data data;
  fit::Series series{"T", {}};
  for (int i = 0; i <= 20; ++i) {
    data.times.push_back(3.0 * i);
    series.values.push_back(room + (90 - room) * std::exp(-k * 3.0 * i));
  }
  data.series.push_back(series);
  return data;
}

TEST(Fit, FindsTheParametersOfExactData) {
  const fit::Result found = fit::fit(cooling(), exact_cooling(0.045, 21), {{"k"}, {"T_room"}});
  EXPECT_TRUE(found.converged) << found.stop;
  EXPECT_NEAR(found.estimates[0].value, 0.045, 1e-8);
  EXPECT_NEAR(found.estimates[1].value, 21.0, 1e-6);
  EXPECT_LT(found.residual, 1e-5);
}

// The standard error of a straight line through n points is known in closed form.
TEST(Fit, GivesTheErrorsOfLinearRegression) {
  const auto model = model_of(
      "model Line\n  parameter Real a = 0;\n  parameter Real b = 0;\n  Real x(start = b, fixed = true);\nequation\n"
      "  der(x) = a;\nend Line;");
  fit::Data data;
  fit::Series series{"x", {}};
  std::mt19937 engine(3);
  double st = 0, sx = 0, stt = 0, stx = 0;
  const int n = 12;
  for (int i = 0; i < n; ++i) {
    const double t = 0.5 * i, x = 2 + 3 * t + 0.001 * static_cast<int>(engine() % 401u) - 0.2;
    data.times.push_back(t);
    series.values.push_back(x);
    st += t, sx += x, stt += t * t, stx += t * x;
  }
  data.series.push_back(series);
  const double det = n * stt - st * st, a = (n * stx - st * sx) / det, b = (sx - a * st) / n;
  double squares = 0.0;
  for (int i = 0; i < n; ++i) squares += std::pow(series.values[i] - b - a * data.times[i], 2);
  const double variance = squares / (n - 2);
  const fit::Result found = fit::fit(compile(model, options_of("auto", 1e-12, 1)), data, {{"a"}, {"b"}});
  EXPECT_NEAR(found.estimates[0].value, a, 1e-8);
  EXPECT_NEAR(found.estimates[1].value, b, 1e-8);
  EXPECT_NEAR(found.estimates[0].standard_error, std::sqrt(variance * n / det), 1e-7);
  EXPECT_NEAR(found.estimates[1].standard_error, std::sqrt(variance * stt / det), 1e-7);
  EXPECT_NEAR(found.correlation[1], -st / std::sqrt(n * stt), 1e-7);
  EXPECT_NEAR(found.residual, std::sqrt(squares), 1e-7);
}

// Of 0, 1, 3 at equal distances the best line leaves 1/28.
TEST(Fit, SaysHowMuchOfTheMeasurementsItExplains) {
  const auto line = compile(model_of(
      "model Line\n  parameter Real a = 0;\n  parameter Real b = 0;\n  Real x(start = b, fixed = true);\nequation\n"
      "  der(x) = a;\nend Line;"));
  fit::Data data{{0.0, 1.0, 2.0}, {{"x", {0.0, 1.0, 3.0}, 0.5}}};
  const fit::Result best = fit::fit(line, data, {{"a"}, {"b"}});
  ASSERT_EQ(best.explained.size(), 1u);
  EXPECT_EQ(best.explained[0].first, "x");
  EXPECT_NEAR(best.explained[0].second, 1.0 - 1.0 / 28.0, 1e-9);
  EXPECT_THAT(fit::to_text(best), HasSubstr("explained  96.43 % of x\n"));
  EXPECT_LT(fit::fit(line, data, {{"a", -1.0, -2.0, -0.5}}).explained[0].second, 0.0);
  data.series[0].values = {2.0, std::nan(""), 2.0};
  EXPECT_TRUE(std::isnan(fit::fit(line, data, {{"a", 1.0}}).explained[0].second));
}

TEST(Fit, StaysWithinBounds) {
  const fit::Result found = fit::fit(cooling(), exact_cooling(0.045, 21), {{"k"}, {"T_room", 15.0, 10.0, 19.0}});
  EXPECT_TRUE(found.converged) << found.stop;
  EXPECT_EQ(found.estimates[1].value, 19.0);
  EXPECT_TRUE(found.estimates[1].at_bound);
  EXPECT_TRUE(std::isnan(found.estimates[1].standard_error));
  EXPECT_FALSE(found.estimates[0].at_bound);
}

TEST(Fit, FindsTheCoefficientOfRestitutionAndAStart) {
  const auto model = shipped("hybrid/bouncing_ball.mo");
  const Compiled compiled = compile(model, options_of("auto", 1e-10, 1));
  fit::Data data;
  fit::Series series{"h", {}};
  const Solution truth = simulate(compiled, {.parameters = {{"e", 0.74}}, .starts = {{"h", 1.1}}, .stop = 1.6});
  for (int i = 1; i <= 15; ++i) {
    data.times.push_back(0.1 * i);
    series.values.push_back(truth.at(0.1 * i, "h"));
  }
  data.series.push_back(series);
  const fit::Result found = fit::fit(compiled, data, {{"e", 0.78}, {"h", 1.05}});
  EXPECT_TRUE(found.converged) << found.stop;
  EXPECT_NEAR(found.estimates[0].value, 0.74, 1e-7);
  EXPECT_NEAR(found.estimates[1].value, 1.1, 1e-7);
}

std::string refusal(const fit::Data& data, const std::vector<fit::Unknown>& unknowns) {
  try {
    fit::fit(cooling(), data, unknowns);
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

TEST(Fit, RefusesWhatTheDataDoNotDetermine) {
  const fit::Data data = exact_cooling(0.045, 21);
  EXPECT_THAT(refusal(data, {{"kk"}}), HasSubstr("neither a parameter nor a variable 'kk'"));
  EXPECT_THAT(refusal({{0, 1}, {{"U", {1, 2}}}}, {{"k"}}), HasSubstr("a column 'U', which is no variable of Cooling"));
  EXPECT_THAT(refusal({{0}, {{"T", {80}}}}, {{"k"}, {"T_room"}}), HasSubstr("too few points"));
  EXPECT_THAT(refusal({{0, 1, 0.5}, {{"T", {90, 90, 90}}}}, {{"k"}}), HasSubstr("decrease"));
  const auto twins =
      compile(model_of("model Twins\n  parameter Real a = 1;\n  parameter Real b = 1;\n  parameter Real c = 1;\n"
                       "  Real x(start = 1, fixed = true), y;\nequation\n"
                       "  der(x) = -a*b*x;\n  y = c*x;\nend Twins;"),
              options_of("auto", 1e-9, 1));
  const auto refusal_of_twins = [&](const std::vector<fit::Unknown>& unknowns) -> std::string {
    try {
      fit::fit(twins, {{0.5, 1, 2}, {{"x", {0.4, 0.1, 0.02}}}}, unknowns);
    } catch (const ModelError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_THAT(refusal_of_twins({{"a"}, {"b"}}), HasSubstr("do not determine a, b apart from each other"));
  EXPECT_THAT(refusal_of_twins({{"a"}, {"c"}}), HasSubstr("do not determine 'c': no measured value depends on it"));
}

}  // namespace
}  // namespace driftless
