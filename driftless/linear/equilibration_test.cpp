#include "driftless/linear/equilibration.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace driftless::linear {
namespace {

Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns, std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); });
}

Eigen::VectorXd random_units(Eigen::Index size, std::mt19937& random) {
  std::uniform_real_distribution<double> exponent(-6.0, 6.0);
  return Eigen::VectorXd::NullaryExpr(size, [&] { return std::pow(10.0, exponent(random)); });
}

Eigen::MatrixXd equilibrated(const Eigen::MatrixXd& a) {
  const Equilibration scale = equilibrate(a);
  return scale.rows.asDiagonal() * a * scale.columns.asDiagonal();
}

TEST(Equilibration, MakesRowsAndColumnsOfSizeOne) {
  std::mt19937 random(1);
  const Eigen::MatrixXd a = random_units(7, random).asDiagonal() * random_matrix(7, 9, random);
  const Eigen::MatrixXd b = equilibrated(a * random_units(9, random).asDiagonal());
  for (Eigen::Index i = 0; i < 7; ++i) EXPECT_NEAR(b.row(i).cwiseAbs().maxCoeff(), 1.0, 0.01);
  for (Eigen::Index j = 0; j < 9; ++j) EXPECT_NEAR(b.col(j).cwiseAbs().maxCoeff(), 1.0, 0.01);
}

TEST(Equilibration, RowsWithoutEntriesStay) {
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(2, 2);
  a(0, 1) = 1e-30;
  const Eigen::MatrixXd b = equilibrated(a);
  EXPECT_NEAR(b(0, 1), 1.0, 0.01);
  EXPECT_EQ(b.row(1).norm(), 0.0);
}

TEST(RevealedRank, DoesNotDependOnUnits) {
  std::mt19937 random(2);
  for (int rank = 1; rank <= 6; ++rank) {
    const Eigen::MatrixXd a = random_matrix(8, rank, random) * random_matrix(rank, 10, random);
    const Eigen::MatrixXd in_units = random_units(8, random).asDiagonal() * a * random_units(10, random).asDiagonal();
    const RevealedRank found = revealed_rank(equilibrated(in_units));
    EXPECT_EQ(found.rank, rank);
    EXPECT_TRUE(found.is_clear());
    EXPECT_LT(found.largest_dropped, 1e-13);
    EXPECT_GT(found.smallest_kept, 1e-4);
  }
}

TEST(RevealedRank, WithoutAGapIsNotClear) {
  Eigen::MatrixXd a = Eigen::MatrixXd::Identity(3, 3);
  a(1, 1) = 3e-9;
  a(2, 2) = 3e-10;
  EXPECT_EQ(revealed_rank(a).rank, 2);
  EXPECT_FALSE(revealed_rank(a).is_clear());
  a(2, 2) = 0.0;
  EXPECT_TRUE(revealed_rank(a).is_clear());
}

}  // namespace
}  // namespace driftless::linear
