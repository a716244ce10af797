#include "driftless/linear/generalized_inverse.hpp"

#include <algorithm>
#include <random>

#include <Eigen/Dense>
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

// Unknowns of three levels of `n`, constraints of three levels of `m` on them, and algebraic unknowns.
struct Levels {
  explicit Levels(int n, int m, int algebraic) : a2(MatrixXd::Zero(3 * m, 3 * n + algebraic)) {
    const MatrixXd g = random_matrix(m, n, 7);
    for (int level = 0; level < 3; ++level) {
      for (int below = 0; below < level; ++below)
        a2.block(level * m, below * n, m, n) = 0.3 * random_matrix(m, n, static_cast<unsigned>(8 + 3 * level + below));
      a2.block(level * m, level * n, m, n) = g;
      rows.insert(rows.end(), static_cast<std::size_t>(m), level - 2);
      columns.insert(columns.end(), static_cast<std::size_t>(n), level - 2);
    }
    columns.insert(columns.end(), static_cast<std::size_t>(algebraic), 0);
    a1 = random_matrix(a2.cols(), a2.cols(), 9) + 10.0 * MatrixXd::Identity(a2.cols(), a2.cols());
  }
  MatrixXd a1, a2;
  std::vector<int> rows, columns;
};

// M25: levels one after the other, the same inverse.
TEST(GeneralizedInverse, ByStagesIsTheSame) {
  const Levels sample(4, 2, 3);
  const auto [v, p] = by_stages(sample.a2, sample.rows, sample.columns);
  ASSERT_EQ(v.cols(), 9);
  EXPECT_EQ(v.colPivHouseholderQr().rank(), 9);
  EXPECT_LT((sample.a2 * v).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(distance(sample.a2 * p, MatrixXd::Identity(6, 6)), 1e-12);
  EXPECT_LT(distance(ssf_inverse(sample.a1, {v, p}), ssf_inverse_bordered(sample.a1, sample.a2)), 1e-11);
}

// M25: Newton's iteration with it takes the same steps as with the whole matrix, for nonlinear constraints of three
// levels and equations that are solved as far as the constraints allow.
TEST(GeneralizedInverse, ByStagesGivesTheIteratesOfTheWholeMatrix) {
  const Levels sample(4, 2, 3);
  const Eigen::Index n = sample.a2.cols();
  const auto residual = [&](const VectorXd& x) {
    VectorXd r(n + 6);
    r << sample.a1 * x + 0.1 * x.array().square().matrix() - VectorXd::Ones(n), sample.a2 * x.array().sin().matrix();
    return r;
  };
  const auto iterate = [&](bool decoupled) {
    std::vector<VectorXd> iterates{VectorXd::Constant(n, 0.1)};
    for (int k = 0; k < 6; ++k) {
      const VectorXd& x = iterates.back();
      MatrixXd a1 = sample.a1;
      a1.diagonal() += 0.2 * x;
      const MatrixXd a2 = sample.a2 * x.array().cos().matrix().asDiagonal();
      const MatrixXd g =
          decoupled ? ssf_inverse(a1, by_stages(a2, sample.rows, sample.columns)) : ssf_inverse_bordered(a1, a2);
      iterates.push_back(x - g * residual(x));
    }
    return iterates;
  };
  const auto by_levels = iterate(true), whole = iterate(false);
  for (std::size_t k = 0; k < whole.size(); ++k) EXPECT_LT(distance(by_levels[k], whole[k]), 1e-11) << k;
  EXPECT_LT((whole[6] - whole[5]).norm(), 1e-3 * (whole[1] - whole[0]).norm()) << "an iteration that converges";
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
  // Each minimizes its functional.
  const VectorXd least = constrained_least_squares(s.a1, s.a2) * a, ssf = ssf_inverse_bordered(s.a1, s.a2) * a;
  EXPECT_LT((s.a1 * least - a.head(9)).norm(), (s.a1 * ssf - a.head(9)).norm());
  EXPECT_LT((s.stack() * (g * a) - a).norm(), (s.stack() * least - a).norm());
}

}  // namespace
}  // namespace driftless::linear
