#include "driftless/integrate/steppers/error_between.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "driftless/integrate/steppers/step_polynomial.hpp"

namespace driftless {
namespace {

// The line of slope 1 from (0, 0) to (2, 2), beside y' = slope.
double error_of_line(double slope, bool exists = true) {
  const std::vector<double> begin{0.0}, end{2.0}, one{1.0};
  StepPolynomial line;
  line.set({0.0, begin, one}, {2.0, end, one}, {0}, {});
  std::vector<double> y(1), yp(1), of_line(1);
  return error_between(
      line, 0.0, 2.0, y, yp, of_line,
      [&](double t, const std::vector<double>& at, std::vector<double>& rate) {
        EXPECT_NEAR(at[0], t, 1e-15);
        EXPECT_NEAR(rate[0], 1.0, 1e-14);
        rate[0] = slope;
        return exists;
      },
      [](const auto& defect) { return std::abs(defect(0)); });
}

TEST(ErrorBetween, IsATenthOfTheStepTimesTheDifferenceOfSlopes) {
  EXPECT_NEAR(error_of_line(1.0), 0.0, 1e-14);
  EXPECT_NEAR(error_of_line(4.0), 2.0 * 3.0 / 10.0, 1e-14);
}

TEST(ErrorBetween, IsThatOfAFailedStageWhereThereIsNoSlope) {
  EXPECT_EQ(error_of_line(1.0, false), error_of_failed_stage);
}

}  // namespace
}  // namespace driftless
