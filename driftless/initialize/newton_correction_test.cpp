#include "driftless/initialize/newton_correction.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

Eigen::SparseMatrix<double> sparse(const Eigen::MatrixXd& dense) { return dense.sparseView(); }

TEST(NewtonCorrection, SolvesARegularSquareMatrix) {
  Eigen::MatrixXd matrix(2, 2);
  matrix << 2.0, 1.0, 0.0, 1e-9;  // units do not affect the rank
  bool regular = false;
  const Eigen::VectorXd x = NewtonCorrection()(sparse(matrix), Eigen::Vector2d(3.0, 1e-9), regular);
  EXPECT_TRUE(regular);
  EXPECT_NEAR(x[0], 1.0, 1e-14);
  EXPECT_NEAR(x[1], 1.0, 1e-14);
}

TEST(NewtonCorrection, IsTheSmallestWhereTheMatrixDeterminesNone) {
  bool regular = true;
  const Eigen::VectorXd of_square =
      NewtonCorrection()(sparse(Eigen::MatrixXd::Ones(2, 2)), Eigen::Vector2d(2.0, 2.0), regular);
  EXPECT_FALSE(regular);
  EXPECT_NEAR((of_square - Eigen::Vector2d(1.0, 1.0)).norm(), 0.0, 1e-14);
  const Eigen::VectorXd of_row =
      NewtonCorrection()(sparse(Eigen::MatrixXd::Ones(1, 2)), Eigen::VectorXd::Constant(1, 2.0), regular);
  EXPECT_FALSE(regular);
  EXPECT_NEAR((of_row - Eigen::Vector2d(1.0, 1.0)).norm(), 0.0, 1e-14);
}

// A chain of 100 unknowns is factorized sparsely. The same matrix again, another one, and the first.
TEST(NewtonCorrection, NoticesWhenTheMatrixIsAnother) {
  constexpr int n = 100;
  const auto chain = [](double coupling) {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(n, n);
    for (int k = 1; k < n; ++k) matrix(k, k - 1) = coupling;
    return sparse(matrix);
  };
  NewtonCorrection correction;
  for (const double coupling : {-0.5, -0.5, 0.25, -0.5}) {
    const Eigen::VectorXd exact = Eigen::VectorXd::LinSpaced(n, 1.0, 2.0);
    bool regular = false;
    const Eigen::VectorXd x = correction(chain(coupling), chain(coupling) * exact, regular);
    EXPECT_TRUE(regular);
    EXPECT_NEAR((x - exact).lpNorm<Eigen::Infinity>(), 0.0, 1e-13) << coupling;
  }
}

}  // namespace
}  // namespace driftless
