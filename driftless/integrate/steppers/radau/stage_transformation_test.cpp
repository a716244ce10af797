#include "driftless/integrate/steppers/radau/stage_transformation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <Eigen/Dense>

#include "driftless/integrate/steppers/runge_kutta/stages.hpp"

namespace driftless {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix square(const std::vector<double>& values) {
  const auto s = static_cast<Eigen::Index>(std::lround(std::sqrt(static_cast<double>(values.size()))));
  return Eigen::Map<const Matrix>(values.data(), s, s);
}

std::vector<Tableau> regular_tableaus() {
  std::vector<Tableau> all;
  for (int s = 1; s <= 7; ++s) all.push_back(radau_iia(s));
  for (int s = 1; s <= 5; ++s) all.push_back(gauss(s));
  for (int s = 2; s <= 4; ++s) all.push_back(lobatto_iiic(s));
  return all;
}

// A^-1 from_parts = from_parts times blocks [mu] and [re im; -im re], which act on the parts (Re W, Im W).
TEST(StageTransformation, MakesTheInverseDiagonal) {
  for (const Tableau& tableau : regular_tableaus()) {
    const std::vector<double> inverse = inverse_matrix(tableau);
    const StageTransformation t = diagonalize(inverse);
    const int s = tableau.stages;
    ASSERT_EQ(t.stages(), s);
    EXPECT_EQ(t.real.has_value(), s % 2 == 1);
    Matrix blocks = Matrix::Zero(s, s);
    int part = 0;
    if (t.real) blocks(part, part) = *t.real, ++part;
    for (const std::complex<double> mu : t.complex) {
      EXPECT_GT(mu.imag(), 0.0);
      blocks.block(part, part, 2, 2) << mu.real(), -mu.imag(), mu.imag(), mu.real();
      part += 2;
    }
    const Matrix a = square(inverse), to = square(t.to_parts), from = square(t.from_parts);
    EXPECT_LT((to * from - Matrix::Identity(s, s)).cwiseAbs().maxCoeff(), 1e-10) << s;
    EXPECT_LT((a * from - from * blocks).cwiseAbs().maxCoeff(), 1e-12 * a.norm() * from.norm()) << s;
  }
}

// Hairer, Wanner 1996, Section IV.8.
TEST(StageTransformation, OfThreeStagesHasTheEigenvaluesOfTheLiterature) {
  const StageTransformation t = diagonalize(inverse_matrix(radau_iia(3)));
  const double root = std::cbrt(81.0) - std::cbrt(9.0);
  EXPECT_NEAR(*t.real, 30.0 / (6.0 + root), 1e-13);
  ASSERT_EQ(t.complex.size(), 1u);
  EXPECT_NEAR(t.complex[0].real(), 2.6810828736277521, 1e-13);
  EXPECT_NEAR(t.complex[0].imag(), 3.0504301992474105, 1e-13);
}

TEST(ErrorWeights, OfThreeStagesAreThoseOfTheLiterature) {
  const std::vector<double> e = error_weights(radau_iia(3));
  EXPECT_NEAR(e[0], -(13.0 + 7.0 * std::sqrt(6.0)) / 3.0, 1e-12);
  EXPECT_NEAR(e[1], (-13.0 + 7.0 * std::sqrt(6.0)) / 3.0, 1e-12);
  EXPECT_NEAR(e[2], -1.0 / 3.0, 1e-13);
}

// What the difference compares: for polynomials of degree s it vanishes, and with it the estimate.
TEST(ErrorWeights, GiveTheSlopeAtTheStart) {
  for (int s = 1; s <= 7; ++s) {
    const Tableau tableau = radau_iia(s);
    const std::vector<double> e = error_weights(tableau);
    double size = 0.0;
    for (const double weight : e) size += std::abs(weight);
    for (int degree = 1; degree <= s + 1; ++degree) {
      double sum = degree == 1 ? 1.0 : 0.0;
      for (int i = 0; i < s; ++i) sum += e[i] * std::pow(tableau.c[i], degree);
      if (degree <= s)
        EXPECT_NEAR(sum, 0.0, 1e-13 * size) << s << " stages, degree " << degree;
      else
        EXPECT_GT(std::abs(sum), 1e-4) << s << " stages";
    }
  }
}

// Exact for polynomials of degree s that vanish at the start.
TEST(BetweenNodes, GiveValueAndSlopeOfThePolynomial) {
  for (int s = 2; s <= 7; ++s) {
    const Tableau tableau = radau_iia(s);
    const BetweenNodes between = between_nodes(tableau);
    for (int degree = 1; degree <= s; ++degree) {
      double value = 0.0, slope = 0.0;
      for (int i = 0; i < s; ++i) {
        value += between.value[i] * std::pow(tableau.c[i], degree);
        slope += between.slope[i] * std::pow(tableau.c[i], degree);
      }
      EXPECT_NEAR(value, std::pow(between.at, degree), 1e-13);
      EXPECT_NEAR(slope, degree * std::pow(between.at, degree - 1), 1e-12);
    }
  }
}

TEST(Combine, IsAProductWithTheMatrix) {
  for (int s = 1; s <= 7; ++s) {
    const int n = 11;
    const Matrix m = Matrix::Random(s, s), in = Matrix::Random(s, n);
    Matrix out(s, n);
    combine({m.data(), static_cast<std::size_t>(s * s)}, {in.data(), static_cast<std::size_t>(s * n)},
            {out.data(), static_cast<std::size_t>(s * n)});
    EXPECT_LT((out - m * in).cwiseAbs().maxCoeff(), 1e-14) << s;
  }
}

}  // namespace
}  // namespace driftless
