#include "driftless/linear/markowitz.hpp"

#include <cmath>
#include <random>
#include <set>

namespace driftless::linear {
namespace {

using Random = std::mt19937_64;

struct Sample {
  Pattern pattern;
  std::vector<double> values;
};

Sample sample_of(int n, const std::vector<Coordinate>& coordinates, const std::vector<double>& values) {
  const Assembly assembly = assemble(n, coordinates);
  Sample sample{assembly.pattern, std::vector<double>(assembly.pattern.rows.size(), 0.0)};
  for (std::size_t k = 0; k < coordinates.size(); ++k) sample.values[assembly.position[k]] = values[k];
  return sample;
}

// With a hidden transversal.
Sample random_sample(Random& random, int n, double fill) {
  std::uniform_real_distribution<double> number(-1.0, 1.0), share(0.0, 1.0);
  std::vector<int> transversal(n);
  for (int i = 0; i < n; ++i) transversal[i] = i;
  std::ranges::shuffle(transversal, random);
  std::vector<Coordinate> coordinates;
  std::vector<double> values;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (j == transversal[i] || share(random) < fill) {
        coordinates.push_back({i, j});
        values.push_back(number(random) + (j == transversal[i] ? 2.0 : 0.0));
      }
  return sample_of(n, coordinates, values);
}

// The places that an elimination in this order fills: those of the matrix, and (i, j) where (i, k) and (k, j) are
// filled.
std::set<std::pair<int, int>> filled_places(const Pattern& pattern, const PivotOrder& order) {
  const int n = pattern.size;
  std::vector<int> place(n);
  for (int k = 0; k < n; ++k) place[order.rows[k]] = k;
  std::set<std::pair<int, int>> filled;
  for (int k = 0; k < n; ++k)
    for (int e = pattern.starts[order.columns[k]]; e < pattern.starts[order.columns[k] + 1]; ++e)
      filled.insert({place[pattern.rows[e]], k});
  for (int k = 0; k < order.sparse; ++k)
    for (int i = k + 1; i < n; ++i)
      if (filled.contains({i, k}))
        for (int j = k + 1; j < n; ++j)
          if (filled.contains({k, j})) filled.insert({i, j});
  return filled;
}

TEST(Markowitz, NamesEveryPlaceThatIsFilled) {
  Random random(4);
  for (int trial = 0; trial < 60; ++trial) {
    const int n = 1 + static_cast<int>(random() % 30);
    const Sample sample = random_sample(random, n, 2.0 / n);
    const auto order = choose_pivots<double>(sample.pattern, sample.values, 0.1);
    if (!order) continue;  // a random matrix may be singular
    std::set<std::pair<int, int>> expected, found;
    for (const auto& [i, j] : filled_places(sample.pattern, *order))
      if (i != j && std::min(i, j) < order->sparse) expected.insert({i, j});
    for (int j = 0; j < order->sparse; ++j)
      for (int e = order->lower.starts[j]; e < order->lower.starts[j + 1]; ++e) found.insert({order->lower.rows[e], j});
    for (int j = 0; j < n; ++j)
      for (int e = order->upper.starts[j]; e < order->upper.starts[j + 1]; ++e) found.insert({order->upper.rows[e], j});
    EXPECT_EQ(found, expected);
    EXPECT_TRUE(std::ranges::is_permutation(order->rows, order->columns));
  }
}

// A diagonal with a full row and column: starting at the tip of the arrow fills everything.
TEST(Markowitz, FillsNothingWhereNothingMustBeFilled) {
  const int n = 50;
  std::vector<Coordinate> coordinates;
  std::vector<double> values;
  for (int k = 0; k < n; ++k) {
    coordinates.push_back({k, k}), values.push_back(4.0);
    if (k > 0) coordinates.insert(coordinates.end(), {{0, k}, {k, 0}}), values.insert(values.end(), {1.0, 1.0});
  }
  const Sample sample = sample_of(n, coordinates, values);
  const auto order = choose_pivots<double>(sample.pattern, sample.values, 0.1);
  ASSERT_TRUE(order);
  EXPECT_EQ(filled_places(sample.pattern, *order).size(), coordinates.size());
}

// A triangular matrix in disguise has no fill and no dense block, whatever the order of its rows and columns.
TEST(Markowitz, FindsTriangles) {
  Random random(9);
  const int n = 40;
  std::vector<int> rows(n), columns(n);
  for (int k = 0; k < n; ++k) rows[k] = columns[k] = k;
  std::ranges::shuffle(rows, random);
  std::ranges::shuffle(columns, random);
  std::vector<Coordinate> coordinates;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      if (i == j || random() % 5 == 0) coordinates.push_back({rows[i], columns[j]});
  const Sample sample = sample_of(n, coordinates, std::vector<double>(coordinates.size(), 1.0));
  const auto order = choose_pivots<double>(sample.pattern, sample.values, 0.1);
  ASSERT_TRUE(order);
  EXPECT_EQ(filled_places(sample.pattern, *order).size(), coordinates.size());
  EXPECT_EQ(order->sparse, n);
}

// An arrow whose shaft is thin: its entries are pivots without fill as long as they are allowed to be so small.
TEST(Markowitz, PrefersSparsityUpToTheThreshold) {
  const int n = 30;
  std::vector<Coordinate> coordinates;
  std::vector<double> values;
  for (int k = 0; k < n; ++k) {
    coordinates.push_back({k, k}), values.push_back(0.05);
    if (k > 0) coordinates.insert(coordinates.end(), {{0, k}, {k, 0}}), values.insert(values.end(), {1.0, 1.0 / k});
  }
  const Sample sample = sample_of(n, coordinates, values);
  const auto fill = [&](double threshold) {
    const auto order = choose_pivots<double>(sample.pattern, sample.values, threshold);
    return filled_places(sample.pattern, *order).size() - coordinates.size();
  };
  EXPECT_EQ(fill(0.01), 0U);
  EXPECT_GT(fill(0.1), 0U);
}

TEST(Markowitz, RefusesSingularMatrices) {
  const Sample no_column = sample_of(3, {{0, 0}, {1, 0}, {2, 0}, {2, 1}}, {1.0, 1.0, 1.0, 1.0});
  EXPECT_FALSE(choose_pivots<double>(no_column.pattern, no_column.values, 0.1));
  const Sample same_rows =
      sample_of(5, {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}}, {1.0, 2.0, 1.0, 2.0, 1.0, 1.0, 1.0});
  EXPECT_FALSE(choose_pivots<double>(same_rows.pattern, same_rows.values, 0.1));
}

}  // namespace
}  // namespace driftless::linear
