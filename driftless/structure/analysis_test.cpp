// Systems whose structure is known from the literature or in closed form.
#include "driftless/structure/analysis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/structure/signature_samples.hpp"

namespace driftless::structure {
namespace {

using namespace samples;
using testing::Each;
using testing::ElementsAre;
using Ints = std::vector<int>;

struct Expected {
  Ints c;
  Ints d;
  int index;
  int freedom;
};

Structure structure_of(const Signature& signature) { return std::get<Structure>(analyze(signature)); }

void expect_structure(const Signature& signature, const Expected& expected) {
  const Structure found = structure_of(signature);
  EXPECT_EQ(found.offsets.c, expected.c);
  EXPECT_EQ(found.offsets.d, expected.d);
  EXPECT_EQ(found.structural_index, expected.index);
  EXPECT_EQ(found.degrees_of_freedom, expected.freedom);
  EXPECT_EQ(pantelides(signature), found.offsets);
}

Ints block_sizes(const std::vector<Block>& blocks) {
  Ints sizes;
  for (const Block& block : blocks) sizes.push_back(static_cast<int>(block.rows.size()));
  return sizes;
}

TEST(Structure, OfAnEmptySystemIsEmpty) { expect_structure(Signature(0), {{}, {}, 0, 0}); }

TEST(Structure, OfAnOrdinaryDifferentialEquationIsIndexZero) {
  expect_structure(dense({{1, 0}, {0, 1}}), {{0, 0}, {1, 1}, 0, 2});
}

TEST(Structure, OfAnAlgebraicSystemIsIndexOne) { expect_structure(dense({{0, 0}, {none, 0}}), {{0, 0}, {0, 0}, 1, 0}); }

// Mattsson and Söderlind 1993.

TEST(Structure, OfADerivativeChain) {  // x' = y, y' = z, x = f(t)
  expect_structure(dense({{1, 0, none}, {none, 1, 0}, {0, none, none}}), {{1, 0, 2}, {2, 1, 0}, 3, 0});
}

TEST(Structure, DifferentiatesAlthoughTheIndexIsOne) {  // x' + y' = 1, x - y = 0
  expect_structure(dense({{1, 1}, {0, 0}}), {{0, 1}, {1, 1}, 1, 1});
}

Signature four_equations() { return dense({{0, 0, none, none}, {0, 0, 0, none}, {0, none, none, 0}, {2, 2, 2, 1}}); }

TEST(Structure, OfFourEquationsOfMixedOrder) { expect_structure(four_equations(), {{2, 2, 1, 0}, {2, 2, 2, 1}, 2, 2}); }

TEST(Structure, OfFourEquationsIsSolvedStageByStage) {
  // Stage k solves the equations differentiated at least k times: {a, b}, then {a', b', c}, then {a'', b'', c', d}.
  const Ints c = structure_of(four_equations()).offsets.c;
  const auto stage_size = [&](int k) { return std::ranges::count_if(c, [k](int c_i) { return c_i >= k; }); };
  EXPECT_EQ(stage_size(2), 2);
  EXPECT_EQ(stage_size(1), 3);
  EXPECT_EQ(stage_size(0), 4);
}

TEST(Structure, OfFourEquationsIsFinerInTheHighestDerivatives) {
  // x_1 couples all four equations, but c' contains no other highest derivative than x_4'.
  const Signature signature = four_equations();
  EXPECT_THAT(block_sizes(block_triangular_form(signature, maximum_matching(signature))), ElementsAre(4));
  const Structure found = structure_of(signature);
  EXPECT_THAT(block_sizes(found.blocks), ElementsAre(1, 3));
  EXPECT_THAT(found.blocks[0].rows, ElementsAre(Row{2}));
  EXPECT_THAT(found.blocks[0].cols, ElementsAre(Col{3}));
}

TEST(SystemJacobianPattern, KeepsTheHighestDerivativesOnly) {
  const Signature signature = four_equations();
  const Signature pattern = system_jacobian_pattern(signature, structure_of(signature).offsets);
  EXPECT_EQ(to_dense(pattern),
            (std::vector<Ints>{{0, 0, none, none}, {0, 0, 0, none}, {none, none, none, 0}, {2, 2, 2, 1}}));
}

TEST(Structure, OfThePendulumInSecondOrderForm) {  // x² + y² = L², x'' = -λx, y'' = -λy - g
  const Signature signature = dense({{0, 0, none}, {2, none, 0}, {none, 2, 0}});
  expect_structure(signature, {{2, 0, 0}, {2, 2, 0}, 3, 2});
  EXPECT_THAT(block_sizes(structure_of(signature).blocks), ElementsAre(3));
}

TEST(Structure, OfThePendulumInFirstOrderForm) {  // x' = u, y' = v, u' = -λx, v' = -λy - g, x² + y² = L²
  expect_structure(dense({{1, none, 0, none, none},
                          {none, 1, none, 0, none},
                          {0, none, 1, none, 0},
                          {none, 0, none, 1, 0},
                          {0, 0, none, none, none}}),
                   {{1, 1, 0, 0, 2}, {2, 2, 1, 1, 0}, 3, 2});
}

// Lagrange's equations for n coordinates and m constraints, in order 2 or 1; level: how often the constraints have been
// differentiated by hand. Columns: p, (v,) λ.
Signature lagrangian(int n, int m, int order, int level) {
  const int velocities = order == 1 ? n : 0;
  const int cols = n + velocities + m;
  std::vector<Ints> sigma;
  const auto add = [&](int p, int v, int lambda) -> Ints& {
    Ints row(cols, none);
    std::fill_n(row.begin(), n, p);
    std::fill_n(row.begin() + n, velocities, v);
    std::fill_n(row.begin() + n + velocities, m, lambda);
    return sigma.emplace_back(row);
  };
  if (order == 1) {
    for (int i = 0; i < n; ++i) {
      Ints& row = add(none, none, none);
      row[i] = 1, row[n + i] = 0;
    }
    for (int i = 0; i < n; ++i) add(0, 1, 0);
    for (int k = 0; k < m; ++k) add(0, level == 0 ? none : level - 1, none);
  } else {
    for (int i = 0; i < n; ++i) add(2, none, 0);
    for (int k = 0; k < m; ++k) add(level, none, none);
  }
  return dense(sigma);
}

TEST(Structure, OfLagrangesEquations) {
  for (const auto& [n, m] : {std::pair{3, 1}, {5, 3}, {7, 6}, {4, 4}}) {
    const Structure second = structure_of(lagrangian(n, m, 2, 0));
    EXPECT_EQ(second.structural_index, 3);
    EXPECT_EQ(second.degrees_of_freedom, 2 * (n - m));
    EXPECT_EQ(n + m + std::accumulate(second.offsets.c.begin(), second.offsets.c.end(), 0), n + 3 * m);

    // In first order the constraints, coordinates and multipliers get the same offsets.
    const Structure first = structure_of(lagrangian(n, m, 1, 0));
    EXPECT_EQ(first.structural_index, 3);
    EXPECT_EQ(first.degrees_of_freedom, 2 * (n - m));
    EXPECT_TRUE(std::equal(first.offsets.c.end() - m, first.offsets.c.end(), second.offsets.c.end() - m));
    EXPECT_TRUE(std::equal(first.offsets.d.begin(), first.offsets.d.begin() + n, second.offsets.d.begin()));
    EXPECT_TRUE(std::equal(first.offsets.d.end() - m, first.offsets.d.end(), second.offsets.d.end() - m));
  }
}

TEST(Structure, OfMechanicsLosesOneIndexPerHandMadeDifferentiation) {
  for (const int order : {1, 2}) {
    for (const int level : {0, 1, 2}) {
      EXPECT_EQ(structure_of(lagrangian(5, 2, order, level)).structural_index, 3 - level);
    }
  }
}

TEST(Structure, OfTheStabilizedIndexTwoForm) {
  // p' = v - G'μ, v' = f - G'λ, g(p) = 0, G v = 0 with two coordinates and one constraint.
  expect_structure(dense({{1, 0, 0, none, none, 0},
                          {0, 1, none, 0, none, 0},
                          {0, 0, 1, 0, 0, none},
                          {0, 0, 0, 1, 0, none},
                          {0, 0, none, none, none, none},
                          {0, 0, 0, 0, none, none}}),
                   {{0, 0, 0, 0, 1, 1}, {1, 1, 1, 1, 0, 0}, 2, 2});
}

TEST(Structure, OfTheSevenBodyMechanism) {
  // β Θ γ Φ δ Ω ε, then λ_1 .. λ_6: seven dynamic equations, six constraints.
  const int o = none;
  expect_structure(dense({{2, 2, o, o, o, o, o, 0, 0, 0, 0, 0, 0},
                          {2, 2, o, o, o, o, o, 0, 0, 0, 0, 0, 0},
                          {o, o, 2, o, o, o, o, 0, 0, o, o, o, o},
                          {o, o, o, 2, 2, o, o, o, o, 0, 0, o, o},
                          {o, o, o, 2, 2, o, o, o, o, 0, 0, o, o},
                          {o, o, o, o, o, 2, 2, o, o, o, o, 0, 0},
                          {o, o, o, o, o, 2, 2, o, o, o, o, 0, 0},
                          {0, 0, 0, o, o, o, o, o, o, o, o, o, o},
                          {0, 0, 0, o, o, o, o, o, o, o, o, o, o},
                          {0, 0, o, 0, 0, o, o, o, o, o, o, o, o},
                          {0, 0, o, 0, 0, o, o, o, o, o, o, o, o},
                          {0, 0, o, o, o, 0, 0, o, o, o, o, o, o},
                          {0, 0, o, o, o, 0, 0, o, o, o, o, o, o}}),
                   {{0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2}, {2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0}, 3, 2});
}

// Hairer and Wanner 1996, chapter VII.1.

TEST(Structure, OfTheSteeredWheel) {  // (1.9)
  expect_structure(dense({{1, 0, 0}, {0, 1, 0}, {0, 0, none}}), {{0, 0, 1}, {1, 1, 0}, 2, 1});
}

TEST(Structure, OfANilpotentChain) {  // (1.12): z_2' + z_1, z_3' + z_2, z_3
  expect_structure(dense({{0, 1, none}, {none, 0, 1}, {none, none, 0}}), {{0, 1, 2}, {0, 1, 2}, 3, 0});
}

TEST(Structure, SeesTheDifferentiationIndexOfLubichsExample) {  // (1.31)
  expect_structure(dense({{1, 1, 1}, {none, 0, none}, {none, none, 0}}), {{0, 1, 1}, {1, 1, 1}, 1, 1});
}

TEST(Structure, SeesThePerturbationIndexOfCampbellAndGearsExample) {  // (1.32): y_m N y' + y = 0
  for (int m = 2; m <= 9; ++m) {
    std::vector<Ints> sigma(m, Ints(m, none));
    Ints levels;
    for (int i = 0; i < m; ++i) {
      sigma[i][m - 1] = 0;
      sigma[i][i] = 0;
      if (i + 1 < m) sigma[i][i + 1] = 1;
      levels.push_back(i);
    }
    expect_structure(dense(sigma), {levels, levels, m, 0});
  }
}

// (1.52) y' = Ay + Bu, v' = -A'v - Cy, 0 = B'v + Du.
TEST(Structure, OfLinearQuadraticControlInOneDimension) {
  expect_structure(dense({{1, none, 0}, {0, 1, none}, {none, 0, none}}), {{0, 1, 2}, {1, 2, 0}, 3, 0});
  expect_structure(dense({{1, none, 0}, {0, 1, none}, {none, 0, 0}}), {{0, 0, 0}, {1, 1, 0}, 1, 2});
}

TEST(Structure, OfLinearQuadraticControlOfAnOscillator) {
  const int o = none;
  const auto control = [&](int c_22, int weight) {
    return dense({{1, 0, o, o, o}, {0, 1, o, o, 0}, {0, o, 1, 0, o}, {o, c_22, 0, 1, o}, {o, o, o, 0, weight}});
  };
  expect_structure(control(0, none), {{0, 0, 0, 1, 2}, {1, 1, 1, 2, 0}, 3, 2});
  expect_structure(control(0, 0), {{0, 0, 0, 0, 0}, {1, 1, 1, 1, 0}, 1, 4});
  const Structure degenerate = structure_of(control(none, none));
  EXPECT_EQ(degenerate.structural_index, 5);
  EXPECT_EQ(degenerate.degrees_of_freedom, 0);
}

// P pendulums, the length of each depending on the tension in the one before: index 2P + 1 (Pryce 2001).
Signature chained_pendulums(int count) {
  Signature signature(3 * count);
  for (int p = 0; p < count; ++p) {
    const Col x{3 * p}, y{3 * p + 1}, lambda{3 * p + 2};
    signature.add_row(std::vector<Entry>{{x, 2}, {lambda, 0}});
    signature.add_row(std::vector<Entry>{{y, 2}, {lambda, 0}});
    std::vector<Entry> constraint;
    if (p > 0) constraint.push_back({Col{3 * p - 1}, 0});
    constraint.push_back({x, 0});
    constraint.push_back({y, 0});
    signature.add_row(constraint);
  }
  return signature;
}

void expect_chained_pendulums(const Structure& found, int count) {
  EXPECT_EQ(found.structural_index, 2 * count + 1);
  EXPECT_EQ(found.degrees_of_freedom, 2 * count);
  for (int p = 0; p < count; ++p) {
    const int later = 2 * (count - 1 - p);  // differentiations that the later pendulums ask for
    ASSERT_EQ(found.offsets.c[3 * p], later);
    ASSERT_EQ(found.offsets.c[3 * p + 1], later);
    ASSERT_EQ(found.offsets.c[3 * p + 2], later + 2);
    ASSERT_EQ(found.offsets.d[3 * p], later + 2);
    ASSERT_EQ(found.offsets.d[3 * p + 1], later + 2);
    ASSERT_EQ(found.offsets.d[3 * p + 2], later);
  }
}

TEST(Structure, OfChainedPendulums) {
  for (int count = 1; count <= 12; ++count) {
    const Signature signature = chained_pendulums(count);
    const Structure found = structure_of(signature);
    expect_chained_pendulums(found, count);
    EXPECT_EQ(pantelides(signature), found.offsets);
    EXPECT_EQ(block_sizes(found.blocks), Ints(count, 3));
  }
}

TEST(Structure, OfSingularSystemsIsExplained) {
  // Two equations for x alone, none for z.
  const auto outcome = analyze(dense({{1, none, none}, {0, none, none}, {none, 1, 0}}));
  const Singular& singular = std::get<Singular>(outcome);
  EXPECT_EQ(singular.matching.size, 2);
  EXPECT_THAT(singular.parts.over_rows, ElementsAre(Row{0}, Row{1}));
  EXPECT_THAT(singular.parts.over_cols, ElementsAre(Col{0}));
  EXPECT_THAT(singular.parts.under_rows, ElementsAre(Row{2}));
  EXPECT_THAT(singular.parts.under_cols, ElementsAre(Col{1}, Col{2}));
}

TEST(Structure, OfRectangularSystemsIsSingular) {
  EXPECT_TRUE(std::holds_alternative<Singular>(analyze(dense({{1, 0}}))));
  EXPECT_TRUE(std::holds_alternative<Singular>(analyze(dense({{1}, {0}}))));
  EXPECT_TRUE(std::holds_alternative<Singular>(analyze(Signature(1))));
}

// Sizes at which anything quadratic would run for hours, and anything recursive would overflow the stack.

TEST(StructureAtScale, OfALongDerivativeChain) {  // x_1 = f, x_i' = x_{i+1}: index n
  const int n = 300'000;
  Signature signature(n);
  for (int i = 0; i + 1 < n; ++i) signature.add_row(std::vector<Entry>{{Col{i}, 1}, {Col{i + 1}, 0}});
  signature.add_row(std::vector<Entry>{{Col{0}, 0}});
  const Structure found = structure_of(signature);
  EXPECT_EQ(found.structural_index, n);
  EXPECT_EQ(found.degrees_of_freedom, 0);
  for (int i = 0; i < n; ++i) ASSERT_EQ(found.offsets.d[i], n - 1 - i);
}

TEST(StructureAtScale, OfManyChainedPendulums) {
  const int count = 100'000;
  expect_chained_pendulums(structure_of(chained_pendulums(count)), count);
}

// n masses in the plane, neighbours joined by rigid rods: 3n equations, index 3.
Signature rods(int n) {
  Signature signature(3 * n);
  for (int k = 0; k < n; ++k) {
    for (const int coordinate : {0, 1}) {
      std::vector<Entry> force;
      if (k > 0) force.push_back({Col{3 * (k - 1) + coordinate}, 0});
      force.push_back({Col{3 * k + coordinate}, 2});
      force.push_back({Col{3 * k + 2}, 0});
      if (k + 1 < n) {
        force.push_back({Col{3 * (k + 1) + coordinate}, 0});
        force.push_back({Col{3 * (k + 1) + 2}, 0});
      }
      signature.add_row(force);
    }
    std::vector<Entry> length;
    for (int j = std::max(0, k - 1); j <= k; ++j) {
      length.push_back({Col{3 * j}, 0});
      length.push_back({Col{3 * j + 1}, 0});
    }
    signature.add_row(length);
  }
  return signature;
}

TEST(StructureAtScale, OfAChainOfRodsInAnyOrder) {
  const int n = 100'000;
  Random random(8);
  const Signature signature = rods(n);
  const Shuffled other = shuffled(signature, random);
  for (const Signature& chain : {signature, other.signature}) {
    const Structure found = structure_of(chain);
    EXPECT_EQ(found.structural_index, 3);
    EXPECT_EQ(found.degrees_of_freedom, 2 * n);
    EXPECT_EQ(std::ranges::count(found.offsets.c, 2), n);
    EXPECT_EQ(std::ranges::count(found.offsets.d, 2), 2 * n);
    EXPECT_THAT(block_sizes(found.blocks), ElementsAre(3 * n));
  }
}

}  // namespace
}  // namespace driftless::structure
