// The essential underlying equation as a form to be integrated.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/reduce/sample_ascher_petzold.hpp"
#include "tests/models/measure.hpp"

namespace driftless {
namespace {

using formulation::Euode;
using testing::HasSubstr;

Solution run(Model model, const SimulateOptions& options) {
  Solution solution = simulate(std::move(model), options);
  EXPECT_TRUE(reached_end(solution.outcome)) << solution.message;
  return solution;
}

double error_at_end(const Solution& solution, const std::string& name) {
  return std::abs(solution.final(name) - std::exp(solution.stop));
}

// The difference of two solutions satisfies the homogeneous equation u' = -nu/(2 - t) u: it shrinks like (2 - t)^nu.
TEST(Euode, DifferencesDecayAsThePaperSays) {
  const double nu = 10.0;
  const SimulateOptions options{
      .stop = 1.0, .tolerance = 1e-10, .formulation = Euode{}, .method = method::Bdf{}, .dense = false};
  const Solution one = run(samples::ascher_petzold_2({.nu = nu}), options),
                 other = run(samples::ascher_petzold_2({.nu = nu, .start = 1.5}), options);
  const auto u = one.column("u(1)"), v = other.column("u(1)");
  for (std::size_t k = 0; k < u.size(); k += 50)
    EXPECT_NEAR((v[k] - u[k]) / (v[0] - u[0]), std::pow(1.0 - 0.5 * one.times[k], nu), 1e-8) << one.times[k];
}

// Of order 2: (2 - t) and (2 - t)^nu solve u'' = -nu/(2 - t) u' - nu/(2 - t)^2 u. Here u is that of the paper divided
// by (2 + t) nu^2.
TEST(Euode, DifferencesOfOrderTwoAreCombinationsOfTheTwoSolutions) {
  const double nu = 6.0;
  const SimulateOptions options{
      .stop = 1.0, .tolerance = 1e-11, .formulation = Euode{}, .method = method::Bdf{}, .dense = false};
  const Solution one = run(samples::ascher_petzold_3({.nu = nu}), options),
                 other = run(samples::ascher_petzold_3({.nu = nu, .start = 1.5}, 1.0, 0.5), options);
  const auto difference = [&](const char* name, std::size_t k) { return other.column(name)[k] - one.column(name)[k]; };
  const double w0 = 2.0 * difference("u(1)", 0), w1 = 2.0 * difference("der(u(1))", 0) + difference("u(1)", 0);
  // w = a (2 - t) + b (2 - t)^nu: w(0) = 2a + 2^nu b, w'(0) = -a - nu 2^(nu-1) b
  const double power = std::pow(2.0, nu), b = (w0 + 2.0 * w1) / (power - nu * power), a = 0.5 * (w0 - power * b);
  ASSERT_GT(std::abs(b), 1e-8);
  for (std::size_t k = 0; k < one.times.size(); k += 50) {
    const double s = 2.0 - one.times[k];
    EXPECT_NEAR((2.0 + one.times[k]) * difference("u(1)", k), a * s + b * std::pow(s, nu), 1e-8 * std::abs(w0));
  }
}

// M2: the stabilized form (2.18) has the same essential underlying equation: differences of its solutions are those of
// the equation itself, in every direction D.
TEST(Euode, IsThatOfTheStabilizedFormToo) {
  const auto difference = [](const Formulation& formulation) {
    const SimulateOptions options{.stop = 1.0, .tolerance = 1e-11, .formulation = formulation, .dense = false};
    const Solution one = run(samples::ascher_petzold_3({.nu = 6.0}), options),
                   other = run(samples::ascher_petzold_3({.nu = 6.0, .start = 1.5}, 1.0, 0.5), options);
    std::vector<double> values;
    for (const char* name : {"p1", "p2"})
      for (std::size_t k = 0; k < one.times.size(); k += 50)
        values.push_back(other.column(name)[k] - one.column(name)[k]);
    return values;
  };
  const std::vector<double> exact = difference(Euode{});
  for (const char* text : {"ggl:D=mass", "ggl", "ggl:D=unit"}) {
    const std::vector<double> values = difference(*parse_formulation(text));
    ASSERT_EQ(values.size(), exact.size());
    for (std::size_t k = 0; k < values.size(); ++k) EXPECT_NEAR(values[k], exact[k], 1e-7) << text << ", point " << k;
  }
}

TEST(Euode, ConstraintsHoldExactly) {
  for (const double nu : {1.0, 10.0})  // of example 3; its [R; C] is conditioned like nu^2
    for (const Model& model : {samples::ascher_petzold_2({.nu = nu + 1.0}), samples::ascher_petzold_3({.nu = nu})}) {
      const double tolerance = 1e-7;
      const Solution solution =
          run(model, {.stop = 1.0, .tolerance = tolerance, .formulation = Euode{}, .dense = false});
      EXPECT_LT(solution.largest_residual(), 1e-11) << model.name << " " << nu;
      EXPECT_LT(error_at_end(solution, model.variables[0].name), 100.0 * tolerance) << model.name << " " << nu;
      EXPECT_LT(error_at_end(solution, model.variables[1].name), 100.0 * tolerance) << model.name << " " << nu;
    }
}

// Stiff as it is, the equation is discretized implicitly: at h nu = 10 the error is that of the smooth solution,
// h/2 u'' / (nu/(2 - t)) with u = (nu t - nu - 1) e^t, which makes h e at t = 1.
TEST(Euode, BackwardEulerConvergesWhereTheDirectFormDiverges) {
  const auto error = [](const Formulation& formulation, double h) {
    const Solution solution = simulate(
        samples::ascher_petzold_2({.nu = 1000.0}),
        {.stop = 1.0, .formulation = formulation, .method = method::ConstantBdf{1}, .step = h, .dense = false});
    return error_at_end(solution, "x1");
  };
  for (const double h : {0.02, 0.01, 0.005})
    EXPECT_NEAR(error(Euode{}, h), h * std::exp(1.0), 0.02 * h * std::exp(1.0)) << h;
  EXPECT_GT(error(formulation::Original{}, 0.01), 1e20);
}

std::string refusal(Model model) {
  try {
    analyze(std::make_shared<const Model>(std::move(model)), Euode{});
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

// Forces along the position itself: R x is zero at every point.
TEST(Euode, IsRefusedWhereItHasNoCoordinates) {
  EXPECT_THAT(refusal(read_shipped("pendulum")), HasSubstr("x^2 + y^2 = L^2"));
  EXPECT_THAT(refusal(read_shipped("pendulum")), HasSubstr("state-space:chart=tangent-mass"));
  EXPECT_THAT(refusal(read_shipped("ms_example1")), HasSubstr("euode does not apply"));
  EXPECT_THAT(refusal(read_shipped("akzo")), HasSubstr("euode does not apply"));
}

}  // namespace
}  // namespace driftless
