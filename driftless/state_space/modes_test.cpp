#include "driftless/state_space/modes.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace driftless {
namespace {

Matrix matrix(std::size_t rows, std::size_t columns, std::vector<double> values) {
  Matrix result(rows, columns);
  result.values = std::move(values);
  return result;
}

// x'' + 2 ζ ω x' + ω² x = 0.
TEST(Modes, OfADampedOscillatorAreInItsTextbook) {
  const double omega = 3.0, zeta = 0.2;
  const auto modes = modes_of(matrix(2, 2, {0.0, 1.0, -omega * omega, -2.0 * zeta * omega}));
  ASSERT_TRUE(modes && modes->size() == 2);
  const LinearMode& mode = modes->front();
  EXPECT_NEAR(mode.eigenvalue.real(), -zeta * omega, 1e-14);
  EXPECT_NEAR(mode.eigenvalue.imag(), omega * std::sqrt(1.0 - zeta * zeta), 1e-14);
  EXPECT_NEAR(mode.damping(), zeta, 1e-14);
  EXPECT_NEAR(mode.natural_frequency(), omega, 1e-14);
  EXPECT_NEAR(mode.frequency(), omega * std::sqrt(1.0 - zeta * zeta) / (2.0 * M_PI), 1e-14);
  EXPECT_NEAR(mode.time_constant(), 1.0 / (zeta * omega), 1e-13);
  EXPECT_NEAR(mode.participation[0], 0.5, 1e-12);
  EXPECT_EQ(modes->back().eigenvalue, std::conj(mode.eigenvalue));
}

TEST(Modes, OfABlockDiagonalMatrixBelongToTheirBlocks) {
  const auto modes = modes_of(matrix(3, 3, {-1.0, 0.0, 0.0, 0.0, -5.0, 2.0, 0.0, 0.0, -7.0}));
  ASSERT_TRUE(modes);
  EXPECT_DOUBLE_EQ((*modes)[0].eigenvalue.real(), -1.0);
  EXPECT_EQ((*modes)[0].participation, (std::vector<double>{1.0, 0.0, 0.0}));
  EXPECT_NEAR((*modes)[1].eigenvalue.real(), -5.0, 1e-14);
  EXPECT_NEAR((*modes)[1].participation[1], 1.0, 1e-12);
  EXPECT_NEAR((*modes)[2].participation[2], 1.0, 1e-12);
}

// Other units, x_k = s_k z_k, change neither eigenvalues nor participations, however different they are.
TEST(Modes, DoNotDependOnUnits) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  constexpr std::size_t n = 6;
  Matrix plain(n, n), scaled(n, n);
  for (double& value : plain.values) value = uniform(random);
  const double units[n] = {1.0, 1e6, 1e-5, 1e9, 1e-7, 3.0};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) scaled(i, j) = plain(i, j) * units[j] / units[i];
  const auto one = modes_of(plain), other = modes_of(scaled);
  ASSERT_TRUE(one && other);
  for (std::size_t k = 0; k < n; ++k) {
    EXPECT_LT(std::abs((*one)[k].eigenvalue - (*other)[k].eigenvalue), 1e-12);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR((*one)[k].participation[i], (*other)[k].participation[i], 1e-10);
  }
}

// The part of state i in a mode is |dλ/da_ii|, whether λ is real or one of a pair.
TEST(Modes, PartsAreHowEigenvaluesMoveWithTheDiagonal) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  constexpr std::size_t n = 7;
  Matrix plain(n, n);
  for (double& value : plain.values) value = uniform(random);
  const auto modes = modes_of(plain);
  ASSERT_TRUE(modes);
  std::size_t pairs = 0;
  for (const LinearMode& mode : *modes) {
    std::vector<double> moves;
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      std::complex<double> shift[2];
      for (const int side : {0, 1}) {
        Matrix moved = plain;
        moved(i, i) += side == 0 ? -1e-6 : 1e-6;
        const auto others = modes_of(moved);
        ASSERT_TRUE(others);
        shift[side] = std::ranges::min_element(*others, {}, [&](const LinearMode& other) {
                        return std::abs(other.eigenvalue - mode.eigenvalue);
                      })->eigenvalue;
      }
      moves.push_back(std::abs(shift[1] - shift[0]) / 2e-6);
      sum += moves.back();
    }
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(mode.participation[i], moves[i] / sum, 1e-7);
    if (mode.eigenvalue.imag() > 0.0) ++pairs;
  }
  EXPECT_GT(pairs, 0U);
}

TEST(Modes, OfADoubleIntegratorAreZero) {
  const auto modes = modes_of(matrix(2, 2, {0.0, 1.0, 0.0, 0.0}));
  ASSERT_TRUE(modes);
  for (const LinearMode& mode : *modes) EXPECT_LT(std::abs(mode.eigenvalue), 1e-15);
  EXPECT_TRUE(std::isinf(modes->front().time_constant()));
}

TEST(Modes, NeedNumbers) {
  EXPECT_FALSE(modes_of(matrix(1, 1, {std::nan("")})));
  EXPECT_TRUE(modes_of(Matrix())->empty());
}

// (s + 2) / ((s + 1)(s + 3)), and 1/s², which has no zero.
TEST(Zeros, OfATransferFunction) {
  StateSpace system;
  system.states = {"a", "b"}, system.inputs = {"u"}, system.outputs = {"y"};
  system.A = matrix(2, 2, {0.0, 1.0, -3.0, -4.0});
  system.B = matrix(2, 1, {0.0, 1.0});
  system.C = matrix(1, 2, {2.0, 1.0});
  system.D = Matrix(1, 1);
  const auto zeros = zeros_of(system);
  ASSERT_TRUE(zeros && zeros->size() == 1);
  EXPECT_LT(std::abs(zeros->front() + 2.0), 1e-12);
  system.A = matrix(2, 2, {0.0, 1.0, 0.0, 0.0});
  system.C = matrix(1, 2, {1.0, 0.0});
  ASSERT_TRUE(zeros_of(system));
  EXPECT_TRUE(zeros_of(system)->empty());
  system.C = Matrix(1, 2);  // the output is always 0
  EXPECT_FALSE(zeros_of(system));
}

}  // namespace
}  // namespace driftless
