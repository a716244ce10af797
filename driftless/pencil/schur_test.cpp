#include "driftless/pencil/schur.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/pencil/balance.hpp"
#include "driftless/pencil/sample_pencils.hpp"

namespace driftless::pencil {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

struct Parts {
  Pencil pencil;
  Staircase staircase;
};

Parts sample() {
  std::mt19937 random(12);
  Pencil p = direct_sum({finite_part(random_matrix(7, 7, random)), infinite_block(3), infinite_block(2)});
  p = balance(mixed(p, random)).pencil;
  Parts parts{p, find_staircase(p)};
  bring_to_schur_form(parts.staircase);
  return parts;
}

TEST(Staircase, IsAnOrthogonalTransformation) {
  const auto [p, s] = sample();
  const MatrixXd I = MatrixXd::Identity(12, 12);
  EXPECT_LT((s.left * s.left.transpose() - I).norm(), 1e-14 * 12);
  EXPECT_LT((s.right * s.right.transpose() - I).norm(), 1e-14 * 12);
  EXPECT_LT((s.left * p.A * s.right - s.A).norm(), 1e-13 * p.A.norm());
  EXPECT_LT((s.left * p.B * s.right - s.B).norm(), 1e-13 * p.B.norm());
}

TEST(Staircase, HasTheStepsOfTheBlocks) {
  EXPECT_THAT(sample().staircase.steps, testing::ElementsAre(2, 2, 1));
  EXPECT_THAT(block_sizes({2, 2, 1}), testing::ElementsAre(3, 2));
  EXPECT_THAT(block_sizes({4}), testing::ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(block_sizes({}), testing::IsEmpty());
}

TEST(Schur, FormIsTriangular) {
  const Staircase s = sample().staircase;
  ASSERT_EQ(s.finite, 7);
  for (Index i = 0; i < 12; ++i)
    for (Index j = 0; j < i; ++j) {
      EXPECT_EQ(s.B(i, j), 0.0) << i << " " << j;
      const bool within_block = i < 7 && i == j + 1;
      EXPECT_TRUE(within_block || s.A(i, j) == 0.0) << i << " " << j;
    }
  for (Index i = 1; i + 1 < 7; ++i)  // no two blocks of size 2 overlap
    EXPECT_TRUE(s.A(i, i - 1) == 0.0 || s.A(i + 1, i) == 0.0);
  for (Index i = 7; i < 12; ++i) EXPECT_EQ(s.B(i, i), 0.0);
}

TEST(Schur, DecouplingSolvesTheSylvesterEquations) {
  const Staircase s = sample().staircase;
  const auto [S, T] = decouple(s);
  const auto residual = [&](const MatrixXd& M) {
    const MatrixXd terms = M.topLeftCorner(7, 7) * T + M.topRightCorner(7, 5) + S * M.bottomRightCorner(5, 5);
    return terms.norm() / (M.norm() * (1 + S.norm() + T.norm()));
  };
  EXPECT_LT(residual(s.A), 1e-14);
  EXPECT_LT(residual(s.B), 1e-14);
  EXPECT_GT(S.norm(), 1e-3);
}

}  // namespace
}  // namespace driftless::pencil
