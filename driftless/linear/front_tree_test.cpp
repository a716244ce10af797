#include "driftless/linear/front_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

namespace driftless::linear {
namespace {

// A rectangular lattice of nodes coupled to their neighbours.
Pattern lattice(int width, int height) {
  std::vector<Coordinate> coordinates;
  const auto at = [&](int i, int j) { return i * width + j; };
  for (int i = 0; i < height; ++i)
    for (int j = 0; j < width; ++j) {
      coordinates.push_back({at(i, j), at(i, j)});
      if (j > 0) coordinates.push_back({at(i, j), at(i, j - 1)}), coordinates.push_back({at(i, j - 1), at(i, j)});
      if (i > 0) coordinates.push_back({at(i, j), at(i - 1, j)}), coordinates.push_back({at(i - 1, j), at(i, j)});
    }
  return assemble(width * height, coordinates).pattern;
}

// The same in three dimensions.
Pattern cube(int width) {
  std::vector<Coordinate> coordinates;
  const int steps[] = {1, width, width * width};
  for (int k = 0; k < width * width * width; ++k) {
    coordinates.push_back({k, k});
    for (const int step : steps)
      if (k / step % width > 0) coordinates.push_back({k, k - step}), coordinates.push_back({k - step, k});
  }
  return assemble(width * width * width, coordinates).pattern;
}

Pattern random_pattern(std::mt19937_64& random, int n) {
  std::vector<Coordinate> coordinates;
  for (int k = 0; k < n; ++k) coordinates.push_back({k, k});
  for (int k = 0; k < 2 * n; ++k)
    coordinates.push_back({static_cast<int>(random() % n), static_cast<int>(random() % n)});
  return assemble(n, coordinates).pattern;
}

// Every place that an elimination in this order fills is in a front; children come before parents.
void expect_fronts_hold_the_fill(const Pattern& pattern, const std::vector<int>& part) {
  const FrontTree tree = make_front_tree(pattern, part);
  const int n = pattern.size;
  std::vector<int> place(n, -1), front_at(n);
  for (int k = 0; k < n; ++k) place[tree.order[k]] = k;
  EXPECT_EQ(std::ranges::count(place, -1), 0);
  int next = 0;
  std::vector<std::set<int>> beyond(tree.fronts.size());
  for (int f = 0; f < static_cast<int>(tree.fronts.size()); ++f) {
    const auto& [first, pivots, parent] = tree.fronts[f];
    EXPECT_EQ(first, next);
    next = first + pivots;
    EXPECT_TRUE(parent == -1 || parent > f);
    for (int k = first; k < next; ++k) front_at[k] = f;
    beyond[f].insert(tree.places.begin() + tree.starts[f], tree.places.begin() + tree.starts[f + 1]);
    EXPECT_TRUE(parent >= 0 || beyond[f].empty());
  }
  EXPECT_EQ(next, n);
  for (int f = 0; f < static_cast<int>(tree.fronts.size()); ++f)  // what is left has a place in the parent
    if (const int parent = tree.fronts[f].parent; parent >= 0) {
      for (const int k : beyond[f]) EXPECT_TRUE(front_at[k] == parent || beyond[parent].contains(k));
    }

  std::vector<std::set<int>> filled(n);
  for (int j = 0; j < n; ++j)
    for (int e = pattern.starts[j]; e < pattern.starts[j + 1]; ++e)
      if (part[j] == part[pattern.rows[e]]) {
        const int a = place[j], b = place[pattern.rows[e]];
        if (a != b) filled[std::min(a, b)].insert(std::max(a, b));
      }
  for (int k = 0; k < n; ++k)
    for (const int i : filled[k]) {
      EXPECT_TRUE(front_at[i] == front_at[k] || beyond[front_at[k]].contains(i));
      for (const int j : filled[k])
        if (j > i) filled[i].insert(j);
    }
}

TEST(FrontTree, HoldsTheFill) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const int n = 1 + static_cast<int>(random() % 60);
    std::vector<int> part(n);
    for (int& p : part) p = trial % 2 == 0 ? 0 : static_cast<int>(random() % 3);
    expect_fronts_hold_the_fill(random_pattern(random, n), part);
  }
  expect_fronts_hold_the_fill(lattice(20, 20), std::vector<int>(400, 0));
}

// Nested dissection would fill 31/4 n log2 n entries of a square lattice (George 1973); joining adds little.
TEST(FrontTree, FillsALatticeLikeNLogN) {
  for (const int width : {32, 64, 128}) {
    const int n = width * width;
    const FrontTree tree = make_front_tree(lattice(width, width), std::vector<int>(n, 0));
    double entries = 0.0;
    for (std::size_t f = 0; f < tree.fronts.size(); ++f) {
      const double pivots = tree.fronts[f].pivots, size = pivots + tree.starts[f + 1] - tree.starts[f];
      entries += pivots * size - pivots * (pivots - 1.0) / 2.0;
    }
    EXPECT_LT(entries, 31.0 / 4.0 * n * std::log2(n)) << width;
  }
}

double operations_of(const FrontTree& tree) {
  double sum = 0.0;
  for (std::size_t f = 0; f < tree.fronts.size(); ++f)
    for (int k = 0; k < tree.fronts[f].pivots; ++k)
      sum += std::pow(tree.fronts[f].pivots - k + tree.starts[f + 1] - tree.starts[f], 2.0);
  return sum;
}

// AMD alone takes 3.1e8 operations for a cube of 20 x 20 x 20 unknowns, dissection 1.4e8. Its order is as sound.
TEST(FrontTree, DissectsWhatFillsMuch) {
  EXPECT_LT(operations_of(make_front_tree(cube(20), std::vector<int>(8000, 0))), 2e8);
  std::vector<int> part(4096, 0);
  for (int k = 2048; k < 4096; ++k) part[k] = 1;
  expect_fronts_hold_the_fill(cube(16), part);
}

// The last part is eliminated first: the others depend on it.
TEST(FrontTree, TakesTheLastPartFirst) {
  const Pattern pattern =
      assemble(4, std::vector<Coordinate>{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {0, 2}, {1, 3}, {3, 1}}).pattern;
  const FrontTree tree = make_front_tree(pattern, std::vector<int>{0, 1, 2, 1});
  EXPECT_EQ(tree.order.front(), 2);
  EXPECT_EQ(tree.order.back(), 0);
  EXPECT_EQ(tree.fronts.size(), 3U);
}

}  // namespace
}  // namespace driftless::linear
