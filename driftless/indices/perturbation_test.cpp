#include "driftless/indices/perturbation.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "driftless/compiled.hpp"
#include "driftless/indices/perturbed_model.hpp"
#include "driftless/indices/sample_models_of_indices.hpp"

namespace driftless {
namespace {

using samples::campbell_gear;
using samples::model_of;
using samples::shipped;

// x = 2 s (offset + amplitude sin(w t)) is what the first equation, x/2 = 0, becomes: cos(0) = 1, phase 0.
TEST(PerturbedModel, HasTheDisturbanceInUnitsOfItsTerms) {
  const PerturbedModel perturbed = perturbed_model(model_of("Real x(nominal = 6);", "x/2 = 0;"), 1.0, false);
  const Solution solution =
      simulate(compile(perturbed.model),
               {.parameters = {{perturbed.offset, 0.25}, {perturbed.amplitude, 0.5}, {perturbed.frequency, 3.0}}});
  ASSERT_EQ(solution.outcome, Outcome::Success);
  for (std::size_t row = 0; row < solution.times.size(); row += 50)
    EXPECT_NEAR(solution.column("x")[row], -6.0 * (0.25 + 0.5 * std::sin(3.0 * solution.times[row])), 1e-10);
}

TEST(PerturbedModel, WithoutDisturbanceIsTheModel) {
  const PerturbedModel perturbed = perturbed_model(shipped("pendulum"), 1.0, false);
  const Solution disturbed = simulate(compile(perturbed.model, {.tolerance = 1e-9}));
  const Solution plain = simulate(compile(shipped("pendulum"), {.tolerance = 1e-9}));
  EXPECT_NEAR(disturbed.final("x"), plain.final("x"), 1e-6);
}

PerturbationProbe probe(const std::shared_ptr<const Model>& model) { return probe_perturbation_index(model, 6); }

// The index, and the exponent k with constant amplitude: deviation ~ w^k.
void expect_probe(const std::shared_ptr<const Model>& model, int index, double exponent) {
  const PerturbationProbe found = probe(model);
  EXPECT_EQ(found.index, index) << found.reason;
  ASSERT_FALSE(found.sweeps.empty());
  EXPECT_NEAR(found.sweeps.front().exponent, exponent, 0.06);
  EXPECT_EQ(found.sweeps.size(), static_cast<std::size_t>(std::max(index, 1)));
}

TEST(PerturbationIndex, OfAnOdeIsZero) {
  expect_probe(model_of("Real x(start = 1, fixed = true);", "der(x) = -x;"), 0, -1);
}

TEST(PerturbationIndex, OfAnAlgebraicEquationIsOne) {
  expect_probe(model_of("Real x(start = 1, fixed = true), y;", "der(x) = -y; y = x^3;"), 1, 0);
}

TEST(PerturbationIndex, OfTheSteeringWheelIsTwo) { expect_probe(shipped("steering_wheel"), 2, 1); }

TEST(PerturbationIndex, OfThePendulumIsThree) { expect_probe(shipped("pendulum"), 3, 2); }

TEST(PerturbationIndex, OfTheNilpotentChainIsThree) { expect_probe(shipped("indices/nilpotent_chain"), 3, 2); }

// Its response is quadratic: the disturbances enclose an area. The differentiation index is 1.
TEST(PerturbationIndex, OfLubichsExampleIsTwo) {
  expect_probe(shipped("indices/lubich"), 2, 1);
  EXPECT_EQ(probe(shipped("indices/lubich")).sweeps.front().variable, "y1");
}

TEST(PerturbationIndex, OfCampbellAndGearsExampleIsTheLengthOfItsChain) {
  for (const int m : {2, 3, 4}) {
    SCOPED_TRACE(m);
    expect_probe(campbell_gear(m), m, m - 1);
  }
}

// z enters y by its square only: y ~ (amplitude w)^2, which does not mean index 3.
TEST(PerturbationIndex, DoesNotTakeASquareForADerivative) {
  const auto model = model_of("Real x, z, y;", "der(x) = z; x = 0; y = z^2;");
  EXPECT_EQ(probe(model).index, 2);
}

TEST(PerturbationIndex, DoesNotDependOnUnits) {
  const auto model = model_of("parameter Real C = 1e-9; Real v(nominal = 1e3, start = 0), i(nominal = 1e-6);",
                              "C*der(v) = i; v = sin(time);");
  EXPECT_EQ(probe(model).index, 2);
}

TEST(PerturbationIndex, IsNotDeterminedWhereNoDisturbedRunSucceeds) {
  // Any disturbance of y1 = 0 makes the square root of a negative number, at one time or another.
  const auto model = model_of("Real x(start = 0, fixed = true), y;", "y = -x^2; der(x) = sqrt(y);");
  const PerturbationProbe found = probe(model);
  EXPECT_FALSE(found.index);
  EXPECT_NE(found.reason, "");
}

}  // namespace
}  // namespace driftless
