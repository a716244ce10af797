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

// Rows in different units: 1e-8 of the first one is not small compared to the second.
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

// A rotating matrix: its pivots become small and are chosen anew, and its determinant changes its sign.
TEST(RepeatedDeterminant, FollowsAMatrixThroughItsSingularPoints) {
  std::mt19937 random(3);
  std::normal_distribution<double> entry;
  std::bernoulli_distribution is_given(0.3);
  for (const int n : {1, 2, 3, 6, 11}) {
    std::vector<Coordinate> entries;
    std::vector<double> amplitude, phase;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (i == j || is_given(random))
          entries.push_back({i, (5 * j + 1) % n}), amplitude.push_back(entry(random)), phase.push_back(entry(random));
    RepeatedDeterminant repeated(n, entries);
    int changes = 0, before = 0;
    for (int step = 0; step < 400; ++step) {
      std::vector<double> values;
      SmallMatrix alone(static_cast<std::size_t>(n));
      alone.clear(n);
      for (std::size_t k = 0; k < entries.size(); ++k) {
        values.push_back(amplitude[k] * std::cos(0.02 * step * (1.0 + 0.1 * static_cast<double>(k)) + phase[k]));
        alone.add(entries[k].row, entries[k].col, values.back());
      }
      const Determinant expected = alone.determinant(), found = repeated(values);
      ASSERT_EQ(found.sign, expected.sign) << n << " " << step;
      if (found.sign != 0) {
        EXPECT_NEAR(ratio(found.size, expected.size), 1.0, 1e-6) << n << " " << step;
      }
      changes += before * found.sign < 0;
      before = found.sign;
    }
    EXPECT_GT(changes, 0) << n;
  }
}

// That of a chain has no choice of pivots.
TEST(RepeatedDeterminant, OfAChain) {
  std::vector<Coordinate> entries;
  for (int i = 0; i < 9; ++i)
    for (int j = std::max(0, i - 1); j < std::min(9, i + 2); ++j) entries.push_back({i, j});
  RepeatedDeterminant repeated(9, entries);
  for (const double diagonal : {2.5, 1.0, 0.3, -1.0, -2.5}) {
    std::vector<double> values;
    SmallMatrix alone(9);
    alone.clear(9);
    for (const auto& [i, j] : entries) {
      values.push_back(i == j ? diagonal : -1.0);
      alone.add(i, j, values.back());
    }
    const Determinant expected = alone.determinant(), found = repeated(values);
    EXPECT_EQ(found.sign, expected.sign) << diagonal;
    EXPECT_NEAR(ratio(found.size, expected.size), 1.0, 1e-9) << diagonal;
  }
}

TEST(RepeatedDeterminant, IsNoneWhereTheMatrixIsNearlySingular) {
  std::vector<Coordinate> entries;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) entries.push_back({i, j});
  RepeatedDeterminant repeated(3, entries);
  const auto with = [&](double last) {
    return repeated(std::vector{1.0, 2.0, 3.0, 2.0, 1.0, 1.0, 3.0, 3.0, last}).sign;
  };
  EXPECT_EQ(with(5.0), -1);
  EXPECT_EQ(with(4.0 + 1e-7), -1);
  EXPECT_EQ(with(4.0 + 1e-11), 0);
  EXPECT_EQ(with(4.0 - 1e-7), 1);
  EXPECT_EQ(with(std::nan("")), 0);
  EXPECT_EQ(with(3.0), 1);
}

}  // namespace
}  // namespace driftless::linear
