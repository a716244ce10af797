#include "driftless/linear/generalized_inverse.hpp"

#include <random>

#include <gtest/gtest.h>

namespace driftless::linear {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(Eigen::Index rows, Eigen::Index cols, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> draw;
  MatrixXd a(rows, cols);
  for (double& v : a.reshaped()) v = draw(random);
  return a;
}

struct Sample {
  MatrixXd a1 = random_matrix(9, 9, 1) + 4.0 * MatrixXd::Identity(9, 9), a2 = random_matrix(3, 9, 2);
  MatrixXd stack() const {
    MatrixXd a(12, 9);
    a << a1, a2;
    return a;
  }
};

// Relative to the size of the second.
double distance(const MatrixXd& a, const MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff() / std::max(1.0, b.cwiseAbs().maxCoeff());
}

TEST(GeneralizedInverse, KernelIsOrthonormal) {
  const Sample s;
  const MatrixXd v = kernel_of(s.a2);
  ASSERT_EQ(v.cols(), 6);
  EXPECT_LT((s.a2 * v).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT(distance(v.transpose() * v, MatrixXd::Identity(6, 6)), 1e-13);
}

// M15: the forms with V, with Q = A2 A1^-1 A2^T, and with the border are the same matrix, whatever V.
TEST(GeneralizedInverse, SsfFormsAreEqual) {
  const Sample s;
  const MatrixXd bordered = ssf_inverse_bordered(s.a1, s.a2), v = kernel_of(s.a2);
  EXPECT_LT(distance(ssf_inverse(s.a1, s.a2, v), bordered), 1e-12);
  EXPECT_LT(distance(ssf_inverse(s.a1, s.a2, v * random_matrix(6, 6, 3)), bordered), 1e-11);

  const MatrixXd a1_inverse = s.a1.inverse(), q = s.a2 * a1_inverse * s.a2.transpose();
  MatrixXd with_q(9, 12);
  with_q << a1_inverse * (MatrixXd::Identity(9, 9) - s.a2.transpose() * q.inverse() * s.a2 * a1_inverse),
      a1_inverse * s.a2.transpose() * q.inverse();
  EXPECT_LT(distance(with_q, bordered), 1e-12);
}

// M25: positions and velocities one after the other, the same inverse.
TEST(GeneralizedInverse, KernelByStagesIsTheKernel) {
  const MatrixXd g = random_matrix(2, 4, 7), l = random_matrix(2, 4, 8);
  MatrixXd a2 = MatrixXd::Zero(4, 11);  // unknowns: velocities, three algebraic ones, positions
  a2.block(0, 7, 2, 4) = g;
  a2.block(2, 7, 2, 4) = l;
  a2.block(2, 0, 2, 4) = g;
  const std::vector<int> rows{-2, -2, -1, -1}, columns{-1, -1, -1, -1, 0, 0, 0, -2, -2, -2, -2};
  const MatrixXd v = kernel_by_stages(a2, rows, columns), a1 = random_matrix(11, 11, 9);
  ASSERT_EQ(v.cols(), 7);
  EXPECT_EQ(v.colPivHouseholderQr().rank(), 7);
  EXPECT_LT((a2 * v).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(distance(ssf_inverse(a1, a2, v), ssf_inverse_bordered(a1, a2)), 1e-11);
}

// M21: A2 x = a2, and A1 x - a1 is in the range of A2^T.
TEST(GeneralizedInverse, SsfIsCharacterizedByItsResidual) {
  const Sample s;
  const VectorXd a = random_matrix(12, 1, 4);
  const VectorXd x = ssf_inverse_bordered(s.a1, s.a2) * a, residual = s.a1 * x - a.head(9);
  EXPECT_LT((s.a2 * x - a.tail(3)).norm(), 1e-13);
  EXPECT_LT((kernel_of(s.a2).transpose() * residual).norm(), 1e-12);
  EXPECT_GT(residual.norm(), 0.1);
  // The other two do not have this property.
  const VectorXd other = s.a1 * (constrained_least_squares(s.a1, s.a2) * a) - a.head(9);
  EXPECT_GT((kernel_of(s.a2).transpose() * other).norm(), 0.1);
}

// M22: conditions 1, 2 and 4 of Penrose, not 3.
TEST(GeneralizedInverse, SsfIsAOneTwoFourInverse) {
  const Sample s;
  const MatrixXd a = s.stack(), g = ssf_inverse_bordered(s.a1, s.a2);
  EXPECT_LT(distance(a * g * a, a), 1e-11);
  EXPECT_LT(distance(g * a * g, g), 1e-11);
  EXPECT_LT(distance((g * a).transpose(), g * a), 1e-11);
  EXPECT_GT(distance((a * g).transpose(), a * g), 0.1);
}

TEST(GeneralizedInverse, AllSolveConsistentSystemsAndOnlyMoorePenroseViolatesTheConstraint) {
  const Sample s;
  const VectorXd exact = random_matrix(9, 1, 5), a = random_matrix(12, 1, 6);
  for (const MatrixXd& g : {ssf_inverse_bordered(s.a1, s.a2), constrained_least_squares(s.a1, s.a2)}) {
    EXPECT_LT((g * (s.stack() * exact) - exact).norm(), 1e-11);
    EXPECT_LT((s.a2 * (g * a) - a.tail(3)).norm(), 1e-12);
  }
  const MatrixXd g = moore_penrose(s.a1, s.a2);
  EXPECT_LT((g * (s.stack() * exact) - exact).norm(), 1e-11);
  EXPECT_GT((s.a2 * (g * a) - a.tail(3)).norm(), 0.01);
  // Each minimizes what it says.
  const VectorXd least = constrained_least_squares(s.a1, s.a2) * a, ssf = ssf_inverse_bordered(s.a1, s.a2) * a;
  EXPECT_LT((s.a1 * least - a.head(9)).norm(), (s.a1 * ssf - a.head(9)).norm());
  EXPECT_LT((s.stack() * (g * a) - a).norm(), (s.stack() * least - a).norm());
}

}  // namespace
}  // namespace driftless::linear
