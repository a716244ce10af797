#include "driftless/linear/transversal.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "driftless/linear/largest_transversal.hpp"
#include "driftless/linear/parts.hpp"

namespace driftless::linear {
namespace {

Pattern random_pattern(std::mt19937_64& random, int n, int entries) {
  std::vector<Coordinate> coordinates;
  for (int k = 0; k < entries; ++k)
    coordinates.push_back({static_cast<int>(random() % n), static_cast<int>(random() % n)});
  return assemble(n, coordinates).pattern;
}

bool has(const Pattern& pattern, int row, int col) {
  return std::binary_search(pattern.rows.begin() + pattern.starts[col], pattern.rows.begin() + pattern.starts[col + 1],
                            row);
}

// The columns from which augmenting ways start reach rows that all have columns: then no transversal is larger (Berge).
bool leaves_no_way(const Pattern& pattern, const std::vector<int>& column_of) {
  const std::set<int> matched(column_of.begin(), column_of.end());
  std::vector<int> queue;
  std::set<int> seen;
  for (int j = 0; j < pattern.size; ++j)
    if (!matched.contains(j)) queue.push_back(j), seen.insert(j);
  for (std::size_t k = 0; k < queue.size(); ++k)
    for (int e = pattern.starts[queue[k]]; e < pattern.starts[queue[k] + 1]; ++e) {
      const int next = column_of[pattern.rows[e]];
      if (next < 0) return false;
      if (seen.insert(next).second) queue.push_back(next);
    }
  return true;
}

TEST(Transversal, IsMaximum) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 1 + static_cast<int>(random() % 40);
    const Pattern pattern = random_pattern(random, n, static_cast<int>(random() % (4 * n)));
    const std::vector<int> column_of = maximum_transversal(pattern);
    std::set<int> columns;
    for (int i = 0; i < n; ++i)
      if (column_of[i] >= 0) {
        EXPECT_TRUE(has(pattern, i, column_of[i]));
        EXPECT_TRUE(columns.insert(column_of[i]).second);
      }
    EXPECT_TRUE(leaves_no_way(pattern, column_of));
  }
}

TEST(LargestTransversal, HasTheLargestProduct) {
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> exponent(-8.0, 8.0);
  int found = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + static_cast<int>(random() % 6);
    const Pattern pattern = random_pattern(random, n, 3 * n);
    std::vector<double> sizes;
    for (std::size_t e = 0; e < pattern.rows.size(); ++e) sizes.push_back(std::pow(10.0, exponent(random)));
    const auto size_at = [&](int row, int col) {
      for (int e = pattern.starts[col]; e < pattern.starts[col + 1]; ++e)
        if (pattern.rows[e] == row) return sizes[e];
      return 0.0;
    };
    const auto product_of = [&](const std::vector<int>& rows) {
      double product = 1.0;
      for (int j = 0; j < n; ++j) product *= size_at(rows[j], j);
      return product;
    };
    std::vector<int> rows(n);
    std::iota(rows.begin(), rows.end(), 0);
    double best = 0.0;
    do best = std::max(best, product_of(rows));
    while (std::ranges::next_permutation(rows).found);
    const std::vector<int> ours = largest_transversal(pattern, sizes);
    ASSERT_EQ(ours.empty(), best == 0.0);
    if (ours.empty()) continue;
    ++found;
    EXPECT_NEAR(product_of(ours) / best, 1.0, 1e-9);
    std::vector<int> sorted = ours;
    std::ranges::sort(sorted);
    std::iota(rows.begin(), rows.end(), 0);
    EXPECT_EQ(sorted, rows);
  }
  EXPECT_GT(found, 50);
}

// Two columns share the one row with a large entry: one of them has to take a zero.
TEST(LargestTransversal, TakesZerosWhereNothingElseIsLeft) {
  const Pattern pattern = assemble(2, std::vector<Coordinate>{{0, 0}, {0, 1}, {1, 1}}).pattern;
  EXPECT_EQ(largest_transversal(pattern, std::vector<double>{1.0, 5.0, 0.0}), (std::vector<int>{0, 1}));
}

// Rows and columns of a part reach each other; what is outside is above the diagonal.
TEST(Parts, AreBlockTriangularAndIrreducible) {
  std::mt19937_64 random(7);
  int several = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 2 + static_cast<int>(random() % 25);
    const Pattern pattern = random_pattern(random, n, 3 * n);
    const Parts parts(pattern);
    ASSERT_EQ(parts.regular, std::ranges::count(maximum_transversal(pattern), -1) == 0);
    if (!parts.regular) continue;
    several += parts.lines.size() > 1;
    for (int j = 0; j < n; ++j)
      for (int e = pattern.starts[j]; e < pattern.starts[j + 1]; ++e)
        EXPECT_LE(parts.of_row[pattern.rows[e]], parts.of_column[j]);
    EXPECT_EQ(std::accumulate(parts.lines.begin(), parts.lines.end(), 0), n);
  }
  EXPECT_GT(several, 10);
}

}  // namespace
}  // namespace driftless::linear
