#include "driftless/boundary/point_equations.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "driftless/boundary/conditions.hpp"
#include "driftless/integrate/sample_problem.hpp"

namespace driftless::boundary {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// A pendulum with a condition at either end.
struct Pendulum {
  Pendulum()
      : reduced(samples::reduced(samples::from_text(R"(model P Real x(start = 0.6, fixed = true), y(start = -0.8), l;
          equation der(der(x)) = -l*x; der(der(y)) = -l*y - 9.81; x^2 + y^2 = 1;
          annotation(__Driftless(finalEquations = {x*der(y) - 2*l == time})); end P;)"))),
        conditions(*reduced),
        system(reduced, Backend::Interpreter),
        equations(system) {
    conditions.compile(system.compiled());
  }

  // With the angle and the angular velocity, on every level of the constraint.
  VectorXd point(double phi, double w) const {
    VectorXd u(5);
    for (Eigen::Index j = 0; j < 5; ++j) {
      const std::string name = equations.name(j);
      u[j] = name == "x"        ? std::sin(phi)
             : name == "y"      ? -std::cos(phi)
             : name == "der(x)" ? w * std::cos(phi)
             : name == "der(y)" ? w * std::sin(phi)
                                : w * w + 9.81 * std::cos(phi);
    }
    return u;
  }

  VectorXd rows(const VectorXd& u) {
    VectorXd rows, rates;
    EXPECT_TRUE(equations.evaluate(0.0, u, rows, rates));
    return rows;
  }

  std::shared_ptr<const Reduced> reduced;
  Conditions conditions;
  System system;
  PointEquations equations;
};

TEST(PointEquations, OfThePendulumLeaveTwoStates) {
  Pendulum pendulum;
  EXPECT_EQ(pendulum.equations.unknowns(), 5);
  EXPECT_EQ(pendulum.equations.rows(), 3);
  EXPECT_EQ(pendulum.equations.states(), 2);
  EXPECT_LT(pendulum.rows(pendulum.point(0.7, 2.0)).norm(), 1e-14);
}

TEST(PointEquations, CountRatesThatAreUnknownsThemselves) {
  System system(
      samples::reduced(samples::from_text("model R Real x(start = 1); equation der(x) + 0.5*sin(der(x)) = -x; end R;")),
      Backend::Interpreter);
  PointEquations equations(system);
  EXPECT_EQ(equations.unknowns(), 2);
  EXPECT_EQ(equations.states(), 1);
  EXPECT_EQ(equations.name(0), "x");
  EXPECT_EQ(equations.name(1), "der(x)");
  VectorXd rows, rates;
  ASSERT_TRUE(equations.evaluate(0.0, (VectorXd(2) << 3.0, 2.0).finished(), rows, rates));
  EXPECT_NEAR(std::abs(rows[0]), 2.0 + 0.5 * std::sin(2.0) + 3.0, 1e-14);
  EXPECT_EQ(rates[0], 2.0);
}

TEST(PointEquations, ChooseTheStatesThatTheConstraintLeaves) {
  Pendulum pendulum;
  const double level = std::acos(-1.0) / 2;
  const std::vector<VectorXd> points{pendulum.point(0.0, 1.0), pendulum.point(0.5 * level, 1.0),
                                     pendulum.point(level, 1.0)};
  const auto charts = pendulum.equations.charts({0.0, 0.5, 1.0}, points);
  ASSERT_TRUE(charts);
  const auto names = [&](const Chart& chart) {
    std::vector<std::string> list;
    for (const int c : chart) list.push_back(pendulum.equations.name(pendulum.equations.slot_of(c)));
    return list;
  };
  EXPECT_THAT(names((*charts)[0]), ::testing::UnorderedElementsAre("x", "der(x)"));
  EXPECT_EQ((*charts)[0], (*charts)[1]);  // both are as good: the chart is kept
  EXPECT_THAT(names((*charts)[2]), ::testing::UnorderedElementsAre("y", "der(y)"));
}

TEST(LinearizedPoint, MovesAlongTheRows) {
  Pendulum pendulum;
  const VectorXd u = pendulum.point(0.7, 2.0);
  const auto charts = pendulum.equations.charts({0.0}, {u});
  LinearizedPoint point;
  ASSERT_TRUE(point.make(pendulum.equations, charts->front(), 0.0, u));
  const VectorXd direction = (VectorXd(2) << 0.3, -0.8).finished();
  const auto residual = [&](double eps) { return pendulum.rows(u + point.by_states * (eps * direction)).norm(); };
  EXPECT_GT(residual(1e-3), 1e-7);  // curved
  EXPECT_NEAR(residual(1e-3) / residual(1e-4), 100.0, 2.0);
}

TEST(LinearizedPoint, ItsChangeSolvesTheRowsAndHoldsTheStates) {
  Pendulum pendulum;
  const VectorXd on = pendulum.point(0.7, 2.0);
  const auto charts = pendulum.equations.charts({0.0}, {on});
  const auto miss = [&](double eps) {
    const VectorXd u = on + eps * (VectorXd(5) << 1.0, -0.5, 0.25, 2.0, -1.0).finished();
    LinearizedPoint point;
    EXPECT_TRUE(point.make(pendulum.equations, charts->front(), 0.0, u));
    const VectorXd change = point.change(pendulum.rows(u));
    for (const int c : charts->front()) EXPECT_EQ(change[pendulum.equations.slot_of(c)], 0.0);
    return pendulum.rows(u + change).norm();
  };
  EXPECT_NEAR(miss(1e-2) / miss(1e-3), 100.0, 10.0);
}

// At the lowest point x determines y, but y does not determine x.
TEST(LinearizedPoint, RefusesStatesThatAreNone) {
  Pendulum pendulum;
  const double level = std::acos(-1.0) / 2;
  const auto charts = pendulum.equations.charts({0.0}, {pendulum.point(level, 1.0)});
  LinearizedPoint point;
  VectorXd lowest = pendulum.point(0.0, 1.0);
  EXPECT_FALSE(point.make(pendulum.equations, charts->front(), 0.0, lowest));
}

TEST(Conditions, HaveTheDerivativesOfTheirResiduals) {
  Pendulum pendulum;
  ASSERT_EQ(pendulum.conditions.at(End::Start).size(), 1u);
  ASSERT_EQ(pendulum.conditions.at(End::Stop).size(), 1u);
  const VectorXd u = pendulum.point(0.4, -1.5);
  for (const End end : {End::Start, End::Stop}) {
    VectorXd residuals, moved;
    MatrixXd gradient;
    ASSERT_TRUE(pendulum.conditions.evaluate(pendulum.equations, end, 2.0, u, residuals, &gradient));
    for (Eigen::Index j = 0; j < u.size(); ++j) {
      VectorXd other = u;
      other[j] += 1e-6;
      ASSERT_TRUE(pendulum.conditions.evaluate(pendulum.equations, end, 2.0, other, moved));
      EXPECT_NEAR(gradient(0, j), (moved[0] - residuals[0]) / 1e-6, 1e-5);
    }
  }
  VectorXd start, stop;
  pendulum.conditions.evaluate(pendulum.equations, End::Start, 0.0, u, start);
  pendulum.conditions.evaluate(pendulum.equations, End::Stop, 2.0, u, stop);
  EXPECT_NEAR(start[0], std::sin(0.4) - 0.6, 1e-15);
  EXPECT_NEAR(stop[0], std::sin(0.4) * -1.5 * std::sin(0.4) - 2 * (1.5 * 1.5 + 9.81 * std::cos(0.4)) - 2.0, 1e-13);
}

}  // namespace
}  // namespace driftless::boundary
