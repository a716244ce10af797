#include "driftless/indices/linear_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/indices/sample_models_of_indices.hpp"

namespace driftless {
namespace {

using samples::model_of;
using testing::ElementsAre;

TEST(LinearModel, HasTheMatricesOfItsEquations) {
  const auto model = model_of("parameter Real k = 3; Real x, y;", "der(x) = -k*x + 2*y + sin(time); x - 4*y = 7;");
  const LinearModel linear = std::get<LinearModel>(linear_model(*model));
  Eigen::Matrix2d A, B;
  A << 3, -2, 1, -4;
  B << 1, 0, 0, 0;
  EXPECT_EQ(linear.pencil.A, A);
  EXPECT_EQ(linear.pencil.B, B);
  EXPECT_THAT(linear.unknowns, ElementsAre("x", "y"));
}

TEST(LinearModel, TakesDerivativesAsUnknownsOfTheirOwn) {
  const auto model = model_of("Real x, z;", "der(der(x)) = -2*der(x) - 5*x + z; x = time;");
  const LinearModel linear = std::get<LinearModel>(linear_model(*model));
  EXPECT_THAT(linear.unknowns, ElementsAre("x", "der(x)", "z"));
  Eigen::Matrix3d A, B;
  A << 5, 2, -1, 1, 0, 0, 0, -1, 0;
  B << 0, 1, 0, 0, 0, 0, 1, 0, 0;
  EXPECT_EQ(linear.pencil.A, A);
  EXPECT_EQ(linear.pencil.B, B);
  EXPECT_EQ(linear.equations.back(), "d/dt x = der(x)");
}

TEST(LinearModel, SaysWhichEquationIsNot) {
  const auto square = model_of("Real x, y;", "der(x) = y;\ny = x^2;");
  EXPECT_EQ(std::get<std::string>(linear_model(*square)), "line 5 is not linear in x");
  const auto varying = model_of("Real x, y;", "der(x) = y;\ny = time*x;");
  EXPECT_EQ(std::get<std::string>(linear_model(*varying)), "the coefficient of x in line 5 varies with time");
}

}  // namespace
}  // namespace driftless
