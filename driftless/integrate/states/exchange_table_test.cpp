#include "driftless/integrate/states/exchange_table.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numeric>
#include <random>

namespace driftless {
namespace {

Eigen::MatrixXd random_matrix(int rows, int columns, std::mt19937& random) {
  std::uniform_real_distribution<double> entry(-1.0, 1.0);
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return entry(random); });
}

void fill(ExchangeTable& table, const Eigen::MatrixXd& b, const std::vector<int>& columns) {
  table.clear();
  for (int i = 0; i < b.rows(); ++i)
    for (int j = 0; j < b.cols(); ++j) table.set(i, j, b(i, columns[j]));
}

Eigen::MatrixXd columns_of(const Eigen::MatrixXd& b, std::span<const int> columns) {
  Eigen::MatrixXd part(b.rows(), columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k) part.col(k) = b.col(columns[k]);
  return part;
}

// How far the table is from M^-1 N by another factorization.
double error_of(const ExchangeTable& table, const Eigen::MatrixXd& b, const std::vector<int>& columns) {
  const auto m = static_cast<std::size_t>(b.rows());
  const Eigen::MatrixXd t =
      columns_of(b, std::span(columns).first(m)).fullPivLu().solve(columns_of(b, std::span(columns).subspan(m)));
  double error = 0.0;
  for (int i = 0; i < t.rows(); ++i)
    for (int j = 0; j < t.cols(); ++j) error = std::max(error, std::abs(table.entry(i, j) - t(i, j)));
  return error / (1.0 + t.cwiseAbs().maxCoeff());
}

std::vector<int> ascending(int n) {
  std::vector<int> columns(n);
  std::iota(columns.begin(), columns.end(), 0);
  return columns;
}

TEST(ExchangeTable, HoldsTheQuotientOfRandomMatrices) {
  std::mt19937 random(7);
  for (int m = 1; m <= 24; ++m)
    for (const int n : {m + 1, 2 * m, 3 * m}) {
      const Eigen::MatrixXd b = random_matrix(m, n, random);
      ExchangeTable table(m, n);
      fill(table, b, ascending(n));
      ASSERT_TRUE(table.reduce());
      EXPECT_LT(error_of(table, b, ascending(n)), 1e-11) << m << " x " << n;
    }
}

TEST(ExchangeTable, TellsByWhichFactorAnExchangeMultipliesTheDeterminant) {
  std::mt19937 random(3);
  for (const int m : {1, 2, 5, 12}) {
    const int n = 2 * m + 1;
    const Eigen::MatrixXd b = random_matrix(m, n, random);
    ExchangeTable table(m, n);
    fill(table, b, ascending(n));
    ASSERT_TRUE(table.reduce());
    const auto determinant = [&](const std::vector<int>& columns) {
      return std::abs(columns_of(b, std::span(columns).first(m)).determinant());
    };
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n - m; ++j) {
        std::vector<int> exchanged = ascending(n);
        std::swap(exchanged[i], exchanged[m + j]);
        EXPECT_NEAR(determinant(exchanged) / determinant(ascending(n)), std::abs(table.entry(i, j)),
                    1e-10 * (1.0 + std::abs(table.entry(i, j))));
        EXPECT_GE(table.largest().size, std::abs(table.entry(i, j)));
      }
  }
}

TEST(ExchangeTable, IsIndifferentToTheUnitsOfTheRows) {
  std::mt19937 random(5);
  const Eigen::MatrixXd b = random_matrix(6, 11, random);
  ExchangeTable table(6, 11), scaled(6, 11);
  fill(table, b, ascending(11));
  Eigen::VectorXd units(6);
  units << 1e-30, 0x1p40, 1.0, 3e20, 0x1p-60, 7.0;
  fill(scaled, units.asDiagonal() * b, ascending(11));
  ASSERT_TRUE(table.reduce());
  ASSERT_TRUE(scaled.reduce());
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 5; ++j) EXPECT_NEAR(table.entry(i, j), scaled.entry(i, j), 1e-12);
}

TEST(ExchangeTable, SaysThatTheColumnsAreDependent) {
  ExchangeTable table(2, 3);
  Eigen::MatrixXd b(2, 3);
  b << 1.0, 2.0, 5.0, 2.0, 4.0, 1.0;
  fill(table, b, {0, 1, 2});
  EXPECT_FALSE(table.reduce());
  fill(table, b, {0, 2, 1});
  EXPECT_TRUE(table.reduce());
  table.clear();
  table.set(0, 0, std::nan(""));
  table.set(1, 1, 1.0);
  EXPECT_FALSE(table.reduce());
}

TEST(ExchangeTable, IsEmptyWithoutFreeColumns) {
  ExchangeTable table(1, 1);
  table.set(0, 0, 2.0);
  EXPECT_TRUE(table.reduce());
  EXPECT_EQ(table.largest().row, -1);
}

}  // namespace
}  // namespace driftless
