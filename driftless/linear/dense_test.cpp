#include "driftless/linear/dense.hpp"

#include <random>

#include <gtest/gtest.h>

#include "driftless/linear/eigenvalues.hpp"
#include "driftless/linear/svd.hpp"

namespace driftless::linear {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(Index rows, Index cols, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> entry(-1.0, 1.0);
  return MatrixXd::NullaryExpr(rows, cols, [&] { return entry(random); });
}

constexpr double rounding = 1e-12;

TEST(Dense, LuSolvesAndKnowsTheDeterminant) {
  const MatrixXd a = random_matrix(7, 7, 1), b = random_matrix(7, 3, 2);
  const Lu lu(a);
  EXPECT_LT((a * lu.solve(b) - b).norm(), rounding);
  EXPECT_LT((a * lu.solve(VectorXd(b.col(0))) - b.col(0)).norm(), rounding);
  EXPECT_LT((a * lu.inverse() - MatrixXd::Identity(7, 7)).norm(), rounding);
  EXPECT_EQ(lu.sign(), lu.determinant() > 0.0 ? 1 : -1);
  MatrixXd exchanged = a;
  exchanged.row(0).swap(exchanged.row(4));
  EXPECT_EQ(Lu(exchanged).sign(), -lu.sign());
  EXPECT_NEAR(Lu(exchanged).determinant(), -lu.determinant(), rounding);
  EXPECT_NEAR(Lu(1e-3 * MatrixXd::Identity(2, 2)).determinant(), 1e-6, 1e-18);
  EXPECT_NEAR(Lu(MatrixXd::Identity(4, 4)).reciprocal_condition_number(), 1.0, rounding);
}

TEST(Dense, FullLuRevealsRankAndKernel) {
  const MatrixXd a = random_matrix(5, 3, 3) * random_matrix(3, 6, 4);
  const FullLu lu(a);
  EXPECT_EQ(lu.rank(), 3);
  EXPECT_FALSE(lu.is_regular());
  EXPECT_EQ(lu.kernel().cols(), 3);
  EXPECT_LT((a * lu.kernel()).norm(), rounding);
  const FullLu regular(random_matrix(4, 4, 5));
  EXPECT_TRUE(regular.is_regular());
  EXPECT_EQ(regular.kernel().cols(), 0);
  const MatrixXd nearly =
      VectorXd(VectorXd::Ones(2) + 1e-6 * VectorXd::Unit(2, 0)).asDiagonal() * MatrixXd::Ones(2, 2) +
      MatrixXd(1e-6 * MatrixXd::Identity(2, 2));
  EXPECT_EQ(FullLu(nearly).rank(), 2);
  EXPECT_EQ(FullLu(nearly, 1e-3).rank(), 1);
}

TEST(Dense, QrHasAnOrthogonalAndATriangularFactor) {
  const MatrixXd a = random_matrix(6, 4, 6);
  const Qr qr(a);
  const MatrixXd q = qr.q();
  EXPECT_LT((q.transpose() * q - MatrixXd::Identity(6, 6)).norm(), rounding);
  EXPECT_LT((q.leftCols(4) * qr.triangle() - a).norm(), rounding);
  EXPECT_LT((qr.transposed_q_times(a) - q.transpose() * a).norm(), rounding);
  const VectorXd x = random_matrix(4, 1, 7).col(0), b = a * x;
  EXPECT_LT((qr.solve(b) - x).norm(), rounding);
  EXPECT_LT((qr.solve_triangle(qr.triangle() * x) - x).norm(), rounding);
  EXPECT_LT((qr.transposed_q_times(b) - q.transpose() * b).norm(), rounding);
}

TEST(Dense, PivotedQrTakesTheLargestColumnsFirst) {
  MatrixXd a = random_matrix(6, 3, 8) * random_matrix(3, 5, 9);
  a.col(3) *= 100.0;
  const PivotedQr qr(a);
  EXPECT_EQ(qr.column(0), 3);
  EXPECT_EQ(qr.rank(), 3);
  EXPECT_TRUE(qr.has_rank(3, 1e-10));
  EXPECT_FALSE(qr.has_rank(4, 1e-10));
  EXPECT_FALSE(qr.has_rank(6, 0.0));
  EXPECT_TRUE(qr.has_rank(0, 1e-10));
  EXPECT_NEAR(qr.pivot(0), a.col(3).norm(), 1e-10);
  EXPECT_EQ(PivotedQr(a, 0.5).rank(), 1);
  MatrixXd in_order(6, 3);
  for (Index k = 0; k < 3; ++k) in_order.col(k) = a.col(qr.column(k));
  const VectorXd right = random_matrix(6, 1, 10).col(0), x = qr.solve_triangle(qr.transposed_q_times(right).head(3));
  EXPECT_LT((in_order.transpose() * (in_order * x - right)).norm(), 1e-9);
  EXPECT_LT((qr.q() * qr.transposed_q_times(a) - a).norm(), 1e-10);
}

TEST(Dense, CompleteQrGivesTheShortestSolution) {
  const MatrixXd a = random_matrix(5, 2, 11) * random_matrix(2, 6, 12);
  const VectorXd b = random_matrix(5, 1, 13).col(0), x = CompleteQr(a).solve(b);
  EXPECT_LT((a.transpose() * (a * x - b)).norm(), 1e-10);
  EXPECT_LT((FullLu(a).kernel().transpose() * x).norm(), 1e-10);  // nothing of it in the kernel
  EXPECT_LT((CompleteQr(a).pseudo_inverse() * b - x).norm(), 1e-10);
}

TEST(Dense, EigenvaluesOfAPairHaveConjugateVectors) {
  MatrixXd a(3, 3);
  a << 0.0, -2.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 5.0;
  const auto system = eigensystem(a);
  ASSERT_TRUE(system);
  EXPECT_LT((a * system->vectors - system->vectors * system->values.asDiagonal()).norm(), rounding);
  EXPECT_LT((inverse(system->vectors) * system->vectors - Eigen::MatrixXcd::Identity(3, 3)).norm(), rounding);
  const auto values = eigenvalues(a);
  ASSERT_TRUE(values);
  EXPECT_NEAR(values->sum().real(), 5.0, rounding);
  EXPECT_NEAR(values->cwiseAbs().minCoeff(), 2.0, rounding);
  const MatrixXd symmetric = a + a.transpose();
  EXPECT_LT((symmetric_eigenvalues(symmetric) - Eigen::Vector3d(0.0, 0.0, 10.0)).norm(), rounding);
}

TEST(Svd, OfWhatIsNoNumberIsNoNumber) {
  EXPECT_TRUE(singular_values(MatrixXd::Constant(3, 2, std::nan(""))).hasNaN());
  EXPECT_EQ(svd(MatrixXd(0, 3)).V, MatrixXd::Identity(3, 3));
}

}  // namespace
}  // namespace driftless::linear
