#include "driftless/linear/factorization.hpp"

#include <cmath>
#include <random>

#include <Eigen/Dense>

namespace driftless::linear {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Random = std::mt19937_64;

double uniform(Random& random, double from, double to) {
  return std::uniform_real_distribution<double>(from, to)(random);
}

// A matrix with a hidden transversal, rows scaled as those of a discretized system: by powers of a small step size.
MatrixXd random_matrix(Random& random, int n, double fill, bool badly_scaled) {
  MatrixXd matrix = MatrixXd::Zero(n, n);
  std::vector<int> transversal(n);
  for (int i = 0; i < n; ++i) transversal[i] = i;
  std::ranges::shuffle(transversal, random);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      if (uniform(random, 0.0, 1.0) < fill) matrix(i, j) = uniform(random, -1.0, 1.0);
    matrix(i, transversal[i]) = uniform(random, 1.0, 2.0) * (random() % 2 ? 1.0 : -1.0);
    if (badly_scaled) matrix.row(i) *= std::pow(10.0, 4.0 * static_cast<double>(random() % 4) - 8.0);
  }
  return matrix;
}

std::vector<Coordinate> coordinates_of(const MatrixXd& matrix) {
  std::vector<Coordinate> coordinates;
  for (int i = 0; i < matrix.rows(); ++i)
    for (int j = 0; j < matrix.cols(); ++j)
      if (matrix(i, j) != 0.0) coordinates.push_back({i, j});
  return coordinates;
}

std::vector<double> values_in(const Assembly& assembly, const std::vector<Coordinate>& coordinates,
                              const MatrixXd& matrix) {
  std::vector<double> values(assembly.pattern.rows.size(), 0.0);
  for (std::size_t k = 0; k < coordinates.size(); ++k)
    values[assembly.position[k]] = matrix(coordinates[k].row, coordinates[k].col);
  return values;
}

VectorXd random_vector(Random& random, int n) {
  VectorXd v(n);
  for (double& entry : v) entry = uniform(random, -1.0, 1.0);
  return v;
}

VectorXd solution(const Factorization& factorization, VectorXd b) {
  factorization.solve({b.data(), static_cast<std::size_t>(b.size())});
  return b;
}

class EveryFactorization : public testing::TestWithParam<bool> {
 protected:
  static std::unique_ptr<Factorization> make(const Pattern& pattern) {
    return GetParam() ? make_dense(pattern) : make_sparse(pattern);
  }

  // The error of the solution, row by row in units of what each row contributes: no row hides behind a larger one.
  static double backward_error(const MatrixXd& matrix, const VectorXd& x, const VectorXd& b) {
    const VectorXd residual = matrix * x - b, size = matrix.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs();
    return (residual.cwiseAbs().array() / size.array().max(1e-300)).maxCoeff();
  }
};

INSTANTIATE_TEST_SUITE_P(Linear, EveryFactorization, testing::Bool(),
                         [](const auto& backend) { return backend.param ? "Dense" : "Sparse"; });

TEST_P(EveryFactorization, SolvesBadlyScaledSystemsLikeFullPivoting) {
  Random random(1);
  for (int sample = 0; sample < 200; ++sample) {
    const int n = 1 + static_cast<int>(random() % 40);
    const MatrixXd matrix = random_matrix(random, n, 3.0 / n, true);
    const auto coordinates = coordinates_of(matrix);
    const Assembly assembly = assemble(n, coordinates);
    const auto factorization = make(assembly.pattern);
    // The oracle gets rows of equal size.
    const VectorXd scale = matrix.cwiseAbs().rowwise().maxCoeff().cwiseInverse();
    const Eigen::FullPivLU<MatrixXd> oracle(scale.asDiagonal() * matrix);
    if (oracle.rcond() < 1e-9) continue;
    ASSERT_TRUE(factorization->factorize(values_in(assembly, coordinates, matrix)));
    EXPECT_GT(factorization->pivot_ratio(), 0.0);
    const VectorXd b = matrix * random_vector(random, n);
    const VectorXd x = solution(*factorization, b);
    EXPECT_LT(backward_error(matrix, x, b), 1e-10);
    const VectorXd expected = oracle.solve(scale.cwiseProduct(b));
    EXPECT_LT((x - expected).norm(), 1e-14 / oracle.rcond() * (1.0 + expected.norm()) * n);
  }
}

// [I/h Gᵀ; G 0], as positions with multipliers give it: the multipliers have the unit 1/h, which does not affect
// regularity.
TEST_P(EveryFactorization, JudgesRegularityWithoutRegardToUnits) {
  Random random(11);
  const int n = 8, m = 3;
  MatrixXd matrix = MatrixXd::Zero(n + m, n + m);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) matrix(n + i, j) = matrix(j, n + i) = 1e-2 * uniform(random, -1.0, 1.0);
  matrix.topLeftCorner(n, n).setIdentity();
  const auto coordinates = coordinates_of(matrix);
  const Assembly assembly = assemble(n + m, coordinates);
  for (double h = 1.0; h > 1e-15; h *= 0.1) {
    matrix.topLeftCorner(n, n).diagonal().setConstant(1.0 / h);
    const auto factorization = make(assembly.pattern);
    ASSERT_TRUE(factorization->factorize(values_in(assembly, coordinates, matrix))) << "h = " << h;
    EXPECT_GT(factorization->pivot_ratio(), 1e-5) << "h = " << h;
    // The same constraint twice.
    MatrixXd singular = matrix;
    singular.row(n + 1) = singular.row(n);
    singular.col(n + 1) = singular.col(n);
    const bool regular = factorization->factorize(values_in(assembly, coordinates, singular));
    EXPECT_FALSE(regular && factorization->pivot_ratio() > 1e-14) << "h = " << h;
  }
}

// The pattern stays, the values change until the pivots of the first factorization are useless.
TEST_P(EveryFactorization, FactorizesAgainWhenPivotsGoBad) {
  Random random(2);
  for (int sample = 0; sample < 20; ++sample) {
    const int n = 30;
    const MatrixXd first = random_matrix(random, n, 0.15, false);
    const auto coordinates = coordinates_of(first);
    const Assembly assembly = assemble(n, coordinates);
    const auto factorization = make(assembly.pattern);
    MatrixXd matrix = first;
    for (int round = 0; round < 30; ++round) {
      if (Eigen::FullPivLU<MatrixXd>(matrix).rcond() > 1e-9) {
        ASSERT_TRUE(factorization->factorize(values_in(assembly, coordinates, matrix)));
        const VectorXd b = random_vector(random, n);
        EXPECT_LT(backward_error(matrix, solution(*factorization, b), b), 1e-7) << "round " << round;
      }
      // Some entries nearly vanish, others grow: which ones changes every round.
      for (const Coordinate& at : coordinates)
        matrix(at.row, at.col) = first(at.row, at.col) * std::pow(10.0, uniform(random, -6.0, 0.0));
    }
  }
}

TEST_P(EveryFactorization, RecoversFromSingularAndFromMissingValues) {
  const std::vector<Coordinate> full{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
  const Assembly assembly = assemble(3, full);
  const auto factorization = make(assembly.pattern);
  const auto values = [&](const MatrixXd& matrix) { return values_in(assembly, full, matrix); };
  MatrixXd regular(3, 3), singular(3, 3);
  regular << 2, 1, 0, 1, 3, 1, 0, 1, 4;
  singular << 1, 2, 3, 2, 4, 6, 1, 1, 1;
  const VectorXd b = VectorXd::LinSpaced(3, 1.0, 3.0);
  const auto solves = [&] { return backward_error(regular, solution(*factorization, b), b) < 1e-14; };
  EXPECT_FALSE(factorization->factorize(values(singular)));
  ASSERT_TRUE(factorization->factorize(values(regular)));
  EXPECT_TRUE(solves());
  EXPECT_FALSE(factorization->factorize(values(singular)));
  EXPECT_FALSE(factorization->factorize(values(singular)));
  ASSERT_TRUE(factorization->factorize(values(regular)));
  EXPECT_TRUE(solves());
  EXPECT_FALSE(factorization->factorize(values(MatrixXd::Zero(3, 3))));
  // Whatever entry is missing, it is noticed.
  for (const double missing : {std::nan(""), HUGE_VAL, -HUGE_VAL})
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        MatrixXd matrix = regular;
        matrix(i, j) = missing;
        EXPECT_FALSE(factorization->factorize(values(matrix))) << missing << " at " << i << ", " << j;
      }
  ASSERT_TRUE(factorization->factorize(values(regular)));
  EXPECT_TRUE(solves());
}

TEST_P(EveryFactorization, RefusesStructurallySingularPatterns) {
  const std::vector<Coordinate> empty_column{{0, 0}, {1, 0}, {2, 0}, {2, 1}};
  const Assembly assembly = assemble(3, empty_column);
  const std::vector<double> values(assembly.pattern.rows.size(), 1.0);
  EXPECT_FALSE(make(assembly.pattern)->factorize(values));
  EXPECT_FALSE(make(assembly.pattern)->factorize(values));
}

TEST_P(EveryFactorization, SolvesNothingFromNothing) {
  const auto factorization = make(assemble(0, {}).pattern);
  EXPECT_TRUE(factorization->factorize({}));
  factorization->solve({});
}

TEST(Assemble, SortsByColumnsAndSharesDuplicates) {
  const std::vector<Coordinate> coordinates{{2, 1}, {0, 0}, {1, 1}, {2, 1}, {0, 2}, {0, 0}};
  const Assembly assembly = assemble(3, coordinates);
  EXPECT_EQ(assembly.pattern.size, 3);
  EXPECT_EQ(assembly.pattern.starts, (std::vector<int>{0, 1, 3, 4}));
  EXPECT_EQ(assembly.pattern.rows, (std::vector<int>{0, 1, 2, 0}));
  EXPECT_EQ(assembly.position, (std::vector<int>{2, 0, 1, 2, 3, 0}));
}

TEST(Assemble, KeepsEveryCoordinateAtItsPlace) {
  Random random(3);
  for (int sample = 0; sample < 200; ++sample) {
    const int n = 1 + static_cast<int>(random() % 12);
    std::vector<Coordinate> coordinates(random() % 40);
    for (Coordinate& at : coordinates) at = {static_cast<int>(random() % n), static_cast<int>(random() % n)};
    const Assembly assembly = assemble(n, coordinates);
    ASSERT_EQ(assembly.pattern.starts.size(), static_cast<std::size_t>(n) + 1);
    std::vector<int> hits(assembly.pattern.rows.size(), 0);
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      const int position = assembly.position[k];
      EXPECT_EQ(assembly.pattern.rows[position], coordinates[k].row);
      EXPECT_LE(assembly.pattern.starts[coordinates[k].col], position);
      EXPECT_GT(assembly.pattern.starts[coordinates[k].col + 1], position);
      ++hits[position];
    }
    EXPECT_THAT(hits, testing::Each(testing::Gt(0)));
    for (int j = 0; j < n; ++j)
      for (int k = assembly.pattern.starts[j] + 1; k < assembly.pattern.starts[j + 1]; ++k)
        EXPECT_LT(assembly.pattern.rows[k - 1], assembly.pattern.rows[k]);
  }
}

}  // namespace
}  // namespace driftless::linear
