#include "driftless/linear/complex_factorization.hpp"

#include <cmath>
#include <random>

#include <Eigen/Dense>

namespace driftless::linear {
namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::VectorXcd;
using Random = std::mt19937_64;

double uniform(Random& random, double from, double to) {
  return std::uniform_real_distribution<double>(from, to)(random);
}

Complex number(Random& random) { return {uniform(random, -1.0, 1.0), uniform(random, -1.0, 1.0)}; }

struct Sample {
  MatrixXcd matrix;
  Pattern pattern;
  std::vector<Complex> values;
};

// With a hidden transversal and rows of different sizes, as those of a discretized system.
Sample random_sample(Random& random, int n, double fill) {
  Sample sample{MatrixXcd::Zero(n, n), {}, {}};
  std::vector<int> transversal(n);
  for (int i = 0; i < n; ++i) transversal[i] = i;
  std::ranges::shuffle(transversal, random);
  std::vector<Coordinate> coordinates;
  for (int i = 0; i < n; ++i) {
    const double size = std::pow(10.0, 4.0 * static_cast<double>(random() % 4) - 8.0);
    for (int j = 0; j < n; ++j) {
      if (j != transversal[i] && uniform(random, 0.0, 1.0) >= fill) continue;
      sample.matrix(i, j) = size * number(random) + (j == transversal[i] ? 2.0 * size : 0.0);
      coordinates.push_back({i, j});
    }
  }
  const Assembly assembly = assemble(n, coordinates);
  sample.pattern = assembly.pattern;
  sample.values.resize(coordinates.size());
  for (std::size_t k = 0; k < coordinates.size(); ++k)
    sample.values[assembly.position[k]] = sample.matrix(coordinates[k].row, coordinates[k].col);
  return sample;
}

class EveryComplexFactorization : public testing::TestWithParam<bool> {
 protected:
  static std::unique_ptr<ComplexFactorization> make(const Pattern& pattern) {
    return GetParam() ? make_complex_dense(pattern) : make_complex_sparse(pattern);
  }

  // The error of the solution, row by row in units of what each row contributes.
  static double backward_error(const MatrixXcd& matrix, const VectorXcd& x, const VectorXcd& b) {
    const Eigen::VectorXd size = matrix.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs();
    return ((matrix * x - b).cwiseAbs().array() / size.array().max(1e-300)).maxCoeff();
  }

  static VectorXcd solution(const ComplexFactorization& factorization, const VectorXcd& b) {
    std::vector<double> re(b.size()), im(b.size());
    for (Eigen::Index i = 0; i < b.size(); ++i) re[i] = b[i].real(), im[i] = b[i].imag();
    factorization.solve(re, im);
    return VectorXcd::NullaryExpr(b.size(), [&](Eigen::Index i) { return Complex(re[i], im[i]); });
  }
};

INSTANTIATE_TEST_SUITE_P(Linear, EveryComplexFactorization, testing::Bool(),
                         [](const auto& backend) { return backend.param ? "Dense" : "Sparse"; });

TEST_P(EveryComplexFactorization, SolvesBadlyScaledSystems) {
  Random random(1);
  int solved = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + static_cast<int>(random() % 40);
    const Sample sample = random_sample(random, n, 3.0 / n);
    // The oracle gets rows of equal size.
    const Eigen::VectorXd scale = sample.matrix.cwiseAbs().rowwise().maxCoeff().cwiseInverse();
    if (Eigen::FullPivLU<MatrixXcd>(scale.asDiagonal() * sample.matrix).rcond() < 1e-9) continue;
    const auto factorization = make(sample.pattern);
    ASSERT_TRUE(factorization->factorize(sample.values));
    const VectorXcd b = sample.matrix * VectorXcd::NullaryExpr(n, [&](Eigen::Index) { return number(random); });
    EXPECT_LT(backward_error(sample.matrix, solution(*factorization, b), b), 1e-12) << "n = " << n;
    ++solved;
  }
  EXPECT_GT(solved, 150);
}

// The pivots of the first matrix are poor for the second: they are chosen again.
TEST_P(EveryComplexFactorization, FollowsMatricesWhosePivotsChange) {
  const std::vector<Coordinate> full{{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  const Assembly assembly = assemble(2, full);
  const auto factorization = make(assembly.pattern);
  const auto check = [&](Complex a, Complex b, Complex c, Complex d) {
    MatrixXcd matrix(2, 2);
    matrix << a, c, b, d;
    ASSERT_TRUE(factorization->factorize(std::vector<Complex>{a, b, c, d}));
    const VectorXcd right = VectorXcd::Ones(2);
    EXPECT_LT(backward_error(matrix, solution(*factorization, right), right), 1e-13);
  };
  check({1.0, 1.0}, 0.5, 0.5, {1.0, -1.0});
  check({1e-18, 0.0}, {0.0, 1.0}, 1.0, 1.0);
  check({0.0, 1.0}, 1e-18, 1.0, 1.0);
}

TEST_P(EveryComplexFactorization, RefusesWhatIsSingularOrNotFinite) {
  const std::vector<Coordinate> full{{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  const Assembly assembly = assemble(2, full);
  const auto factorization = make(assembly.pattern);
  const Complex i(0.0, 1.0);
  EXPECT_FALSE(factorization->factorize(std::vector<Complex>{1.0, i, i, -1.0}));
  EXPECT_FALSE(factorization->factorize(std::vector<Complex>{1.0, NAN, 0.0, 1.0}));
  EXPECT_TRUE(factorization->factorize(std::vector<Complex>{1.0, i, i, 1.0}));
}

}  // namespace
}  // namespace driftless::linear
