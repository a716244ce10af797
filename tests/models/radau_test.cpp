// Radau IIA with a step size from its error test: every reference, every form of the pendulum, index 3 as it stands.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/models/measure.hpp"

namespace driftless {
namespace {

using namespace formulation;

constexpr double largest_error = 100.0;  // in tolerances, as for the other methods

Solution run(const Analysis& analysis, double stop, double tolerance, int stages = 3) {
  const Solution solution = simulate(analysis, {.stop = stop, .tolerance = tolerance, .method = method::Radau{stages}});
  EXPECT_TRUE(reached_end(solution.outcome)) << solution.message;
  return solution;
}

class RadauReferences : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, RadauReferences, testing::ValuesIn(reference_names()),
                         [](const auto& name) { return name.param; });

// With three stages, and with the order chosen at every step, at every tolerance of the reference.
TEST_P(RadauReferences, ErrorIsWithinTheTolerance) {
  const Reference reference = read_reference(GetParam());
  const auto model = std::make_shared<const Model>(reference.model());
  const Analysis analysis = analyze(model);
  for (const int stages : {3, 0})
    for (const double tolerance : reference.tolerances) {
      const Solution solution = run(analysis, reference.stop, tolerance, stages);
      const Worst worst = error_against(reference, *model, solution);
      fmt::print("{:22} {:5.0e}  {:6} steps, order {:4.1f}  error/tolerance {:9.3g}   {} at {:g}\n", reference.name,
                 tolerance, solution.statistics.steps, solution.statistics.mean_order, worst.error / tolerance,
                 worst.name, worst.t);
      EXPECT_LE(worst.error, largest_error * reference.allowance * tolerance)
          << worst.name << " at t = " << worst.t << " with tolerance " << tolerance;
    }
}

// ---- every form of the pendulum

struct Form {
  Formulation formulation;
  double state, multiplier;  // the power of the tolerance that the error follows
};
void PrintTo(const Form& form, std::ostream* out) { *out << to_string(form.formulation); }

class RadauForms : public testing::TestWithParam<Form> {};

// The step size is of the order tolerance^(1/6), or smaller. Multipliers of index 2 are of order 3; the velocities and
// the multiplier of the index-3 form of order 3 and 2.
INSTANTIATE_TEST_SUITE_P(Pendulum, RadauForms,
                         testing::Values(Form{Dummy{}, 1, 1}, Form{Index1{}, 1, 1}, Form{StabilizedIndex1{}, 1, 1},
                                         Form{Index2{}, 1, 1.0 / 2}, Form{Ggl{}, 1, 1.0 / 2},
                                         Form{Original{}, 1.0 / 2, 1.0 / 3}),
                         [](const auto& form) {
                           std::string name = to_string(form.param.formulation);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_P(RadauForms, FollowTheTolerance) {
  const Reference reference = read_reference("pendulum");
  const Analysis analysis = analyze(std::make_shared<const Model>(reference.model()), GetParam().formulation);
  std::vector<double> steps;
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    const Solution solution = run(analysis, reference.stop, tolerance);
    const auto& exact = reference.points.back().values;
    const auto error = [&](const char* name) { return std::abs(solution.final(name) - exact.at(name)); };
    const double state = std::max({error("x"), error("y"), error("der(x)"), error("der(y)")});
    fmt::print("{:18} {:5.0e} {:5} steps, errors/tolerance {:8.2g} {:8.2g}\n", to_string(GetParam().formulation),
               tolerance, solution.statistics.steps, state / tolerance, error("lambda") / tolerance);
    const auto allowed = [&](double power) {
      return power == 1.0 ? largest_error * tolerance : std::pow(tolerance, power);
    };
    EXPECT_LE(state, allowed(GetParam().state));
    EXPECT_LE(error("lambda"), allowed(GetParam().multiplier));
    steps.push_back(static_cast<double>(solution.statistics.steps));
  }
  // The estimate is of the order h^4 and from 1e-6 on tested against 10 tolerances: a hundredth costs 100^(1/4) = 3.16
  // times the steps.
  EXPECT_NEAR(steps[2] / steps[1], 3.16, 0.25);
}

// Constraints between the steps, by the polynomial alone: nothing is projected in these forms.
TEST(Radau, KeepsTheConstraintsBetweenTheStepsWithinTenTolerances) {
  const Reference reference = read_reference("pendulum");
  for (const Formulation& formulation : {Formulation(Ggl{}), Formulation(Original{})}) {
    const Analysis analysis = analyze(std::make_shared<const Model>(reference.model()), formulation);
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
      const Solution solution = run(analysis, reference.stop, tolerance, 0);
      // x^2 + y^2 = L^2: its gradient has the length 2.
      EXPECT_LE(solution.certificate[0].max_residual, 2.0 * 10.0 * tolerance)
          << to_string(formulation) << " " << tolerance;
    }
  }
}

// Where a multistep code creeps, because the errors of velocities and multipliers do not vanish with the step size.
// With steps and digits of the positions that the code RADAU5 needs and has.
TEST(Radau, SolvesTheIndexThreeFormOfTheCarAxis) {
  const Reference reference = read_reference("car_axis");
  const Analysis analysis = analyze(std::make_shared<const Model>(reference.model()), Original{});
  struct {
    double tolerance;
    long steps;
    double digits;
  } const radau5[] = {{1e-4, 101, 0.2}, {1e-6, 201, 1.8}, {1e-8, 416, 3.7}};
  for (const auto& other : radau5) {
    const Solution solution = run(analysis, reference.stop, other.tolerance, 0);
    EXPECT_LE(solution.statistics.steps, other.steps);
    for (const char* name : {"xl", "yl", "xr", "yr"}) {
      const double exact = reference.points.back().values.at(name);
      EXPECT_NEAR(solution.final(name), exact, std::pow(10.0, -other.digits) * std::abs(exact)) << name;
    }
  }
}

// Positions of the mechanism at t = 0.03: steps and digits of the code RADAU on its index-2 form, with exact Jacobians.
TEST(Radau, NeedsFewerStepsOnTheSevenBodyMechanismThanTheCodeRadau) {
  const Reference reference = read_reference("squeezer");
  const Analysis analysis = analyze(std::make_shared<const Model>(reference.model()), Index2{});
  struct {
    double tolerance;
    long steps;
    double digits;
  } const other[] = {{1e-4, 69, 4.0}, {1e-6, 124, 5.9}, {1e-8, 252, 7.8}, {1e-10, 102, 10.6}};
  for (const auto& radau : other) {
    const Solution solution = run(analysis, reference.stop, radau.tolerance, 0);
    double worst = 0.0;
    for (const char* name : {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"}) {
      const double exact = reference.points.back().values.at(name);
      worst = std::max(worst, std::abs(solution.final(name) - exact) / std::abs(exact));
    }
    fmt::print("squeezer, index2 {:5.0e} {:4} steps, {} residuals, {:.1f} digits\n", radau.tolerance,
               solution.statistics.steps, solution.statistics.residual_evaluations, -std::log10(worst));
    EXPECT_LE(solution.statistics.steps, radau.steps);
    EXPECT_GE(-std::log10(worst), radau.digits - 0.3);
  }
}

// A stiff start: after the layer of width 1e-6 the step size follows the smooth solution.
TEST(Radau, TakesLargeStepsOnStiffProblems) {
  const Model model = read_text(R"(
    model Layer
      Real x(start = 2, fixed = true);
    equation
      der(x) = -1e6*(x - cos(time)) - sin(time);
    end Layer;)");
  const Solution solution = run(analyze(std::make_shared<const Model>(model)), 10.0, 1e-6);
  EXPECT_LT(solution.statistics.steps, 60);
  EXPECT_NEAR(solution.final("x"), std::cos(10.0), 1e-5);
}

}  // namespace
}  // namespace driftless
