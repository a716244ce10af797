#include "driftless/fit/least_squares.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace driftless::fit {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

LeastSquaresProblem free_problem(int n) {
  LeastSquaresProblem problem;
  problem.lower = Eigen::VectorXd::Constant(n, -unbounded);
  problem.upper = Eigen::VectorXd::Constant(n, unbounded);
  return problem;
}

LeastSquaresProblem rosenbrock() {
  LeastSquaresProblem problem = free_problem(2);
  problem.residuals = [](const Eigen::VectorXd& x) -> std::optional<Residuals> {
    Residuals r{Eigen::VectorXd(2), Eigen::MatrixXd(2, 2)};
    r.values << 10 * (x(1) - x(0) * x(0)), 1 - x(0);
    r.slopes << -20 * x(0), 10, -1, 0;
    return r;
  };
  return problem;
}

TEST(LeastSquares, FindsTheMinimumInABentValley) {
  const LeastSquaresResult found = least_squares(rosenbrock(), Eigen::Vector2d(-1.2, 1));
  EXPECT_TRUE(is_solution(found.stop)) << to_string(found.stop);
  EXPECT_NEAR(found.x(0), 1.0, 1e-9);
  EXPECT_NEAR(found.x(1), 1.0, 1e-9);
}

// On the bound x ≤ 1/2 the minimum is at y = x².
TEST(LeastSquares, StaysWithinBounds) {
  LeastSquaresProblem problem = rosenbrock();
  problem.upper(0) = 0.5;
  const LeastSquaresResult found = least_squares(problem, Eigen::Vector2d(-1.2, 1));
  EXPECT_TRUE(is_solution(found.stop)) << to_string(found.stop);
  EXPECT_EQ(found.x(0), 0.5);
  EXPECT_NEAR(found.x(1), 0.25, 1e-8);
}

TEST(LeastSquares, DoesNotDependOnUnits) {
  LeastSquaresProblem problem = free_problem(2);
  problem.residuals = [](const Eigen::VectorXd& u) -> std::optional<Residuals> {
    const Eigen::Vector2d x(u(0) * 1e-6, u(1) * 1e6);
    Residuals r{Eigen::VectorXd(2), Eigen::MatrixXd(2, 2)};
    r.values << 10 * (x(1) - x(0) * x(0)), 1 - x(0);
    r.slopes << -20 * x(0) * 1e-6, 10 * 1e6, -1e-6, 0;
    return r;
  };
  const LeastSquaresResult found = least_squares(problem, Eigen::Vector2d(-1.2e6, 1e-6));
  const LeastSquaresResult same = least_squares(rosenbrock(), Eigen::Vector2d(-1.2, 1));
  EXPECT_EQ(found.steps, same.steps);
  EXPECT_NEAR(found.x(0) * 1e-6, 1.0, 1e-9);
}

// A step to a point without a value is rejected.
TEST(LeastSquares, AvoidsPointsWithoutValue) {
  LeastSquaresProblem problem = free_problem(1);
  problem.residuals = [](const Eigen::VectorXd& x) -> std::optional<Residuals> {
    if (x(0) <= 0.0) return {};
    return Residuals{Eigen::VectorXd::Constant(1, std::log(x(0))), Eigen::MatrixXd::Constant(1, 1, 1 / x(0))};
  };
  const LeastSquaresResult found = least_squares(problem, Eigen::VectorXd::Constant(1, 8.0));
  EXPECT_NEAR(found.x(0), 1.0, 1e-9);
  EXPECT_EQ(least_squares(problem, Eigen::VectorXd::Constant(1, -1.0)).stop, Stop::NoValue);
}

}  // namespace
}  // namespace driftless::fit
