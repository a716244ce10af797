#include "driftless/taylor/derivative_factors.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace driftless::taylor {
namespace {

// x = t^5 in the unit 1/2: der(der(x)) = 20 t^3.
TEST(DerivativeFactors, LeadFromAFunctionToItsDerivatives) {
  DerivativeFactors<double> factors(6, 3);
  ASSERT_TRUE(factors.set_unit(0.5));
  const double x5 = std::pow(0.5, 5), second3 = 20.0 * std::pow(0.5, 3);
  EXPECT_DOUBLE_EQ(factors.to_derivative(3)[2] * x5, second3);
  EXPECT_DOUBLE_EQ(factors.from_derivative(3)[2] * second3, x5);
  EXPECT_EQ(factors.to_derivative(3) + factors.stride(), factors.to_derivative(4));
}

TEST(DerivativeFactors, ChangeOnlyWithTheUnit) {
  DerivativeFactors<double> factors(2, 1);
  EXPECT_TRUE(factors.set_unit(2.0));
  EXPECT_FALSE(factors.set_unit(2.0));
  EXPECT_EQ(factors.unit(), 2.0);
  EXPECT_EQ(factors.to_derivative(0)[1], 0.5);
}

TEST(DerivativeFactors, ReciprocalsOfOrders) {
  const DerivativeFactors<double> factors(4, 1);
  EXPECT_EQ(factors.reciprocal(4), 0.25);
  EXPECT_EQ(factors.reciprocal(0), 1.0);
}

}  // namespace
}  // namespace driftless::taylor
