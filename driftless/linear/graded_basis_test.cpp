#include "driftless/linear/graded_basis.hpp"

#include <cmath>
#include <algorithm>
#include <random>

#include <Eigen/Dense>
#include <gmock/gmock.h>

namespace driftless::linear {
namespace {

using testing::ElementsAre;
using Rows = GradedBasis::Rows;

// x1 + a x2 = 0, top + c w2 = 0, w1 + b w2 = 0 with the columns x1, x2, top, w1, w2.
Rows small(double a, double b, double c = 0.0) { return {{{0, 1.0}, {1, a}}, {{2, 1.0}, {4, c}}, {{3, 1.0}, {4, b}}}; }
GradedBasis basis_of_small() { return {{2, 2, 1, 0, 0}, {1, 1, 1}}; }

TEST(GradedBasis, HasTheNumbersOfItsGrades) {
  GradedBasis basis = basis_of_small();
  ASSERT_TRUE(basis.choose(small(0.5, 0.5)));
  EXPECT_THAT(basis.columns(), ElementsAre(0, 2, 3));
}

TEST(GradedBasis, ChangesWhereAnotherColumnIsBetterByTheFactor) {
  GradedBasis basis = basis_of_small();
  ASSERT_TRUE(basis.choose(small(0.5, 0.5)));
  ASSERT_TRUE(basis.improve(small(1.9, 1.9), 2.0));
  EXPECT_THAT(basis.columns(), ElementsAre(0, 2, 3));
  ASSERT_TRUE(basis.improve(small(2.1, 0.1), 2.0));
  EXPECT_THAT(basis.columns(), ElementsAre(1, 2, 3));
  ASSERT_TRUE(basis.improve(small(1e9, -5.0), 2.0));
  EXPECT_THAT(basis.columns(), ElementsAre(1, 2, 4));
}

TEST(GradedBasis, TellsWhereTheRanksAreOthers) {
  GradedBasis basis = basis_of_small();
  ASSERT_TRUE(basis.choose(small(0.5, 0.5)));
  EXPECT_TRUE(basis.has_ranks(small(0.6, 0.4)));
  EXPECT_FALSE(basis.has_ranks(small(0.5, 0.5, 0.1)));                            // top depends on what is left open
  EXPECT_FALSE(basis.has_ranks({{{0, 1.0}}, {{2, 1.0}}, {{3, 0.0}, {4, 0.0}}}));  // a row vanishes
  EXPECT_TRUE(basis.has_ranks(small(0.5, 0.5, 1e-9)));                            // an error of the point
  GradedBasis other = basis_of_small();
  EXPECT_FALSE(other.choose(small(0.5, 0.5, 1.0)));
}

TEST(GradedBasis, HasTheSignOfItsDeterminant) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  int positive = 0;
  for (int k = 0; k < 40; ++k) {
    const int n = 6;
    Rows rows(n);
    Eigen::MatrixXd matrix(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) rows[i].emplace_back(j, matrix(i, j) = normal(random));
    GradedBasis basis(std::vector<int>(n, 0), {n});
    ASSERT_TRUE(basis.choose(rows));
    // The order of the rows adds the same factor at all points.
    Rows other = rows;
    for (auto& [col, value] : other[2]) value = normal(random), matrix(2, col) = value;
    Eigen::MatrixXd before(n, n);
    for (int i = 0; i < n; ++i)
      for (const auto& [col, value] : rows[i]) before(i, col) = value;
    const bool same = before.determinant() * matrix.determinant() > 0.0;
    EXPECT_EQ(basis.sign(rows) == basis.sign(other), same);
    positive += same;
  }
  EXPECT_GT(positive, 5);
  EXPECT_LT(positive, 35);
}

// A ring of cells, each of which has an open derivative, something determined, and two of which one may be a state.
TEST(GradedBasis, OfALongRingFollowsIt) {
  const int cells = 3000;
  const auto rows_at = [&](double t) {
    Rows rows;
    for (int k = 0; k < cells; ++k) {
      const int first = 4 * k, next = 4 * ((k + 1) % cells);
      const double angle = t + 0.01 * k;
      rows.push_back({{first, std::cos(angle)}, {first + 1, std::sin(angle)}, {next, 0.05}, {next + 1, -0.05}});
      rows.push_back({{first + 2, 1.0}, {first, 0.3}, {next + 2, 0.2}});
      rows.push_back({{first + 3, 1.0}, {first + 2, 0.5}, {next + 3, 0.1}});
    }
    return rows;
  };
  std::vector<int> grades;
  for (int k = 0; k < cells; ++k)
    for (const int grade : {2, 2, 1, 0}) grades.push_back(grade);
  GradedBasis basis(grades, {cells, cells, cells});
  ASSERT_TRUE(basis.choose(rows_at(0.0)));
  for (double t = 0.1; t < 6.3; t += 0.1) ASSERT_TRUE(basis.improve(rows_at(t), 2.0)) << t;
  for (int k = 0; k < cells; ++k) {
    const double angle = 6.3 + 0.01 * k;
    const bool first = std::ranges::binary_search(basis.columns(), 4 * k);
    const double share = std::abs(first ? std::cos(angle) : std::sin(angle));
    EXPECT_GT(share, 0.3) << k;
  }
}

}  // namespace
}  // namespace driftless::linear
