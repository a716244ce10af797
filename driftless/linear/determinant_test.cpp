#include "driftless/linear/determinant.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace driftless::linear {
namespace {

Determinant determinant_of(const Eigen::MatrixXd& matrix) {
  SmallMatrix small(static_cast<std::size_t>(matrix.rows()));
  small.clear(static_cast<int>(matrix.rows()));
  for (int i = 0; i < matrix.rows(); ++i)
    for (int j = 0; j < matrix.cols(); ++j)
      if (matrix(i, j) != 0.0) small.add(i, j, matrix(i, j));
  return small.determinant();
}

TEST(Determinant, OfRandomMatricesIsThatOfAnotherElimination) {
  std::mt19937 random(7);
  std::normal_distribution<double> entry;
  std::bernoulli_distribution is_zero(0.4);
  int negative = 0;
  for (int n = 1; n <= 12; ++n)
    for (int k = 0; k < 50; ++k) {
      Eigen::MatrixXd matrix(n, n);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) matrix(i, j) = i != j && is_zero(random) ? 0.0 : entry(random);
      const double exact = Eigen::FullPivLU<Eigen::MatrixXd>(matrix).determinant();
      const Determinant found = determinant_of(matrix);
      ASSERT_EQ(found.sign, exact < 0.0 ? -1 : 1) << matrix;
      EXPECT_NEAR(ratio(found.size, Magnitude(std::abs(exact))), 1.0, 1e-8);
      negative += exact < 0.0;
    }
  EXPECT_GT(negative, 200);
}

// Rows in their own units: 1e-8 of the first one is not small beside the second.
TEST(Determinant, IsNoneWhereTheMatrixIsNearlySingular) {
  Eigen::MatrixXd matrix(2, 2);
  matrix << 1e8, 2e8, 1.0, 2.0 + 1e-3;
  EXPECT_EQ(determinant_of(matrix).sign, 1);
  matrix(1, 1) = 2.0 - 1e-3;
  EXPECT_EQ(determinant_of(matrix).sign, -1);
  matrix(1, 1) = 2.0 + 1e-10;
  EXPECT_EQ(determinant_of(matrix).sign, 0);
  matrix.row(1).setZero();
  EXPECT_EQ(determinant_of(matrix).sign, 0);
  for (const double no_value : {std::nan(""), HUGE_VAL}) {
    matrix << 1.0, 2.0, 3.0, no_value;
    EXPECT_EQ(determinant_of(matrix).sign, 0);
    matrix << no_value, 2.0, 3.0, 1.0;
    EXPECT_EQ(determinant_of(matrix).sign, 0);
  }
}

TEST(Determinant, NeitherOverflowsNorVanishes) {
  for (const double unit : {1e-90, 1e90}) {
    const Determinant found = determinant_of(unit * Eigen::MatrixXd::Identity(20, 20));
    const Determinant twice = determinant_of(2.0 * unit * Eigen::MatrixXd::Identity(20, 20));
    EXPECT_EQ(found.sign, 1);
    EXPECT_NEAR(found.size.log(), 20.0 * std::log(unit), 1e-9);
    EXPECT_NEAR(ratio(twice.size, found.size), std::ldexp(1.0, 20), 1e-6);
    EXPECT_EQ(&larger(twice.size, found.size), &twice.size);
    EXPECT_EQ(&larger(found.size, twice.size), &twice.size);
  }
  EXPECT_EQ(ratio(Magnitude(), Magnitude(1.0)), 0.0);
  EXPECT_EQ(ratio(Magnitude(1.0), Magnitude()), HUGE_VAL);
}

}  // namespace
}  // namespace driftless::linear
