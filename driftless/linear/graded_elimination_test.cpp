#include "driftless/linear/graded_elimination.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <algorithm>
#include <random>

namespace driftless::linear {
namespace {

using Rows = std::vector<std::vector<std::pair<int, double>>>;

std::vector<int> columns(const GradedElimination& result) {
  std::vector<int> cols;
  for (const auto& pivot : result.pivots) cols.push_back(pivot.col);
  std::ranges::sort(cols);
  return cols;
}

TEST(GradedElimination, TakesTheLowestGradeEvenIfItIsSmall) {
  const std::vector<int> grade{1, 0};
  const auto result = eliminate_by_grade({{{0, 1.0}, {1, 1e-9}}}, grade);
  EXPECT_THAT(columns(result), testing::ElementsAre(1));
}

TEST(GradedElimination, WithinAGradeTheLargerInItsUnitsIsTaken) {
  const std::vector<int> grade{0, 0};
  EXPECT_THAT(columns(eliminate_by_grade({{{0, 1.0}, {1, 5.0}}}, grade)), testing::ElementsAre(1));
  const std::vector<double> scale{10.0, 1.0};
  EXPECT_THAT(columns(eliminate_by_grade({{{0, 1.0}, {1, 5.0}}}, grade, scale)), testing::ElementsAre(0));
}

// Units of rows and columns do not matter: capacitors of 1e-12 and resistors of 1e6 neither hide a dependence nor cause
// one.
TEST(GradedElimination, RankDoesNotDependOnUnits) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> value(-1.0, 1.0), exponent(-12.0, 12.0);
  for (int sample = 0; sample < 200; ++sample) {
    const int n = 12, rank = 3 + sample % 9;
    const Eigen::MatrixXd left = Eigen::MatrixXd::NullaryExpr(n, rank, [&] { return value(random); });
    const Eigen::MatrixXd right = Eigen::MatrixXd::NullaryExpr(rank, n, [&] { return value(random); });
    const Eigen::MatrixXd a = left * right;
    std::vector<double> row_unit(n), col_unit(n);
    for (double& unit : row_unit) unit = std::pow(10.0, exponent(random));
    for (double& unit : col_unit) unit = std::pow(10.0, exponent(random));
    Rows rows(n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) rows[i].emplace_back(j, a(i, j) * row_unit[i] * col_unit[j]);
    EXPECT_EQ(eliminate_by_grade(rows, std::vector<int>(n, 0)).rank(), rank);
  }
}

// Against the greedy choice by ranks of small integer matrices, which are exact.
TEST(GradedElimination, BasisIsOfTheLowestGradesPossible) {
  std::mt19937_64 random(2);
  std::uniform_int_distribution<int> value(-2, 2), grades(0, 3);
  for (int sample = 0; sample < 500; ++sample) {
    const int m = 5, n = 8;
    Eigen::MatrixXd a(m, n);
    Rows rows(m);
    std::vector<int> grade(n);
    for (int& g : grade) g = grades(random);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j)
        if ((a(i, j) = random() % 2 ? value(random) : 0) != 0) rows[i].emplace_back(j, a(i, j));
    const auto result = eliminate_by_grade(rows, grade);
    int before = 0;
    for (int g = 0; g <= 3; ++g) {
      std::vector<int> up_to;
      for (int j = 0; j < n; ++j)
        if (grade[j] <= g) up_to.push_back(j);
      const int rank = up_to.empty() ? 0 : static_cast<int>(a(Eigen::all, up_to).fullPivLu().rank());
      const auto taken = std::ranges::count_if(result.pivots, [&](const auto& pivot) { return grade[pivot.col] == g; });
      EXPECT_EQ(taken, rank - before) << "grade " << g;
      before = rank;
    }
    EXPECT_EQ(result.pivots.size() + result.dependent.size(), static_cast<std::size_t>(m));
  }
}

// A row over all unknowns is reduced at the end, and gives the same rank.
TEST(GradedElimination, LongRows) {
  const int n = 500;
  for (const bool dependent : {false, true}) {
    Rows rows(n + 1);
    for (int i = 0; i < n; ++i) {
      rows[i] = {{i, 1.0}, {n, -1.0}};
      rows[n].emplace_back(i, 2.0);
    }
    rows[n].emplace_back(n, dependent ? -2.0 * n : 1.0);
    const auto result = eliminate_by_grade(rows, std::vector<int>(n + 1, 0));
    EXPECT_EQ(result.rank(), dependent ? n : n + 1);
  }
}

}  // namespace
}  // namespace driftless::linear
