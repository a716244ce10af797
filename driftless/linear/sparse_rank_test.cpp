#include "driftless/linear/sparse_rank.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace driftless::linear {
namespace {

using Matrix = Eigen::SparseMatrix<double>;

Matrix sparse_of(const std::vector<Eigen::Triplet<double>>& entries, int rows, int columns) {
  Matrix matrix(rows, columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Matrix random_product(int rows, int rank, int columns, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const auto draw = [&](int m, int n) {
    return Eigen::MatrixXd::NullaryExpr(m, n, [&] { return normal(random); }).eval();
  };
  const Eigen::MatrixXd left = draw(rows, rank), right = draw(rank, columns);
  return (left * right).sparseView();
}

TEST(SparseRank, UnitsAreThoseOfTheFullMatrix) {
  const Matrix a = random_product(6, 6, 8, 1);
  const Eigen::VectorXd units =
      Eigen::VectorXd::LinSpaced(8, -6.0, 6.0).unaryExpr([](double e) { return std::pow(10.0, e); });
  const Matrix in = a * units.asDiagonal();
  const Eigen::MatrixXd b = in_units(in, equilibrate(in));
  for (Eigen::Index i = 0; i < 6; ++i) EXPECT_NEAR(b.row(i).cwiseAbs().maxCoeff(), 1.0, 0.01);
  for (Eigen::Index j = 0; j < 8; ++j) EXPECT_NEAR(b.col(j).cwiseAbs().maxCoeff(), 1.0, 0.01);
}

TEST(SparseRank, IsThatOfTheSingularValues) {
  for (int rank = 1; rank <= 8; ++rank) {
    const Matrix a = random_product(9, rank, 11, static_cast<unsigned>(rank));
    const Matrix b = in_units(a, equilibrate(a));
    const RevealedRank by_qr = revealed_rank_by_qr(b), by_values = revealed_rank(Eigen::MatrixXd(b));
    EXPECT_EQ(by_qr.rank, rank);
    // Of the rows that were taken, the first that are independent: a lower bound.
    EXPECT_LE(by_qr.smallest_kept, 1.01 * by_values.smallest_kept) << rank;
    EXPECT_GE(by_qr.smallest_kept, 0.01 * by_values.smallest_kept) << rank;
    EXPECT_LT(by_qr.largest_dropped, 1e-13) << rank;
    EXPECT_TRUE(by_qr.is_clear());
  }
}

// Each row is a relation of neighbours, and every third one is the sum of the two before it. The cost is that of a
// chain.
TEST(SparseRank, OfALongChainLeavesOutWhatDepends) {
  const int n = 6000;
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](int row, int k, double factor) {
    entries.emplace_back(row, k, factor);
    entries.emplace_back(row, (k + 1) % n, 0.4 * factor * std::sin(k + 1.0));
  };
  for (int k = 0; k < n; ++k) k % 3 < 2 ? add(k, k, 1.0) : (add(k, k - 1, 1.0), add(k, k - 2, 1.0));
  const RevealedRank found = revealed_rank(sparse_of(entries, n, n));
  EXPECT_EQ(found.rank, 2 * n / 3);
  EXPECT_TRUE(found.is_clear());
  EXPECT_GT(found.smallest_kept, 0.05);
}

// [1 2; 1 2; ...] is well conditioned, though its first columns alone are not: 2^-60.
TEST(SparseRank, DoesNotDependOnTheColumnsThatComeFirst) {
  const int n = 60;
  std::vector<Eigen::Triplet<double>> entries;
  for (int k = 0; k < n; ++k) entries.emplace_back(k, k, 1.0), entries.emplace_back(k, k + 1, 2.0);
  const RevealedRank found = revealed_rank_by_qr(sparse_of(entries, n, n + 1));
  EXPECT_EQ(found.rank, n);
  EXPECT_GT(found.smallest_kept, 0.2);
  EXPECT_TRUE(found.is_clear());
  // Without the last column no pivot vanishes, but the matrix is numerically singular: the rank is not clear.
  EXPECT_FALSE(revealed_rank_by_qr(sparse_of(entries, n, n + 1).leftCols(n)).is_clear());
}

TEST(SparseRank, WithoutAGapIsNotClear) {
  const RevealedRank found = revealed_rank_by_qr(sparse_of({{0, 0, 1.0}, {1, 1, 3e-9}, {2, 2, 3e-10}}, 3, 3));
  EXPECT_FALSE(found.is_clear());
}

}  // namespace
}  // namespace driftless::linear
