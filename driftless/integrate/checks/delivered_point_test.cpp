#include "driftless/integrate/checks/delivered_point.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

using samples::SampleProblem;
using testing::HasSubstr;

// A point of the model as written, and its check.
struct Gate {
  explicit Gate(const std::string& text, double tolerance = 1e-6)
      : problem(samples::from_text(text), formulation::Original{}),
        gate(problem.system, tolerance, false),
        quantities(problem.system.reduced().quantities.size()) {}

  double& value(const std::string& name) {
    const Reduced& r = problem.system.reduced();
    for (const Quantity q : r.quantities)
      if (r.name(q) == name && r.place(q) == Place::Slot) return problem.start.y[r.slot_of(q)];
    throw std::out_of_range(name);
  }
  std::optional<DeliveredPoint::Violation> operator()(Origin origin = Origin::Solved) {
    return gate(System::Point{0.0, problem.start.y, problem.start.yp}, origin, quantities);
  }

  SampleProblem problem;
  DeliveredPoint gate;
  std::vector<double> quantities;
};

constexpr const char* pendulum = R"(model Pendulum
  Real x(start = 3, fixed = true), y(start = -4), vx(start = 0, fixed = true), vy, F;
equation
  der(x) = vx; der(y) = vy;
  der(vx) = F*x; der(vy) = F*y - 10;
  x^2 + y^2 = 25;
end Pendulum;)";

TEST(DeliveredPoint, IsMeasuredByTheSizeOfTheTerms) {
  Gate gate(pendulum);
  EXPECT_FALSE(gate());
  gate.value("x") = 3.0 + 6e-6;  // 3.6e-5 of 50: within 1e-6
  EXPECT_FALSE(gate());
  EXPECT_NEAR(gate.gate.relative()[0], 3.6e-5 / 50.0, 1e-9);
  gate.value("x") = 3.0 + 2e-5;
  const auto violation = gate();
  ASSERT_TRUE(violation);
  EXPECT_NEAR(violation->residual, 1.2e-4, 1e-8);
  EXPECT_THAT(gate.gate.describe(*violation), HasSubstr("line 6"));
  EXPECT_THAT(gate.gate.describe(*violation), HasSubstr("x^2 + y^2 = 25 has the residual 0.00012 at t = 0"));
}

// Residuals and sizes that were computed for several points together accept no point that would be refused by itself:
// no equation may be violated, be without a value, or be hidden by terms that have grown.
TEST(DeliveredPoint, IsNotClearWhereItWouldBeRefused) {
  Gate gate(pendulum);
  const std::size_t checks = gate.problem.system.checks().size();
  std::vector<double> found(2 * checks);
  const auto look = [&] {
    gate.problem.system.inspect({0.0, gate.problem.start.y, gate.problem.start.yp}, gate.quantities, found);
    return gate.gate.is_clear(found);
  };
  EXPECT_FALSE(look()) << "at the first point nothing is usual";
  EXPECT_FALSE(gate());
  EXPECT_TRUE(look());
  const std::vector<double> right = found, relative(gate.gate.relative().begin(), gate.gate.relative().end());
  EXPECT_FALSE(gate());
  EXPECT_TRUE(std::ranges::equal(gate.gate.relative(), relative)) << "the same is recorded";
  EXPECT_TRUE(std::ranges::equal(gate.gate.residuals(), std::span(right).first(checks)));
  for (std::size_t k = 0; k < checks; ++k) {
    std::vector<double> wrong = right;
    wrong[k] = 1.01e-6 * wrong[checks + k] + 1e-12;
    EXPECT_FALSE(gate.gate.is_clear(wrong)) << "check " << k;
    for (const double no_value : {std::nan(""), HUGE_VAL}) {
      wrong[k] = no_value;
      EXPECT_FALSE(gate.gate.is_clear(wrong)) << "check " << k;
    }
    wrong = right, wrong[checks + k] = 1e6 * std::max(1.0, wrong[checks + k]);
    EXPECT_FALSE(gate.gate.is_clear(wrong)) << "terms of check " << k;
  }
  gate.value("x") = 3.0 + 2e-5;
  EXPECT_FALSE(look());
  EXPECT_TRUE(gate());
}

// At the end of a step nothing is recorded.
TEST(DeliveredPoint, TheEndOfAStepIsLookedAtAlike) {
  Gate gate(pendulum);
  EXPECT_FALSE(gate());
  const std::vector<double> relative(gate.gate.relative().begin(), gate.gate.relative().end());
  const auto end = [&] { return gate.gate.look_at_end({0.0, gate.problem.start.y, gate.problem.start.yp}); };
  EXPECT_TRUE(end().quantities_exist);
  gate.value("x") = 3.0 + 1e-4;
  EXPECT_FALSE(end().violation) << "allowed there";
  EXPECT_TRUE(std::ranges::equal(gate.gate.relative(), relative));
  gate.value("x") = 3.1;
  ASSERT_TRUE(end().violation);
  EXPECT_NEAR(end().violation->residual, 0.61, 1e-12);
  gate.value("x") = 3.0, gate.value("F") = std::nan("");
  EXPECT_FALSE(end().quantities_exist);
  gate.value("F") = HUGE_VAL;
  EXPECT_FALSE(end().quantities_exist);
}

// All terms are small, so slopes measure the residual. A residual smaller by orders of magnitude passes by that measure
// for some ends of steps; others are measured again.
TEST(DeliveredPoint, AnEarlierMeasureServesOnlyWhatIsFarFromItsLimit) {
  Gate gate("model M Real x(start = 0, fixed = true), y(start = 0); equation der(x) = 1; y = x + x*y; end M;");
  const auto passes = [&](double y) {
    gate.value("y") = y;
    return !gate.gate.look_at_end({0.0, gate.problem.start.y, gate.problem.start.yp}).violation;
  };
  EXPECT_TRUE(passes(1e-9));
  EXPECT_TRUE(passes(1e-10));
  EXPECT_TRUE(passes(5e-4));
  EXPECT_FALSE(passes(5e-3));
  EXPECT_TRUE(passes(1e-10));
  EXPECT_FALSE(passes(5e-3));
}

TEST(DeliveredPoint, OfTermsThatAreAllSmallNominalValuesDecide) {
  const auto model = [](const std::string& nominal) {
    return "model M Real x(start = 0, fixed = true" + nominal + "), y(start = 0" + nominal +
           "); equation der(x) = 1; y = x + x*y; end M;";
  };
  Gate gate(model(""));
  gate.value("y") = 1e-7;
  EXPECT_FALSE(gate()) << "within the absolute tolerance";
  gate.value("y") = 1e-5;
  EXPECT_TRUE(gate());
  Gate small(model(", nominal = 1e-3"));
  small.value("y") = 1e-7;
  EXPECT_TRUE(small());
}

TEST(DeliveredPoint, OfAProductTheFactorsAreLookedAt) {
  Gate gate("model M Real x(start = 2, fixed = true), y(start = 2); equation der(x) = 1; (y - x)*(y + 1) = 0; end M;");
  EXPECT_FALSE(gate());
  gate.value("y") = 2.0 + 1e-8;
  EXPECT_FALSE(gate()) << "one term, which is its own size";
  gate.value("y") = 2.0 + 1e-4;
  EXPECT_TRUE(gate());
}

// At x = y = 1e-30 the slopes are 2e30: to first order a change of x and y by 4e-31 removes every residual of the
// size 1. In truth x^2/y^2 is never negative.
TEST(DeliveredPoint, NearAPoleTheChangesOfTheUnknownsAreTried) {
  Gate gate(
      "model M parameter Real p = 3; Real x(start = 1, fixed = true), y(start = 1); "
      "equation der(x) = 1; x^2/y^2 + p = 4; end M;");
  EXPECT_FALSE(gate());
  gate.value("x") = 1e-30, gate.value("y") = 1.01e-30;
  EXPECT_FALSE(gate()) << "a change of y by 1e-32 removes the residual";
  Gate impossible(
      "model M Real x(start = 1, fixed = true), y(start = 0.1); equation der(x) = 1; x^2/y^2 + 3 = 4 - 98*(1 - x); "
      "end M;");
  impossible.value("x") = 1e-30, impossible.value("y") = 1e-30;
  EXPECT_TRUE(impossible()) << "x^2/y^2 = -97";
}

// Subnormal numbers have few digits: no sum of them can be right to the tolerance.
TEST(DeliveredPoint, OfSubnormalTermsNothingIsAsked) {
  Gate gate("model M Real x(start = 1, fixed = true), y(start = 1); equation der(x) = 1; y*(1 + x^2) = 2*x^3; end M;");
  EXPECT_FALSE(gate());
  const double x = 9.1e-107, y = 2 * (x * x * x);  // 1.5e-318
  gate.value("x") = x, gate.value("y") = std::nextafter(y, 1.0);
  EXPECT_FALSE(gate());
  EXPECT_NE(gate.gate.residuals()[0], 0.0);
}

// From x = pi/2 on there is no solution, and every large y makes both sides nearly equal.
TEST(DeliveredPoint, WhatLargeTermsHideDoesNotPass) {
  Gate gate(
      "model M Real x(start = 1, fixed = true), y(start = 1.55); equation der(x) = 1; y + atan(y) = y + x + 0*der(x); "
      "end M;");
  EXPECT_FALSE(gate());
  gate.value("x") = 2.0, gate.value("y") = 1e9;
  ASSERT_TRUE(gate());
  EXPECT_NEAR(gate()->residual, std::atan(1e9) - 2.0, 1e-6);
  EXPECT_THAT(gate.gate.describe(*gate()), HasSubstr("terms of the size 2e+09 cancel in it"));
  gate.value("y") = 1e23;
  ASSERT_TRUE(gate());
  EXPECT_EQ(gate()->residual, 0.0) << "atan(y) - x is lost in rounding";
  gate.value("x") = std::atan(1e7), gate.value("y") = 1e7;
  EXPECT_FALSE(gate()) << "a solution";
}

// Large terms alone hide nothing: x and y have grown together.
TEST(DeliveredPoint, LargeTermsOfLargeUnknownsPass) {
  Gate gate(
      "model M Real x(start = 1, fixed = true), y(start = 2); equation der(x) = x; y + 1/y = x + sqrt(x) + "
      "0.5*sqrt(x)/x; end M;");
  EXPECT_FALSE(gate());
  gate.value("x") = 1e20, gate.value("y") = 1e20;
  EXPECT_FALSE(gate());
  gate.value("y") = 1.001e20;
  EXPECT_TRUE(gate());
}

TEST(DeliveredPoint, WhatHasNoValueOrIsInfiniteDoesNotPass) {
  Gate gate("model M Real x(start = 1, fixed = true), y(start = 0); equation der(x) = 1; exp(y) = x; end M;");
  EXPECT_FALSE(gate());
  gate.value("y") = 800.0;
  ASSERT_TRUE(gate());
  EXPECT_THAT(gate.gate.describe(*gate()), HasSubstr("has no finite residual"));
  gate.value("y") = std::nan("");
  EXPECT_TRUE(gate());
  gate.value("y") = 170.0;  // 1e73 against 1: the residual is as large as its terms
  EXPECT_TRUE(gate(Origin::Interpolated));
  EXPECT_TRUE(gate(Origin::StepEnd));
}

TEST(DeliveredPoint, DifferentialEquationsCountAsWritten) {
  Gate gate(
      "model M Real x(start = 1, fixed = true), y(start = 1); equation x*der(x) + der(x)^3 = -y; y = x^2; end M;");
  EXPECT_FALSE(gate());
  gate.problem.start.yp[0] += 0.1;
  ASSERT_TRUE(gate());
  EXPECT_THAT(gate.gate.describe(*gate()), HasSubstr("x*der(x) + der(x)^3 = -y"));
}

TEST(DeliveredPoint, OnlyWhatIsImposedKeepsAPointFromBeingDelivered) {
  SampleProblem index1(samples::from_text(pendulum), formulation::Index1{});
  DeliveredPoint gate(index1.system, 1e-6, false);
  std::vector<double> quantities(index1.system.reduced().quantities.size());
  const std::vector<Constraint>& checks = index1.system.checks();
  int imposed = 0;
  for (std::size_t k = 0; k < checks.size(); ++k)
    if ((*index1.system.reduced().model)[checks[k].equation].label == "line 6") {
      EXPECT_EQ(gate.is_imposed(k), checks[k].level == 2) << checks[k].level;
      ++imposed;
    }
  EXPECT_EQ(imposed, 3);
  for (double& value : index1.start.y) value *= 1.001;
  gate(System::Point{0.0, index1.start.y, index1.start.yp}, Origin::Solved, quantities);
  EXPECT_GT(gate.relative()[0], 1e-4) << "seen by the verdict all the same";
}

TEST(DeliveredPoint, PointsBetweenStepsMayBeLessExact) {
  Gate gate(pendulum);
  gate.value("x") = 3.0 + 1e-4;
  EXPECT_TRUE(gate(Origin::Solved));
  EXPECT_FALSE(gate(Origin::Interpolated));
  EXPECT_FALSE(gate(Origin::StepEnd));
  gate.value("x") = 3.1;
  EXPECT_TRUE(gate(Origin::Interpolated));
  EXPECT_TRUE(gate(Origin::StepEnd));
}

}  // namespace
}  // namespace driftless
