// Projections together with implicit methods.
#include <cmath>

#include <fmt/format.h>

#include "driftless/integrate/sample_run.hpp"
#include "driftless/integrate/solve/projector.hpp"
#include "driftless/integrate/solve/sample_projections.hpp"
#include "driftless/integrate/steppers/ida/ida.hpp"

namespace driftless {
namespace {

using namespace projection;
using samples::constant_steps;
using samples::fitted_order;
using samples::residual_below_the_highest;
using samples::run;
using samples::thrown;

TEST(Projections, OfTheVelocityCompleteTheProjectedInvariants) {
  const auto solve = [](const Projection& projection, double step, double stop) {
    return run(
        thrown(), formulation::ProjectedInvariants{},
        {.stop = stop, .method = method::ConstantBdf{1}, .projection = projection, .step = step, .intervals = 1});
  };
  const Solution plain = solve(None{}, 0.01, 0.01), projected = solve(Coordinates{Levels::Velocity}, 0.01, 0.01);
  EXPECT_EQ(projected.final("x"), plain.final("x"));  // a step ends where it would
  EXPECT_EQ(projected.final("y"), plain.final("y"));
  EXPECT_GT(plain.certificate[1].max_residual, 1e-5);
  EXPECT_LT(projected.certificate[1].max_residual, 1e-15);

  const Solution exact = constant_steps(None{}, method::Explicit::Dopri5, 1e-3, 2.0);
  const std::vector<double> steps{0.01, 0.005, 0.0025};
  std::vector<double> errors, errors_of_plain;
  const auto error = [&](const Solution& s) {
    return std::hypot(s.final("x") - exact.final("x"), s.final("y") - exact.final("y"));
  };
  for (const double step : steps) {
    const Solution s = solve(Coordinates{Levels::Velocity}, step, 2.0);
    EXPECT_LT(residual_below_the_highest(s), 1e-14);
    errors.push_back(error(s));
    errors_of_plain.push_back(error(solve(None{}, step, 2.0)));
  }
  EXPECT_NEAR(fitted_order(steps, errors), 1.0, 0.15) << testing::PrintToString(errors);
  EXPECT_LT(errors.back(), 2.0 * errors_of_plain.back());
}

// Backward Euler on the index-1 form, then a position projection in the norm W, is backward Euler on Pa with D = W^-1
// C^T (Ascher, Petzold 1993, Section 4.2), step by step.
Solution ascher_petzold_3(double nu, const Formulation& formulation, const Projection& projection) {
  Model model = samples::read(samples::path_of("ascher_petzold_3"));
  for (Parameter& parameter : model.parameters)
    if (parameter.name == "nu") parameter.value = nu;
  return run(std::move(model), formulation,
             {.stop = 1.0, .method = method::ConstantBdf{1}, .projection = projection, .step = 0.01, .intervals = 100});
}
class AscherPetzoldThree : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Projections, AscherPetzoldThree, testing::Values(1.0, 100.0, 1000.0),
                         [](const auto& nu) { return fmt::format("nu{}", nu.param); });

TEST_P(AscherPetzoldThree, WeightedProjectionIsPaWithThatDirection) {
  for (const auto& [weight, direction] :
       {std::pair<Weight, formulation::Direction>{Weight::Identity, formulation::Transpose{}},
        {Weight::Mass, formulation::Mass{}}}) {
    const Solution pa = ascher_petzold_3(GetParam(), formulation::ProjectedInvariants{.direction = direction}, None{});
    const Solution projected =
        ascher_petzold_3(GetParam(), formulation::Index1{}, Coordinates{Levels::Position, weight});
    ASSERT_EQ(pa.times.size(), projected.times.size());
    double largest = 0.0;
    for (std::size_t k = 0; k < pa.times.size(); ++k)
      for (const char* name : {"p1", "p2", "v1", "v2"}) {
        const double a = projected.value(k, *projected.find(name)), b = pa.value(k, *pa.find(name));
        largest = std::max(largest, std::abs(a - b) / (1.0 + std::abs(b)));  // W = M at nu = 1000 reaches 1e73
      }
    fmt::print("nu = {}, W = {}: {:.1e}\n", GetParam(), weight == Weight::Mass ? "M" : "I", largest);
    EXPECT_LT(largest, 1e-14 * GetParam() * GetParam());  // rounding: the condition of M is nu^2
  }
}

TEST(Projections, InTheNormOfTheMassAreUnstableForHeterogeneousProblems) {
  const auto error = [](double nu, Weight weight) {
    const Solution s = ascher_petzold_3(nu, formulation::Index1{}, Coordinates{Levels::Position, weight});
    return std::hypot(s.final("p1") - std::exp(1.0), s.final("p2") - std::exp(1.0));
  };
  EXPECT_LT(error(1000.0, Weight::Identity), 0.02);
  EXPECT_GT(error(1000.0, Weight::Mass), 1e20);
  EXPECT_LT(error(100.0, Weight::Mass), 0.02);
}

}  // namespace
}  // namespace driftless
