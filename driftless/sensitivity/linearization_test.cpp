#include "driftless/sensitivity/linearization.hpp"

#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "driftless/model/builder.hpp"

namespace driftless::sensitivity {
namespace {

// x' = -y, y = 3 x, e^z = 1 + x: linear in y and x', and not in z.
std::shared_ptr<const Model> decay() {
  ModelBuilder b("Decay");
  const Expr x = b.variable("x"), y = b.variable("y"), z = b.variable("z");
  b.equation(der(x) == -y);
  b.equation(y == 3.0 * x);
  b.equation(exp(z) == 1.0 + x);
  return std::make_shared<const Model>(b.build());
}

class FromStates : public testing::Test {
 protected:
  FromStates() : array(decay(), structure::Offsets{{0, 0, 0}, {1, 0, 0}}, {}, 0, Backend::Interpreter) {
    EXPECT_TRUE(linearization.move_to(0.0, {}, std::vector<double>{1.0, -3.0, 3.0, std::log(2.0)}));
    EXPECT_TRUE(linearization.choose_states());
    EXPECT_EQ(linearization.states(), std::vector<int>{0});
  }
  VariationalArray array;
  Linearization linearization{array};
};

TEST_F(FromStates, WhatIsLinearIsFoundFromAnywhere) {
  std::vector<double> quantities{1.0, 50.0, -70.0, std::log(2.0) + 1e-3};
  ASSERT_TRUE(linearization.move_from_states(0.0, {}, 1e-8, quantities));
  EXPECT_NEAR(quantities[1], -3.0, 1e-12);
  EXPECT_NEAR(quantities[2], 3.0, 1e-12);
  EXPECT_NEAR(quantities[3], std::log(2.0), 1e-9);
}

TEST_F(FromStates, WhatIsNotLinearMustBeNear) {
  std::vector<double> quantities{1.0, -3.0, 3.0, 4.0};
  EXPECT_FALSE(linearization.move_from_states(0.0, {}, 1e-8, quantities));
}

TEST_F(FromStates, OnlyThoseOnWhichPartialDerivativesDependBend) {
  const std::vector<bool> expected{false, false, false, true};
  for (int col = 0; col < array.cols(); ++col) EXPECT_EQ(array.bends(col), expected[static_cast<std::size_t>(col)]);
}

}  // namespace
}  // namespace driftless::sensitivity
