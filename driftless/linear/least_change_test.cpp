#include "driftless/linear/least_change.hpp"

#include <random>

#include <Eigen/Dense>

namespace driftless::linear {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Random = std::mt19937_64;

// rows x cols of the given rank: a product of two sparse factors, so that the matrix is sparse too.
MatrixXd random_matrix(Random& random, int rows, int cols, int rank) {
  const auto factor = [&](int m, int n) {
    MatrixXd f = MatrixXd::Zero(m, n);
    std::uniform_real_distribution<double> value(-0.5, 0.5);  // small beside the diagonal: well conditioned
    for (int i = 0; i < m; ++i)
      for (int k = 0; k < 3 && n > 0; ++k) f(i, static_cast<int>(random() % n)) = value(random);
    for (int k = 0; k < std::min(m, n); ++k) f(k, k) = 2.0;
    return f;
  };
  return factor(rows, rank) * factor(cols, rank).transpose();
}

VectorXd random_vector(Random& random, int n) {
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  VectorXd v(n);
  for (double& entry : v) entry = value(random);
  return v;
}

// The two conditions that characterize the smallest least-squares solution: Aᵀ(A x - b) = 0, and x in the range of Aᵀ.
void expect_least_change(const MatrixXd& a, const VectorXd& x, const VectorXd& b, double tolerance = 1e-9) {
  ASSERT_EQ(x.size(), a.cols());
  const double size = a.norm() * (a.norm() * x.norm() + b.norm()) + 1e-300;
  EXPECT_LT((a.transpose() * (a * x - b)).norm() / size, 1e-12);
  const VectorXd from_rows = a.transpose() * Eigen::CompleteOrthogonalDecomposition<MatrixXd>(a.transpose()).solve(x);
  EXPECT_LT((from_rows - x).norm(), tolerance * (1.0 + x.norm()));
}

struct Shape {
  int rows, cols, rank;
};

// The larger ones are solved by sparse QR.
class LeastChangeOfShape : public testing::TestWithParam<Shape> {};

INSTANTIATE_TEST_SUITE_P(Shapes, LeastChangeOfShape,
                         testing::Values(Shape{5, 9, 5}, Shape{9, 9, 9}, Shape{12, 7, 7}, Shape{10, 14, 6},
                                         Shape{14, 10, 6}, Shape{8, 8, 0}, Shape{180, 240, 180}, Shape{200, 200, 200},
                                         Shape{260, 190, 190}, Shape{180, 220, 150}, Shape{230, 170, 140},
                                         Shape{200, 200, 199}, Shape{200, 190, 1}, Shape{170, 170, 0}),
                         [](const auto& shape) {
                           return std::to_string(shape.param.rows) + "x" + std::to_string(shape.param.cols) + "OfRank" +
                                  std::to_string(shape.param.rank);
                         });

TEST_P(LeastChangeOfShape, IsSmallestForConsistentSystems) {
  const auto [rows, cols, rank] = GetParam();
  Random random(1);
  for (int sample = 0; sample < 3; ++sample) {
    const MatrixXd a = random_matrix(random, rows, cols, rank);
    const LeastChange least(a.sparseView());
    const VectorXd b = a * random_vector(random, cols), x = least.solve(b);
    EXPECT_LT((a * x - b).norm(), 1e-11 * (1.0 + b.norm()));
    expect_least_change(a, x, b);
  }
}

TEST_P(LeastChangeOfShape, IsLeastSquaresForInconsistentOnes) {
  const auto [rows, cols, rank] = GetParam();
  Random random(2);
  for (int sample = 0; sample < 3; ++sample) {
    const MatrixXd a = random_matrix(random, rows, cols, rank);
    const VectorXd b = random_vector(random, rows);
    expect_least_change(a, LeastChange(a.sparseView()).solve(b), b, 1e-5);
  }
}

// An independent block makes the matrix large: the solution of the small part stays the same.
TEST(LeastChange, IsTheSameOnBothWays) {
  Random random(3);
  for (const Shape shape : {Shape{6, 9, 6}, Shape{9, 6, 6}, Shape{8, 9, 5}, Shape{9, 8, 5}}) {
    const MatrixXd small = random_matrix(random, shape.rows, shape.cols, shape.rank);
    const int more = 200;
    MatrixXd large = MatrixXd::Identity(shape.rows + more, shape.cols + more);
    large.topLeftCorner(shape.rows, shape.cols + more).setZero();
    large.topLeftCorner(shape.rows + more, shape.cols).setZero();
    large.topLeftCorner(shape.rows, shape.cols) = small;
    large.bottomRightCorner(more, more).setIdentity();
    VectorXd b = random_vector(random, shape.rows + more);
    const VectorXd x = LeastChange(large.sparseView()).solve(b);
    const VectorXd expected = LeastChange(small.sparseView()).solve(b.head(shape.rows));
    EXPECT_LT((x.head(shape.cols) - expected).norm(), 1e-5 * (1.0 + expected.norm()));
    EXPECT_LT((x.tail(more) - b.tail(more)).norm(), 1e-10);
  }
}

TEST(LeastChange, EmptyShapes) {
  const LeastChange no_rows(Eigen::SparseMatrix<double>(0, 4)), no_columns(Eigen::SparseMatrix<double>(4, 0));
  EXPECT_EQ(no_rows.solve(VectorXd(0)), VectorXd::Zero(4));
  EXPECT_EQ(no_columns.solve(VectorXd::Ones(4)).size(), 0);
}

}  // namespace
}  // namespace driftless::linear
