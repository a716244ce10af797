#include "driftless/linear/elimination.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace driftless::linear {
namespace {

struct Sample {
  int size;
  std::vector<Coordinate> entries;
  std::vector<double> values;

  std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> b(size, 0.0);
    for (std::size_t k = 0; k < entries.size(); ++k) b[entries[k].row] += values[k] * x[entries[k].col];
    return b;
  }
};

// Masses in blocks of two and constraints between neighbours: [M Gᵀ; G 0], with zeros in the diagonal.
Sample saddle(int bodies, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  Sample sample{3 * bodies, {}, {}};
  const auto add = [&](int row, int col, double value) {
    sample.entries.push_back({row, col});
    sample.values.push_back(value);
  };
  for (int i = 0; i < bodies; ++i) {
    const double coupling = 0.3 * number(random);
    add(2 * i, 2 * i, 2.0), add(2 * i + 1, 2 * i + 1, 1.0);
    add(2 * i, 2 * i + 1, coupling), add(2 * i + 1, 2 * i, coupling);
    for (int j = std::max(0, 2 * i - 2); j < 2 * i + 2; ++j) {
      const double g = number(random);
      add(2 * bodies + i, j, g), add(j, 2 * bodies + i, g);
    }
  }
  return sample;
}

std::vector<double> some_vector(int size) {
  std::vector<double> x(size);
  for (int k = 0; k < size; ++k) x[k] = std::sin(1.0 + k);
  return x;
}

double error_of_solution(Elimination& elimination, const Sample& sample) {
  const std::vector<double> x = some_vector(sample.size);
  std::vector<double> b = sample.times(x);
  elimination.solve(b);
  double worst = 0.0;
  for (int k = 0; k < sample.size; ++k) worst = std::max(worst, std::abs(b[k] - x[k]));
  return worst;
}

TEST(Elimination, SolvesSaddlePointSystems) {
  std::mt19937 random(7);
  for (const int bodies : {1, 2, 5, 40}) {
    const Sample sample = saddle(bodies, random);
    Elimination elimination(sample.size, sample.entries);
    ASSERT_TRUE(elimination.factorize(sample.values));
    EXPECT_LT(error_of_solution(elimination, sample), 1e-9) << bodies;
  }
}

TEST(Elimination, KeepsItsPivotsWhileTheySolveWell) {
  std::mt19937 random(3);
  Sample sample = saddle(20, random);
  Elimination elimination(sample.size, sample.entries);
  ASSERT_TRUE(elimination.factorize(sample.values));
  for (int k = 0; k < 100; ++k) {
    for (double& value : sample.values) value *= 1.0 + 1e-3 * std::sin(k + value);
    ASSERT_TRUE(elimination.factorize(sample.values));
    EXPECT_LT(error_of_solution(elimination, sample), 1e-9);
  }
  EXPECT_EQ(elimination.choices(), 1);
}

// The first pivot vanishes: the rows must be exchanged.
TEST(Elimination, ChoosesNewPivotsWhenOneBecomesSmall) {
  Sample sample{3, {}, {}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sample.entries.push_back({i, j}), sample.values.push_back(i == j ? 1.0 : 0.2 + 0.1 * j);
  Elimination elimination(3, sample.entries);
  ASSERT_TRUE(elimination.factorize(sample.values));
  sample.values[0] = sample.values[4] = sample.values[8] = 1e-14;
  ASSERT_TRUE(elimination.factorize(sample.values));
  EXPECT_EQ(elimination.choices(), 2);
  EXPECT_LT(error_of_solution(elimination, sample), 1e-14);
}

TEST(Elimination, TakesFactorsThatAnotherOneHasLeftInItsOrder) {
  std::mt19937 random(13);
  const Sample sample = saddle(4, random);
  Elimination elimination(sample.size, sample.entries);
  ASSERT_TRUE(elimination.choose_pivots(sample.values));
  const auto& [row_of, column_of, starts, pivots, columns, sources] = elimination.order();
  // A = L U by the textbook, on a full matrix in the order of the pivots.
  const int n = sample.size;
  std::vector<std::vector<double>> a(n, std::vector<double>(n, 0.0));
  for (std::size_t e = 0; e < sample.entries.size(); ++e) {
    const auto place = [&](const std::vector<int>& order, int k) {
      return std::ranges::find(order, k) - order.begin();
    };
    a[place(row_of, sample.entries[e].row)][place(column_of, sample.entries[e].col)] = sample.values[e];
  }
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < n; ++j) a[i][j] -= a[i][k] * a[k][j];
    }
  std::vector<double> factors;
  for (int k = 0; k < n; ++k)
    for (int e = starts[k]; e < starts[k + 1]; ++e)
      factors.push_back(e == pivots[k] ? 1.0 / a[k][k] : a[k][columns[e]]);
  EXPECT_TRUE(elimination.pivots_serve(factors));
  elimination.take_factors(factors);
  EXPECT_LT(error_of_solution(elimination, sample), 1e-12);
  factors[pivots[2]] *= 1e4;
  EXPECT_FALSE(elimination.pivots_serve(factors));
  factors[pivots[2]] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(elimination.pivots_serve(factors));
}

// A path through the unknowns in any order.
Sample chain(int size, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::vector<int> order(size);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  Sample sample{size, {}, {}};
  for (int k = 0; k < size; ++k) {
    sample.entries.push_back({order[k], order[k]}), sample.values.push_back(2.0 + number(random));
    if (k == 0) continue;
    sample.entries.push_back({order[k], order[k - 1]}), sample.values.push_back(number(random));
    sample.entries.push_back({order[k - 1], order[k]}), sample.values.push_back(number(random));
  }
  return sample;
}

TEST(Elimination, OfAChainStartsAtBothEnds) {
  std::mt19937 random(11);
  for (int size = 1; size <= 12; ++size) {
    const Sample sample = chain(size, random);
    Elimination elimination(size, sample.entries);
    EXPECT_TRUE(elimination.is_chain());
    ASSERT_TRUE(elimination.factorize(sample.values));
    EXPECT_LT(error_of_solution(elimination, sample), 1e-13) << size;
    EXPECT_EQ(elimination.choices(), 0);  // of pivots
  }
}

TEST(Elimination, OfAChainFallsBackOnPivotsWhereItWouldLoseDigits) {
  std::mt19937 random(5);
  Sample sample = chain(6, random);  // with an even number, neighbours in pairs are regular without the diagonal
  for (std::size_t k = 0; k < sample.entries.size(); ++k)
    sample.values[k] = sample.entries[k].row == sample.entries[k].col ? 1e-13 : 1.0 + 0.1 * static_cast<double>(k);
  Elimination elimination(6, sample.entries);
  ASSERT_TRUE(elimination.factorize(sample.values));
  EXPECT_LT(error_of_solution(elimination, sample), 1e-11);
  EXPECT_EQ(elimination.choices(), 1);
}

TEST(Elimination, ATreeOrACycleIsNoChain) {
  const auto is_chain = [](int size, const std::vector<std::pair<int, int>>& edges) {
    std::vector<Coordinate> entries;
    for (int k = 0; k < size; ++k) entries.push_back({k, k});
    for (const auto& [a, b] : edges) entries.push_back({a, b}), entries.push_back({b, a});
    return Elimination(size, entries).is_chain();
  };
  EXPECT_TRUE(is_chain(4, {{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_TRUE(is_chain(4, {{0, 1}, {2, 3}}));
  EXPECT_FALSE(is_chain(4, {{0, 1}, {0, 2}, {0, 3}}));
  EXPECT_FALSE(is_chain(3, {{0, 1}, {1, 2}, {2, 0}}));
}

TEST(Elimination, RefusesSingularMatricesAndNumbersThatAreNone) {
  Sample sample{2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {1.0, 2.0, 2.0, 4.0}};
  Elimination elimination(2, sample.entries);
  EXPECT_FALSE(elimination.factorize(sample.values));
  sample.values = {1.0, 2.0, 2.0, 5.0};
  EXPECT_TRUE(elimination.factorize(sample.values));
  EXPECT_FALSE(elimination.factorize(std::vector{1.0, 2.0, 2.0, 4.0}));
  EXPECT_FALSE(elimination.factorize(std::vector{1.0, 2.0, std::numeric_limits<double>::quiet_NaN(), 5.0}));
  EXPECT_TRUE(elimination.factorize(sample.values));
}

// A lattice of 40 x 40: too much fill for rows in flat tables. Solved again with other values, and refused if singular.
TEST(Elimination, SolvesLattices) {
  constexpr int width = 40, size = width * width;
  Sample sample{size, {}, {}};
  std::mt19937 random(8);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (int k = 0; k < size; ++k)
    for (const int other : {k, k - 1, k + 1, k - width, k + width, k - width - 1, k + width + 1, k + 2, k + 2 * width})
      if (other >= 0 && other < size) sample.entries.push_back({k, other}), sample.values.push_back(number(random));
  Elimination elimination(size, sample.entries);
  std::vector<double> x(size);
  for (int k = 0; k < size; ++k) x[k] = std::sin(k);
  for (int trial = 0; trial < 3; ++trial) {
    std::vector<double> b = sample.times(x);
    ASSERT_TRUE(elimination.factorize_and_solve(sample.values, b));
    for (int k = 0; k < size; ++k) ASSERT_NEAR(b[k], x[k], 1e-7) << trial;
    for (double& value : sample.values) value *= 1.0 + 0.01 * number(random);
  }
  EXPECT_EQ(elimination.choices(), 0) << "another elimination chooses";
  for (std::size_t k = 0; k < sample.entries.size(); ++k)
    if (sample.entries[k].row == 800) sample.values[k] = 0.0;
  EXPECT_FALSE(elimination.factorize(sample.values));
}

}  // namespace
}  // namespace driftless::linear
