#include "driftless/integrate/steppers/multistep/multistep_formula.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

using testing::HasSubstr;

MultistepFormula formula(std::vector<double> alpha, std::vector<double> beta) {
  return formula_of(Method(method::Multistep{std::move(alpha), std::move(beta)}));
}
MultistepFormula trapezoidal() { return formula({1.0, -1.0}, {0.5, 0.5}); }
MultistepFormula adams_moulton3() { return formula({1.0, -1.0, 0.0}, {5.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0}); }
MultistepFormula milne_simpson() { return formula({1.0, 0.0, -1.0}, {1.0 / 3.0, 4.0 / 3.0, 1.0 / 3.0}); }

// S5: h y'_n of the fixed-step BDF.
TEST(MultistepFormula, BdfHasTheKnownCoefficients) {
  const std::vector<std::vector<double>> known{{1, -1},
                                               {3. / 2, -2, 1. / 2},
                                               {11. / 6, -3, 3. / 2, -1. / 3},
                                               {25. / 12, -4, 3, -4. / 3, 1. / 4},
                                               {137. / 60, -5, 5, -10. / 3, 5. / 4, -1. / 5},
                                               {147. / 60, -6, 15. / 2, -20. / 3, 15. / 4, -6. / 5, 1. / 6}};
  for (int k = 1; k <= 6; ++k) {
    const MultistepFormula bdf = bdf_formula(k);
    ASSERT_EQ(bdf.alpha.size(), known[k - 1].size());
    for (int j = 0; j <= k; ++j) {
      EXPECT_NEAR(bdf.alpha[j], known[k - 1][j], 1e-14) << k << " " << j;
      EXPECT_EQ(bdf.beta[j], j == 0 ? 1.0 : 0.0);
    }
  }
}

TEST(MultistepFormula, BdfOfOrderKSatisfiesAllConditionsUpToSix) {
  for (int k = 1; k <= 7; ++k) {
    EXPECT_EQ(order(bdf_formula(k)), k);
    EXPECT_EQ(one_leg_order(bdf_formula(k)), k);
    EXPECT_EQ(is_stable(bdf_formula(k)), k <= 6) << k;
    EXPECT_TRUE(is_strictly_stable_at_infinity(bdf_formula(k)));
  }
}

TEST(MultistepFormula, OthersAreJudgedByTheirRoots) {
  EXPECT_EQ(order(trapezoidal()), 2);
  EXPECT_EQ(one_leg_order(trapezoidal()), 2);  // the implicit midpoint rule
  EXPECT_TRUE(is_stable(trapezoidal()));
  EXPECT_FALSE(is_strictly_stable_at_infinity(trapezoidal()));
  EXPECT_EQ(order(adams_moulton3()), 3);
  EXPECT_EQ(one_leg_order(adams_moulton3()), 2);
  EXPECT_TRUE(is_stable(adams_moulton3()));
  EXPECT_FALSE(is_strictly_stable_at_infinity(adams_moulton3()));
  EXPECT_EQ(order(milne_simpson()), 4);
  EXPECT_TRUE(is_stable(milne_simpson()));  // two simple roots on the circle
}

TEST(MultistepFormula, RootsSolveThePolynomial) {
  const std::vector<double> p{2.0, -3.0, 0.5, 7.0, -1.0};
  ASSERT_EQ(roots(p).size(), 4u);
  for (const auto z : roots(p)) {
    std::complex<double> value = 0.0;
    for (const double c : p) value = value * z + c;
    EXPECT_LT(std::abs(value), 1e-12);
  }
}

TEST(MultistepFormula, WhatIsNoMethodSaysWhy) {
  EXPECT_THAT(not_applicable(method::ConstantBdf{7}).value_or(""), HasSubstr("1 to 6"));
  EXPECT_THAT(not_applicable(method::Multistep{{1, -1}, {1}}).value_or(""), HasSubstr("here 2 and 1"));
  EXPECT_THAT(not_applicable(method::Multistep{{1, -1}, {0, 1}}).value_or(""), HasSubstr("explicit"));
  EXPECT_THAT(not_applicable(method::Multistep{{1, -1}, {1, 1}}).value_or(""), HasSubstr("not consistent"));
  EXPECT_THAT(not_applicable(method::Multistep{{1, -1}, {1, NAN}}).value_or(""), HasSubstr("not a number"));
  EXPECT_THAT(not_applicable(method::Multistep{{1, -2, 1}, {1, 0, -1}}).value_or(""), HasSubstr("add up to zero"));
  // rho = (z - 1)(z - 3)
  EXPECT_THAT(not_applicable(method::Multistep{{1, -4, 3}, {-1, -1, 0}}).value_or(""), HasSubstr("unstable"));
  EXPECT_FALSE(not_applicable(method::Multistep{{1, -1}, {0.5, 0.5}}));
}

}  // namespace
}  // namespace driftless
