#include "driftless/boundary/almost_block_diagonal.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace driftless::boundary {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}
  MatrixXd matrix(Index rows, Index cols) {
    MatrixXd m(rows, cols);
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j) m(i, j) = normal_(generator_);
    return m;
  }

 private:
  std::mt19937 generator_;
  std::normal_distribution<double> normal_;
};

struct Sample {
  AlmostBlockDiagonalMatrix matrix;
  AlmostBlockDiagonalVector right_side;
};

Sample random_sample(Random& random, Index states, Index at_start, int intervals) {
  Sample sample;
  sample.matrix.first = random.matrix(at_start, states);
  sample.matrix.last = random.matrix(states - at_start, states);
  sample.right_side.first = random.matrix(at_start, 1);
  sample.right_side.last = random.matrix(states - at_start, 1);
  for (int k = 0; k < intervals; ++k) {
    sample.matrix.left.push_back(random.matrix(states, states));
    sample.matrix.right.push_back(random.matrix(states, states));
    sample.right_side.inner.push_back(random.matrix(states, 1));
  }
  return sample;
}

// The same equations as one matrix.
VectorXd solved_as_a_whole(const Sample& sample) {
  const auto n = static_cast<Index>(sample.matrix.left.size());
  const Index states = sample.matrix.first.cols(), at_start = sample.matrix.first.rows();
  MatrixXd whole = MatrixXd::Zero(states * (n + 1), states * (n + 1));
  VectorXd b(states * (n + 1));
  whole.topLeftCorner(at_start, states) = sample.matrix.first;
  b.head(at_start) = sample.right_side.first;
  for (Index k = 0; k < n; ++k) {
    whole.block(at_start + k * states, k * states, states, states) = sample.matrix.left[static_cast<std::size_t>(k)];
    whole.block(at_start + k * states, (k + 1) * states, states, states) =
        sample.matrix.right[static_cast<std::size_t>(k)];
    b.segment(at_start + k * states, states) = sample.right_side.inner[static_cast<std::size_t>(k)];
  }
  whole.bottomRightCorner(states - at_start, states) = sample.matrix.last;
  b.tail(states - at_start) = sample.right_side.last;
  return whole.fullPivLu().solve(b);
}

TEST(AlmostBlockDiagonal, SolvesWhatAFullMatrixSolves) {
  Random random(1);
  for (Index states = 1; states <= 5; ++states)
    for (Index at_start = 0; at_start <= states; ++at_start)
      for (const int intervals : {1, 2, 7}) {
        const Sample sample = random_sample(random, states, at_start, intervals);
        AlmostBlockDiagonal blocks;
        ASSERT_TRUE(blocks.factorize(sample.matrix));
        const VectorXd expected = solved_as_a_whole(sample);
        const auto x = blocks.solve(sample.right_side);
        ASSERT_EQ(x.size(), static_cast<std::size_t>(intervals) + 1);
        for (std::size_t k = 0; k < x.size(); ++k)
          EXPECT_LT((x[k] - expected.segment(static_cast<Index>(k) * states, states)).norm(),
                    1e-9 * (1.0 + expected.norm()))
              << states << " states, " << at_start << " conditions at the start, " << intervals << " intervals";
      }
}

// One solution grows by 10 in every interval and one decays: over 60 intervals shooting would lose all digits.
TEST(AlmostBlockDiagonal, BearsGrowingAndDecayingSolutions) {
  constexpr int intervals = 60;
  MatrixXd turn(2, 2), transition = MatrixXd::Zero(2, 2);
  turn << std::cos(0.3), -std::sin(0.3), std::sin(0.3), std::cos(0.3);
  transition.diagonal() << 10.0, 0.1;
  Sample sample;
  sample.matrix.first = (VectorXd(2) << 1.0, 0.0).finished().transpose();
  sample.matrix.last = (VectorXd(2) << 0.0, 1.0).finished().transpose();
  for (int k = 0; k < intervals; ++k) {
    sample.matrix.left.push_back(-turn * transition * turn.transpose());
    sample.matrix.right.push_back(MatrixXd::Identity(2, 2));
  }
  std::vector<VectorXd> exact;
  Random random(2);
  for (int k = 0; k <= intervals; ++k) exact.emplace_back(random.matrix(2, 1));
  sample.right_side.first = sample.matrix.first * exact.front();
  sample.right_side.last = sample.matrix.last * exact.back();
  for (std::size_t k = 0; k < intervals; ++k)
    sample.right_side.inner.emplace_back(sample.matrix.left[k] * exact[k] + sample.matrix.right[k] * exact[k + 1]);
  AlmostBlockDiagonal blocks;
  ASSERT_TRUE(blocks.factorize(sample.matrix));
  const auto x = blocks.solve(sample.right_side);
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_LT((x[k] - exact[k]).norm(), 1e-13) << k;
}

// x'' + x = 0 over half a period: x at both ends does not determine the solution.
TEST(AlmostBlockDiagonal, SaysWhereTheConditionsDoNotDetermineASolution) {
  const double h = std::acos(-1.0) / 8;
  MatrixXd turn(2, 2);
  turn << std::cos(h), std::sin(h), -std::sin(h), std::cos(h);
  AlmostBlockDiagonalMatrix matrix;
  matrix.first = matrix.last = (VectorXd(2) << 1.0, 0.0).finished().transpose();
  for (int k = 0; k < 8; ++k) {
    matrix.left.emplace_back(-turn);
    matrix.right.emplace_back(MatrixXd::Identity(2, 2));
  }
  AlmostBlockDiagonal blocks;
  EXPECT_FALSE(blocks.factorize(matrix));
  EXPECT_LT(blocks.conditioning(), 1e-14);
  matrix.last = (VectorXd(2) << 0.0, 1.0).finished().transpose();
  EXPECT_TRUE(blocks.factorize(matrix));
}

}  // namespace
}  // namespace driftless::boundary
