#include "driftless/indices/differentiation.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "driftless/indices/consistent_points.hpp"
#include "driftless/indices/indices.hpp"
#include "driftless/indices/sample_models_of_indices.hpp"

namespace driftless {
namespace {

using samples::campbell_gear;
using samples::model_of;
using samples::shipped;

// All derivatives of sin at t, as a row.
Eigen::RowVectorXd derivatives_of_sine(double t, int orders) {
  Eigen::RowVectorXd row(orders);
  for (int k = 0; k < orders; ++k) row(k) = std::sin(t + k * std::acos(-1.0) / 2);
  return row;
}

TEST(DerivativeArray, VanishesOnTheSolution) {
  // x = sin, v = cos
  const auto model = model_of("Real x(start = 0, fixed = true), v(start = 1);", "der(x) = v; x^2 + v^2 = 1;");
  const DerivativeArrayAt array(model, 3);
  const Eigen::RowVectorXd sine = derivatives_of_sine(0.4, array.orders() + 1);
  PointOfIndex point{0.4, Eigen::MatrixXd(2, array.orders())};
  point.values.row(0) = sine.head(array.orders());
  point.values.row(1) = sine.tail(array.orders());
  EXPECT_LT(array.evaluate(point).residual.cwiseAbs().maxCoeff(), 1e-14);
}

TEST(DerivativeArray, JacobianIsTheSlopeOfTheResidual) {
  const auto model = shipped("pendulum");
  const DerivativeArrayAt array(model, 3);
  PointOfIndex point{0.0, Eigen::MatrixXd(3, array.orders())};
  for (Eigen::Index k = 0; k < point.values.size(); ++k) point.values(k) = std::sin(1.0 + 3.0 * static_cast<double>(k));
  const auto at = array.evaluate(point);
  for (Eigen::Index j = 0; j < 3; ++j)
    for (int order = 0; order < array.orders(); ++order) {
      PointOfIndex up = point, down = point;
      up.values(j, order) += 1e-6;
      down.values(j, order) -= 1e-6;
      const Eigen::VectorXd slope = (array.evaluate(up).residual - array.evaluate(down).residual) / 2e-6;
      EXPECT_LT((slope - at.jacobian.col(j * array.orders() + order)).cwiseAbs().maxCoeff(), 1e-8);
    }
}

TEST(DerivativeArray, ProjectionFindsTheDerivativesOfTheSolution) {
  const auto model = model_of("Real x(start = 0, fixed = true), v(start = 1);", "der(x) = v; x^2 + v^2 = 1;");
  const DerivativeArrayAt array(model, 4);
  PointOfIndex point{0.0, Eigen::MatrixXd::Zero(2, array.orders())};
  point.values(0, 0) = 0.6;
  point.values(1, 0) = 0.8;
  Eigen::MatrixXd freedom = Eigen::MatrixXd::Ones(2, array.orders());
  freedom.col(0).setZero();
  ASSERT_TRUE(array.project(point, freedom));
  const Eigen::RowVectorXd sine = derivatives_of_sine(std::asin(0.6), 6);
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(point.values(0, k), sine(k), 1e-12) << k;
    EXPECT_NEAR(point.values(1, k), sine(k + 1), 1e-12) << k;
  }
}

std::optional<int> index_of(const std::shared_ptr<const Model>& model) {
  const DifferentiationIndex found = differentiation_index_at_points(analyze(model));
  EXPECT_TRUE(found.narrowest.is_clear);
  EXPECT_GE(found.points.size(), 3u) << found.reason;
  return found.index;
}

TEST(DifferentiationIndexAtPoints, HasTheValuesOfTheModels) {
  EXPECT_EQ(index_of(shipped("pendulum_angle")), 0);
  EXPECT_EQ(index_of(shipped("index1_quadratic")), 1);
  EXPECT_EQ(index_of(shipped("transistor_amplifier")), 1);
  EXPECT_EQ(index_of(shipped("steering_wheel")), 2);
  EXPECT_EQ(index_of(shipped("ascher_petzold_2")), 2);
  EXPECT_EQ(index_of(shipped("pendulum")), 3);
  EXPECT_EQ(index_of(shipped("pendulum_first_order")), 3);
  EXPECT_EQ(index_of(shipped("jay")), 3);
  EXPECT_EQ(index_of(shipped("two_pendula")), 5);
}

TEST(DifferentiationIndexAtPoints, IsOneWhereProductsVanishOnTheSolution) {
  EXPECT_EQ(index_of(shipped("indices/lubich")), 1);
  for (const int m : {2, 3, 4}) EXPECT_EQ(index_of(campbell_gear(m)), 1) << m;
}

// At points that do not satisfy the equations, the same array would give m.
TEST(DifferentiationIndexAtPoints, NeedsConsistentPoints) {
  const auto model = shipped("indices/campbell_gear");
  const DerivativeArrayAt array(model, 4);
  PointOfIndex point{0.0, Eigen::MatrixXd(3, array.orders())};
  for (Eigen::Index k = 0; k < point.values.size(); ++k) point.values(k) = std::sin(1.0 + 3.0 * static_cast<double>(k));
  EXPECT_EQ(index_at(array, point).index, 3);
  EXPECT_EQ(index_at(array, {0.0, Eigen::MatrixXd::Zero(3, array.orders())}).index, 1);
}

// x' + y' = 1, x = y: by structure one differentiation gives an ODE; by definition the index is 1.
TEST(DifferentiationIndexAtPoints, OfASumOfDerivatives) {
  EXPECT_EQ(index_of(model_of("Real x(start = 0, fixed = true), y;", "der(x) + der(y) = 1; x - y = 0;")), 1);
}

TEST(DifferentiationIndexAtPoints, SeesWhatTheStructureDoesNot) {
  const Analysis analysis = analyze(shipped("traps/lecture_10_1"));
  EXPECT_EQ(find_indices(analysis).structural, 1);
  EXPECT_EQ(differentiation_index_at_points(analysis).index, 2);
}

TEST(DifferentiationIndexAtPoints, SaysWhyThereIsNone) {
  const auto twice =
      model_of("Real x(start = 1), y(start = 0, fixed = true), l1, l2;",
               "der(x) = -(l1 + 2*l2)*x + y; der(y) = -(l1 + 2*l2)*y - x; x^2 + y^2 = 1; 2*x^2 + 2*y^2 = 2;");
  EXPECT_EQ(differentiation_index_at_points(analyze(twice)).reason,
            "3 differentiations do not determine all derivatives: some equations follow from others");
  EXPECT_EQ(differentiation_index_at_points(analyze(shipped("fekete"))).reason,
            "a derivative array of 2700 equations is too large");
}

}  // namespace
}  // namespace driftless
