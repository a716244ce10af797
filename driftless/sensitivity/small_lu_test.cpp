#include "driftless/sensitivity/small_lu.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace driftless::sensitivity {
namespace {

// Rows of very different size, many zeros: as the equations of a model are.
TEST(SmallLu, SolvesAsAFullFactorizationDoes) {
  std::mt19937 engine(11);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  for (int trial = 0; trial < 300; ++trial) {
    const Eigen::Index n = 1 + trial % 12;
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n), exact(n, 3);
    for (Eigen::Index i = 0; i < n; ++i) {
      const double size = std::pow(10.0, 6.0 * value(engine));
      for (Eigen::Index j = 0; j < n; ++j)
        if (i == (j + trial) % n || value(engine) > 0.2)
          matrix(i, j) = size * (value(engine) + (i == (j + trial) % n ? 3.0 : 0.0));
      for (Eigen::Index k = 0; k < 3; ++k) exact(i, k) = value(engine);
    }
    Eigen::MatrixXd right = matrix * exact;
    SmallLu lu;
    lu.matrix() = matrix;
    ASSERT_TRUE(lu.factorize());
    lu.solve(right);
    EXPECT_LT((right - exact).cwiseAbs().maxCoeff(), 1e-10) << trial;
  }
}

TEST(SmallLu, RefusesSingularMatrices) {
  for (const double last : {4.0, std::nan("")}) {
    SmallLu lu;
    lu.matrix() = Eigen::Matrix2d{{1, 2}, {2, last}};
    EXPECT_FALSE(lu.factorize()) << last;
  }
  SmallLu lu;
  lu.matrix() = Eigen::Matrix2d{{1, 2}, {0, 0}};
  EXPECT_FALSE(lu.factorize());
}

}  // namespace
}  // namespace driftless::sensitivity
