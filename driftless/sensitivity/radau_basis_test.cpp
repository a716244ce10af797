#include "driftless/sensitivity/radau_basis.hpp"

#include <cmath>

#include "driftless/sensitivity/follow.hpp"

#include <gtest/gtest.h>

namespace driftless::sensitivity {
namespace {

TEST(RadauBasis, HasThePointsOfRadauIIA) {
  const RadauBasis three(3);
  EXPECT_NEAR(three.c(0), (4 - std::sqrt(6.0)) / 10, 1e-15);
  EXPECT_NEAR(three.c(1), (4 + std::sqrt(6.0)) / 10, 1e-15);
  EXPECT_EQ(three.c(2), 1.0);
  EXPECT_NEAR(three.a(0, 0), (88 - 7 * std::sqrt(6.0)) / 360, 1e-15);
}

// Polynomials of degree s - 1 are integrated exactly up to any time, and of degree 2s - 2 up to the end.
TEST(RadauBasis, IntegratesPolynomials) {
  for (int s = 3; s <= 10; ++s) {
    const RadauBasis& basis = basis_of(s);
    for (int degree = 0; degree <= 2 * s - 2; ++degree)
      for (const double theta : {0.3, 0.77, 1.0}) {
        if (degree > s - 1 && theta < 1.0) continue;
        const Eigen::VectorXd weights = basis.weights(theta);
        double sum = 0.0;
        for (int l = 0; l < s; ++l) sum += weights(l) * std::pow(basis.c(l), degree);
        EXPECT_NEAR(sum, std::pow(theta, degree + 1) / (degree + 1), 1e-14) << s << " " << degree << " " << theta;
      }
  }
}

TEST(RadauBasis, CoefficientsAreThoseOfLegendre) {
  const RadauBasis basis(5);
  Eigen::VectorXd values(5);
  for (int l = 0; l < 5; ++l) {
    const double x = 2 * basis.c(l) - 1;
    values(l) = 2 + 3 * x - 0.5 * (3 * x * x - 1) / 2;
  }
  const Eigen::VectorXd coefficients = basis.legendre * values;
  const double expected[] = {2, 3, -0.5, 0, 0};
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(coefficients(k), expected[k], 1e-14);
}

TEST(RadauBasis, LowerFactorAndUnitUpperFactorGiveA) {
  for (const int s : {3, 6, 10}) {
    const RadauBasis basis(s);
    const Eigen::MatrixXd upper = basis.lower.triangularView<Eigen::Lower>().solve(basis.a);
    for (int i = 0; i < s; ++i)
      for (int j = 0; j <= i; ++j) EXPECT_NEAR(upper(i, j), i == j ? 1.0 : 0.0, 1e-10) << s;
  }
}

TEST(RadauBasis, MoreStagesForSharperTolerancesAndForManyStatesToo) {
  EXPECT_LT(cheapest_stages(1e-3, 2, 1, 4e4), cheapest_stages(1e-10, 2, 1, 4e4));
  EXPECT_GE(cheapest_stages(1e-8, 200, 1, 4e4), 7);  // their equations are iterated
}

}  // namespace
}  // namespace driftless::sensitivity
