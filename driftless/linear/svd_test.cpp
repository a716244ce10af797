#include "driftless/linear/svd.hpp"

#include <random>

#include <Eigen/SVD>
#include <gtest/gtest.h>

namespace driftless::linear {
namespace {

// Unit entries, a few more, and rows that are copies of others: many singular values coincide, many vanish.
Eigen::MatrixXd with_copied_rows(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](Eigen::Index n) { return static_cast<Eigen::Index>(random() % static_cast<unsigned>(n)); };
  const Eigen::Index n = 20 + seed % 80, m = n + seed % 20;
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, m);
  for (Eigen::Index i = 0; i < n; ++i) {
    a(i, i) = 1.0;
    if (below(3) == 0) a(i, below(m)) += below(2) == 0 ? 0.5 : static_cast<double>(below(1000)) / 500.0 - 1.0;
  }
  for (Eigen::Index k = 0; k < n / 4; ++k) {
    const Eigen::Index i = below(n), j = below(n);
    if (i != j) a.row(i) = a.row(j).eval();
  }
  return a;
}

TEST(Svd, IsThatOfJacobiWhereManyValuesCoincide) {
  for (unsigned seed = 1; seed <= 80; ++seed) {
    const Eigen::MatrixXd a = with_copied_rows(seed);
    const Eigen::VectorXd values = Eigen::JacobiSVD<Eigen::MatrixXd>(a).singularValues();
    EXPECT_LT((singular_values(a) - values).cwiseAbs().maxCoeff(), 1e-12 * values[0]) << seed;
    const Svd parts = svd(a);
    EXPECT_LT((parts.values - values).cwiseAbs().maxCoeff(), 1e-12 * values[0]) << seed;
    ASSERT_EQ(parts.U.cols(), a.rows());
    ASSERT_EQ(parts.V.cols(), a.cols());
    const Eigen::Index k = values.size();
    EXPECT_LT((parts.U.leftCols(k) * parts.values.asDiagonal() * parts.V.leftCols(k).transpose() - a).norm(), 1e-11)
        << seed;
  }
}

}  // namespace
}  // namespace driftless::linear
