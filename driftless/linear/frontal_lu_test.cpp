#include "driftless/linear/frontal_lu.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>

namespace driftless::linear {
namespace {

using Complex = std::complex<double>;
using Random = std::mt19937_64;

template <class Number>
Number random_number(Random& random) {
  std::uniform_real_distribution<double> part(-1.0, 1.0);
  if constexpr (std::is_same_v<Number, double>)
    return part(random);
  else
    return {part(random), part(random)};
}

template <class Number>
struct Sample {
  Pattern pattern;
  std::vector<Number> values;

  Eigen::MatrixX<Number> dense() const {
    Eigen::MatrixX<Number> a = Eigen::MatrixX<Number>::Zero(pattern.size, pattern.size);
    for (int j = 0; j < pattern.size; ++j)
      for (int e = pattern.starts[j]; e < pattern.starts[j + 1]; ++e) a(pattern.rows[e], j) = values[e];
    return a;
  }
  std::vector<double> column_sizes() const {
    std::vector<double> sizes(pattern.size, 0.0);
    for (int j = 0; j < pattern.size; ++j)
      for (int e = pattern.starts[j]; e < pattern.starts[j + 1]; ++e)
        sizes[j] = std::max(sizes[j], std::abs(values[e]));
    return sizes;
  }
};

template <class Number>
struct Entries {
  std::vector<Coordinate> places;
  std::vector<Number> values;

  void add(int row, int col, Number value) {
    places.push_back({row, col});
    values.push_back(value);
  }
  // With rows and columns in a random order.
  Sample<Number> shuffled(int n, Random& random) const {
    std::vector<int> rows(n), columns(n);
    for (int k = 0; k < n; ++k) rows[k] = columns[k] = k;
    std::ranges::shuffle(rows, random);
    std::ranges::shuffle(columns, random);
    std::vector<Coordinate> moved;
    for (const auto& [row, col] : places) moved.push_back({rows[row], columns[col]});
    const Assembly assembly = assemble(n, moved);
    Sample<Number> sample{assembly.pattern, std::vector<Number>(assembly.pattern.rows.size(), Number(0.0))};
    for (std::size_t k = 0; k < values.size(); ++k) sample.values[assembly.position[k]] += values[k];
    return sample;
  }
};

template <class Number>
Sample<Number> random_sample(Random& random, int n, double per_line) {
  Entries<Number> entries;
  for (int k = 0; k < n; ++k) entries.add(k, k, random_number<Number>(random));
  for (int k = 0; k < per_line * n; ++k)
    entries.add(static_cast<int>(random() % n), static_cast<int>(random() % n), random_number<Number>(random));
  return entries.shuffled(n, random);
}

// [M Gᵀ; G 0] on a lattice of masses: two coordinates each, a third of them without mass; a constraint between every
// second pair of neighbours.
template <class Number>
Sample<Number> random_saddle(Random& random, int width, double decades) {
  std::uniform_real_distribution<double> exponent(-decades, decades);
  Entries<Number> entries;
  const int masses = width * width;
  int n = 2 * masses;
  for (int k = 0; k < 2 * masses; ++k)
    if (k % 3 > 0) entries.add(k, k, Number(std::pow(10.0, exponent(random))));
  for (int i = 0; i < width; ++i)
    for (int j = 1; j < width; ++j) {
      for (const int to : {i * width + j, (j - 1) * width + i})  // along a row, or with the next row
        if ((i + j + to) % 2 == 0) {
          for (const int mass : {i * width + j - 1, to})
            for (const int c : {0, 1}) {
              const Number value = random_number<Number>(random);
              entries.add(2 * mass + c, n, value);
              entries.add(n, 2 * mass + c, value * std::pow(10.0, exponent(random)));
            }
          ++n;
        }
    }
  for (int k = 0; k < 2 * masses; k += 3)  // springs instead of masses
    for (const int other : {k, (k + 2) % (2 * masses), (k + 2 * width) % (2 * masses)})
      entries.add(k, other, random_number<Number>(random));
  return entries.shuffled(n, random);
}

// The residual of a solution, row by row relative to the terms of each row.
template <class Number>
double error(const FrontalLu<Number>& lu, const Sample<Number>& sample, bool transposed = false) {
  const Eigen::MatrixX<Number> a = transposed ? Eigen::MatrixX<Number>(sample.dense().transpose()) : sample.dense();
  Eigen::VectorX<Number> b(a.rows());
  for (int i = 0; i < a.rows(); ++i) b[i] = Number(std::sin(1.0 + i));
  Eigen::VectorX<Number> x = b;
  if constexpr (std::is_same_v<Number, double>)
    transposed ? lu.solve_transposed(x.data()) : lu.solve(x.data());
  else
    lu.solve(x.data());
  const Eigen::VectorXd sizes = a.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs();
  const double worst = ((a * x - b).cwiseAbs().array() / sizes.array()).maxCoeff();
  return std::isfinite(x.cwiseAbs().sum()) ? worst : INFINITY;
}

template <class Number>
class FrontalLuOf : public testing::Test {};
using Numbers = testing::Types<double, Complex>;
TYPED_TEST_SUITE(FrontalLuOf, Numbers);

TYPED_TEST(FrontalLuOf, SolvesRandomSystems) {
  Random random(11);
  int solved = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const int n = 1 + static_cast<int>(random() % 80);
    const auto sample = random_sample<TypeParam>(random, n, 0.5 + static_cast<double>(random() % 3));
    auto order = choose_fronts<TypeParam>(sample.pattern, sample.values, 0.1);
    ASSERT_TRUE(order) << n;
    FrontalLu<TypeParam> lu(std::make_shared<const FrontOrder>(*std::move(order)));
    ASSERT_GT(lu.eliminate(sample.values, sample.column_sizes()), 1e-17);
    EXPECT_LT(error(lu, sample), 1e-10) << n;
    if constexpr (std::is_same_v<TypeParam, double>) {
      EXPECT_LT(error(lu, sample, true), 1e-10) << n;
    }
    ++solved;
  }
  EXPECT_EQ(solved, 150);
}

// Entries of [M Gᵀ; G 0] that differ by many decades; against full pivoting.
TYPED_TEST(FrontalLuOf, SolvesSaddlePointsAsWellAsFullPivoting) {
  Random random(12);
  int regular = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const auto sample = random_saddle<TypeParam>(random, 3 + trial % 6, trial % 4);
    const Eigen::FullPivLU<Eigen::MatrixX<TypeParam>> full(sample.dense());
    auto order = choose_fronts<TypeParam>(sample.pattern, sample.values, 0.1);
    if (!full.isInvertible()) continue;
    ++regular;
    ASSERT_TRUE(order) << trial;
    FrontalLu<TypeParam> lu(std::make_shared<const FrontOrder>(*std::move(order)));
    ASSERT_GT(lu.eliminate(sample.values, sample.column_sizes()), 0.0);
    EXPECT_LT(error(lu, sample), 1e-9) << trial;
    EXPECT_LE(lu.largest_multiplier(), 10.0 + 1e-9) << "pivots are at least a tenth of their columns";
  }
  EXPECT_GT(regular, 20);
}

// Other values on the same pattern: no new choice, and the multipliers show whether the pivots are still good.
TYPED_TEST(FrontalLuOf, EliminatesOtherValuesInTheSameOrder) {
  Random random(13);
  for (int trial = 0; trial < 30; ++trial) {
    auto sample = random_saddle<TypeParam>(random, 6, 0.0);
    auto order = choose_fronts<TypeParam>(sample.pattern, sample.values, 0.1);
    if (!order) continue;
    FrontalLu<TypeParam> lu(std::make_shared<const FrontOrder>(*std::move(order)));
    for (int again = 0; again < 5; ++again) {
      for (TypeParam& value : sample.values) value *= 1.0 + 0.05 * std::abs(random_number<TypeParam>(random));
      if (lu.eliminate(sample.values, sample.column_sizes()) == 0.0) continue;
      EXPECT_LT(error(lu, sample), 1e-12 * std::max(10.0, lu.largest_multiplier() * lu.largest_multiplier()));
    }
  }
}

// Nearly every pivot has to be the largest of its column, and the diagonal is tiny: many wait for their parents.
TYPED_TEST(FrontalLuOf, LetsSmallPivotsWait) {
  Random random(14);
  for (int trial = 0; trial < 40; ++trial) {
    const int n = 60;
    Entries<TypeParam> entries;
    for (int k = 0; k < n; ++k) entries.add(k, k, TypeParam(1e-14 * (1.0 + k % 3)));
    for (int k = 0; k < n; ++k)
      for (const int other : {(k + 1) % n, (k + 7) % n}) {
        const TypeParam value = random_number<TypeParam>(random);
        entries.add(k, other, value);
        entries.add(other, k, value);
      }
    const auto sample = entries.shuffled(n, random);
    auto order = choose_fronts<TypeParam>(sample.pattern, sample.values, 0.9);
    ASSERT_TRUE(order);
    FrontalLu<TypeParam> lu(std::make_shared<const FrontOrder>(*std::move(order)));
    ASSERT_GT(lu.eliminate(sample.values, sample.column_sizes()), 0.0);
    EXPECT_LT(error(lu, sample), 1e-11);
    EXPECT_LE(lu.largest_multiplier(), 1.0 / 0.9 + 1e-9);
  }
}

TYPED_TEST(FrontalLuOf, RefusesSingularMatrices) {
  Random random(15);
  int refused = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int n = 2 + static_cast<int>(random() % 40);
    auto sample = random_sample<TypeParam>(random, n, 2.0);
    const int zero = static_cast<int>(random() % n);  // a row, or a column, of zeros
    for (int j = 0; j < n; ++j)
      for (int e = sample.pattern.starts[j]; e < sample.pattern.starts[j + 1]; ++e)
        if ((trial % 2 == 0 ? j : sample.pattern.rows[e]) == zero) sample.values[e] = 0.0;
    refused += !choose_fronts<TypeParam>(sample.pattern, sample.values, 0.1);
  }
  EXPECT_EQ(refused, 60);
  const Pattern no_column = assemble(3, std::vector<Coordinate>{{0, 0}, {1, 0}, {2, 0}, {2, 1}}).pattern;
  EXPECT_FALSE(choose_fronts<TypeParam>(no_column, std::vector<TypeParam>(4, 1.0), 0.1));
}

// The second of two equal rows cancels up to rounding: no pivot of the size of its column is left.
TYPED_TEST(FrontalLuOf, TellsNearlySingularMatrices) {
  Random random(16);
  for (int trial = 0; trial < 40; ++trial) {
    const int n = 30;
    Entries<TypeParam> entries;
    for (int k = 0; k < n; ++k) entries.add(k, k, TypeParam(3.0));
    for (int k = 1; k < n; ++k)
      entries.add(k, k - 1, random_number<TypeParam>(random)), entries.add(k - 1, k, random_number<TypeParam>(random));
    for (const int col : {3, 9, 15}) {
      const TypeParam value = random_number<TypeParam>(random);
      entries.add(n, col, value);
      entries.add(n + 1, col, value);
    }
    for (const int row : {n, n + 1}) entries.add(row, n, 1.0), entries.add(row, n + 1, 1.0 + (row > n ? 1e-15 : 0.0));
    const auto sample = entries.shuffled(n + 2, random);
    auto order = choose_fronts<TypeParam>(sample.pattern, sample.values, 0.1);
    if (!order) continue;  // also an answer
    FrontalLu<TypeParam> lu(std::make_shared<const FrontOrder>(*std::move(order)));
    EXPECT_LT(lu.eliminate(sample.values, sample.column_sizes()), 1e-14);
  }
}

}  // namespace
}  // namespace driftless::linear
