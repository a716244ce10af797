#include "driftless/pencil/weierstrass.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/LU>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/pencil/sample_pencils.hpp"

namespace driftless::pencil {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::ElementsAre;
using testing::IsEmpty;

WeierstrassForm form_of(const Pencil& pencil) { return std::get<WeierstrassForm>(weierstrass_form(pencil)); }

MatrixXd diagonal_blocks(const MatrixXd& first, const MatrixXd& second) {
  const Index n = first.rows() + second.rows();
  MatrixXd result = MatrixXd::Zero(n, n);
  result.topLeftCorner(first.rows(), first.rows()) = first;
  result.bottomRightCorner(second.rows(), second.rows()) = second;
  return result;
}

// The largest residual of P A Q = diag(C, I) and P B Q = diag(I, N), in units of the products of the norms.
double residual(const Pencil& p, const WeierstrassForm& form) {
  const Index n1 = form.C.rows(), n2 = form.N.rows();
  const MatrixXd a = form.P * p.A * form.Q - diagonal_blocks(form.C, MatrixXd::Identity(n2, n2));
  const MatrixXd b = form.P * p.B * form.Q - diagonal_blocks(MatrixXd::Identity(n1, n1), form.N);
  const double product = form.P.norm() * form.Q.norm();
  return std::max(a.norm() / (product * p.A.norm()), b.norm() / (product * p.B.norm()));
}

// The same for one pencil whose structure is known.
void expect_structure(const Pencil& p, const std::vector<int>& blocks, int differential) {
  const WeierstrassForm form = form_of(p);
  EXPECT_EQ(form.block_sizes, blocks);
  EXPECT_EQ(form.index, blocks.empty() ? 0 : blocks.front());
  EXPECT_EQ(form.differential, differential);
  EXPECT_EQ(form.modes.size(), static_cast<std::size_t>(differential));
  EXPECT_EQ(form.algebraic.rows(), p.size() - differential);
  EXPECT_LT(residual(p, form), 1e-14);
  EXPECT_TRUE(linear::least_clear(form.decisions).is_clear()) << linear::least_clear(form.decisions).gap();
  MatrixXd power = MatrixXd::Identity(form.N.rows(), form.N.cols());
  for (int k = 0; k < form.index; ++k) power *= form.N;
  EXPECT_LT(power.norm(), 1e-12 * std::pow(std::max(1.0, form.N.norm()), form.index));
}

TEST(Weierstrass, OfAnOdeHasIndexZero) {
  std::mt19937 random(1);
  const MatrixXd C = random_matrix(5, 5, random);
  expect_structure(mixed(finite_part(C), random), {}, 5);
}

TEST(Weierstrass, OfAlgebraicEquationsHasIndexOne) {
  std::mt19937 random(2);
  expect_structure({random_matrix(4, 4, random), MatrixXd::Zero(4, 4)}, {1, 1, 1, 1}, 0);
}

TEST(Weierstrass, OfTheChainOfSizeThree) { expect_structure(infinite_block(3), {3}, 0); }

TEST(Weierstrass, OfAMixedChainOfSizeSix) {
  std::mt19937 random(3);
  expect_structure(mixed(infinite_block(6), random), {6}, 0);
}

TEST(Weierstrass, OfRandomPencilsWithKnownStructure) {
  std::mt19937 random(4);
  std::uniform_int_distribution<int> sizes(1, 4), counts(0, 4), finite(0, 20);
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE(trial);
    const int differential = finite(random);
    std::vector<Pencil> parts = {finite_part(random_matrix(differential, differential, random))};
    std::vector<int> blocks(static_cast<std::size_t>(counts(random)) + (differential == 0));
    for (int& size : blocks) parts.push_back(infinite_block(size = sizes(random)));
    std::ranges::sort(blocks, std::greater{});
    expect_structure(mixed(direct_sum(parts), random), blocks, differential);
  }
}

TEST(Weierstrass, OfSizeForty) {
  std::mt19937 random(5);
  const Pencil p = direct_sum({finite_part(random_matrix(28, 28, random)), infinite_block(5), infinite_block(3),
                               infinite_block(3), infinite_block(1)});
  expect_structure(mixed(p, random), {5, 3, 3, 1}, 28);
}

TEST(Weierstrass, HasTheModesOfTheFinitePart) {
  std::mt19937 random(6);
  MatrixXd C = MatrixXd::Zero(4, 4);  // y' = -C y: 0.5, -1 ± 2i, -300
  C(0, 0) = -0.5;
  C.block(1, 1, 2, 2) << 1, 2, -2, 1;
  C(3, 3) = 300;
  const WeierstrassForm form = form_of(mixed(direct_sum({finite_part(C), infinite_block(3)}), random));
  ASSERT_EQ(form.modes.size(), 4u);
  const std::complex<double> expected[] = {0.5, {-1, 2}, {-1, -2}, -300};
  for (std::size_t k = 0; k < 4; ++k) EXPECT_LT(std::abs(form.modes[k] - expected[k]), 1e-8) << form.modes[k];
}

// d(t) = sum of c_k sin(k t): all derivatives in closed form.
struct Disturbance {
  std::vector<VectorXd> c;
  VectorXd operator()(double t, int order) const {
    VectorXd value = VectorXd::Zero(c.front().size());
    for (std::size_t k = 0; k < c.size(); ++k) {
      const double w = static_cast<double>(k) + 1;
      value += c[k] * std::pow(w, order) * std::sin(w * t + order * std::acos(-1.0) / 2);
    }
    return value;
  }
  std::vector<VectorXd> derivatives(double t, int count) const {
    std::vector<VectorXd> result;
    for (int k = 0; k < count; ++k) result.push_back((*this)(t, k));
    return result;
  }
};

TEST(Weierstrass, SolvesTheAlgebraicPart) {
  std::mt19937 random(7);
  const Pencil p = mixed(direct_sum({infinite_block(4), infinite_block(2)}), random);
  const WeierstrassForm form = form_of(p);
  Disturbance d;
  for (int k = 0; k < 3; ++k) d.c.push_back(random_matrix(6, 1, random));
  const double t = 0.4;
  const VectorXd u = form.Q * algebraic_part(form, d.derivatives(t, 4));
  std::vector<VectorXd> shifted = d.derivatives(t, 5);
  shifted.erase(shifted.begin());
  const VectorXd rate = form.Q * algebraic_part(form, shifted);
  EXPECT_LT((p.B * rate + p.A * u - d(t, 0)).norm(), 1e-10 * (u.norm() + rate.norm()));
}

// z does not depend on the differential part: the combinations in `algebraic` do not contain y.
TEST(Weierstrass, AlgebraicCombinationsDoNotSeeTheDifferentialPart) {
  std::mt19937 random(8);
  const Pencil p = mixed(direct_sum({finite_part(random_matrix(4, 4, random)), infinite_block(3)}), random);
  const WeierstrassForm form = form_of(p);
  ASSERT_EQ(form.algebraic.rows(), 3);
  EXPECT_LT((form.algebraic * form.Q.leftCols(4)).norm(), 1e-11 * form.algebraic.norm() * form.Q.norm());
  for (Index k = 0; k < 3; ++k) EXPECT_TRUE((form.algebraic.row(k).array() == 1.0).any());
}

TEST(Weierstrass, AlgebraicCombinationsAreReadable) {
  // x' = -x + z, y' = x, 2 x + 4 y = d: x + 2 y is given, and z follows from its derivative, which needs x and y.
  Pencil p{MatrixXd::Zero(3, 3), MatrixXd::Zero(3, 3)};
  p.B(0, 0) = p.B(1, 1) = 1;
  p.A << 1, 0, -1, -1, 0, 0, 2, 4, 0;
  const WeierstrassForm form = form_of(p);
  EXPECT_EQ(form.index, 2);
  EXPECT_THAT(form.block_sizes, ElementsAre(2));
  ASSERT_EQ(form.algebraic.rows(), 2);
  // d/dt (x + 2 y) = x + z, so x + z is given as well; in any basis x + 2 y and x + z are in the row space.
  MatrixXd expected(2, 3);
  expected << 1, 2, 0, 1, 0, 1;
  MatrixXd both(4, 3);
  both << form.algebraic, expected;
  Eigen::FullPivLU<MatrixXd> lu(both);
  lu.setThreshold(1e-12);
  EXPECT_EQ(lu.rank(), 2);
}

TEST(Weierstrass, DoesNotDependOnUnits) {
  std::mt19937 random(9);
  Pencil p = direct_sum({finite_part(random_matrix(6, 6, random)), infinite_block(3), infinite_block(2)});
  p = mixed(p, random);
  VectorXd rows(p.size()), cols(p.size());
  std::uniform_real_distribution<double> decades(-9, 9);
  for (Index k = 0; k < p.size(); ++k) {
    rows(k) = std::pow(10.0, decades(random));
    cols(k) = std::pow(10.0, decades(random));
  }
  const Pencil scaled{rows.asDiagonal() * p.A * cols.asDiagonal(), 1e5 * rows.asDiagonal() * p.B * cols.asDiagonal()};
  const WeierstrassForm form = form_of(scaled), reference = form_of(p);
  EXPECT_THAT(form.block_sizes, ElementsAre(3, 2));
  EXPECT_EQ(form.differential, 6);
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_LT(std::abs(form.modes[k] * 1e5 - reference.modes[k]), 1e-7 * std::abs(reference.modes[k]));
}

// A block of size 2 whose entry is 3e-9: index 2 or 1, depending on what counts as zero.
TEST(Weierstrass, SaysWhenARankIsNotClear) {
  std::mt19937 random(10);
  Pencil p = direct_sum({finite_part(random_matrix(3, 3, random)), infinite_block(2)});
  p.B(3, 4) = 3e-9;
  const auto form = weierstrass_form(mixed(p, random));
  ASSERT_TRUE(std::holds_alternative<WeierstrassForm>(form));
  EXPECT_FALSE(linear::least_clear(std::get<WeierstrassForm>(form).decisions).is_clear());
}

SingularPencil singular_of(const Pencil& pencil) { return std::get<SingularPencil>(weierstrass_form(pencil)); }

TEST(SingularPencil, OfTwoEqualEquations) {
  // x' = y, x' = y + d, z' = z
  Pencil p{MatrixXd::Zero(3, 3), MatrixXd::Zero(3, 3)};
  p.B(0, 0) = p.B(1, 0) = p.B(2, 2) = 1;
  p.A(0, 1) = p.A(1, 1) = p.A(2, 2) = -1;
  const SingularPencil found = singular_of(p);
  EXPECT_EQ(found.rank, 2);
  EXPECT_THAT(found.equations, ElementsAre(0, 1));
  EXPECT_THAT(found.unknowns, ElementsAre(0, 1));
  EXPECT_EQ(found.passes, 0);
}

TEST(SingularPencil, OfAnEquationAndItsDerivative) {
  // x + y = d1, x' + y' = d2, z = x: the second is the derivative of the first.
  Pencil p{MatrixXd::Zero(3, 3), MatrixXd::Zero(3, 3)};
  p.A(0, 0) = p.A(0, 1) = 1;
  p.B(1, 0) = p.B(1, 1) = 1;
  p.A(2, 0) = -1;
  p.A(2, 2) = 1;
  const SingularPencil found = singular_of(p);
  EXPECT_EQ(found.rank, 2);
  EXPECT_THAT(found.equations, ElementsAre(0, 1));
  EXPECT_THAT(found.unknowns, ElementsAre(0, 1, 2));
  EXPECT_EQ(found.passes, 1);
}

TEST(SingularPencil, OfNothing) {
  const SingularPencil found = singular_of({MatrixXd::Zero(2, 2), MatrixXd::Zero(2, 2)});
  EXPECT_EQ(found.rank, 0);
  EXPECT_THAT(found.equations, ElementsAre(0, 1));
}

// All sums of a block with one column more and one with a row more, beside a regular part.
TEST(SingularPencil, OfAllKroneckerBlocks) {
  std::mt19937 random(11);
  for (Index columns = 0; columns < 4; ++columns)
    for (Index rows = 0; rows < 4; ++rows) {
      SCOPED_TRACE(testing::Message() << columns << " " << rows);
      const Pencil p = direct_sum({finite_part(random_matrix(3, 3, random)), infinite_block(2),
                                   kronecker_columns(columns), transposed(kronecker_columns(rows))});
      const SingularPencil plain = singular_of(p);
      EXPECT_EQ(plain.rank, 5 + columns + rows);
      std::vector<int> equations(static_cast<std::size_t>(rows) + 1), unknowns(static_cast<std::size_t>(columns) + 1);
      std::iota(equations.begin(), equations.end(), 5 + static_cast<int>(columns));
      std::iota(unknowns.begin(), unknowns.end(), 5);
      EXPECT_EQ(plain.equations, equations);
      EXPECT_EQ(plain.unknowns, unknowns);
      EXPECT_EQ(singular_of(mixed(p, random)).rank, 5 + columns + rows);
    }
}

TEST(Weierstrass, OfNoEquations) {
  const WeierstrassForm form = form_of({MatrixXd(0, 0), MatrixXd(0, 0)});
  EXPECT_EQ(form.index, 0);
  EXPECT_THAT(form.modes, IsEmpty());
}

}  // namespace
}  // namespace driftless::pencil
