#include "driftless/connections/connection_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "driftless/connections/union_find.hpp"

namespace driftless::connections {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> letters(int n) {
  std::vector<std::string> names;
  for (int k = 0; k < n; ++k) names.emplace_back(1, static_cast<char>('a' + k));
  return names;
}

// A four-bar linkage: world (a) - joint - bar - joint - bar - joint, and the last connect closes the loop.
TEST(ConnectionGraph, ALoopOfBarsIsBrokenOnce) {
  const ConnectionGraph graph{.nodes = 6,
                              .branches = {{1, 2}, {3, 4}},
                              .connects = {{0, 1}, {2, 3}, {4, 5}, {5, 0}},
                              .roots = {0},
                              .potential_roots = {{3, 0}}};
  const SpanningForest forest = span(graph);
  EXPECT_THAT(forest.problems, IsEmpty());
  EXPECT_THAT(forest.broken, ElementsAre(3));
  EXPECT_THAT(forest.parent, ElementsAre(-1, 0, 1, 2, 3, 4));
  EXPECT_TRUE(forest.is_root(0));
  EXPECT_FALSE(forest.is_root(3));
  EXPECT_TRUE(forest.rooted(1, 2));
  EXPECT_FALSE(forest.rooted(2, 1));
}

TEST(ConnectionGraph, BetweenTwoRootsAConnectIsBroken) {
  const SpanningForest forest = span({.nodes = 3, .connects = {{0, 1}, {1, 2}}, .roots = {0, 2}});
  EXPECT_THAT(forest.problems, IsEmpty());
  EXPECT_THAT(forest.broken, ElementsAre(1));
  EXPECT_THAT(forest.root, ElementsAre(0, 0, 2));
}

TEST(ConnectionGraph, TheSmallestPriorityIsTheRootOfATreeWithoutOne) {
  EXPECT_THAT(span({.nodes = 3, .connects = {{0, 1}, {1, 2}}, .potential_roots = {{0, 5}, {2, 1}, {1, 1}}}).root,
              ElementsAre(1, 1, 1));
  EXPECT_THAT(span({.nodes = 2, .connects = {{0, 1}}, .roots = {1}, .potential_roots = {{0, -7}}}).root,
              ElementsAre(1, 1));
}

TEST(ConnectionGraph, ProblemsNameTheNodes) {
  const auto told = [](const ConnectionGraph& graph) {
    std::vector<std::string> texts;
    for (const GraphProblem& problem : span(graph).problems) texts.push_back(explain(problem, graph, letters(12)));
    return texts;
  };
  EXPECT_THAT(told({.nodes = 4, .branches = {{0, 1}, {2, 1}, {2, 3}, {3, 0}}, .roots = {0}}),
              ElementsAre("the branches d - a - b - c - d form a loop"));
  EXPECT_THAT(told({.nodes = 1, .branches = {{0, 0}}, .roots = {0}}), ElementsAre("the branches a - a form a loop"));
  EXPECT_THAT(told({.nodes = 3, .branches = {{0, 1}, {2, 1}}, .roots = {2, 0, 2}}),
              ElementsAre("c and a are both roots, but the branches c - b - a connect them"));
  EXPECT_THAT(told({.nodes = 3, .connects = {{0, 2}}, .roots = {1}}),
              ElementsAre("no root or potential root is connected to a, c"));
  EXPECT_THAT(told({.nodes = 8, .branches = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}}, .roots = {7}}),
              ElementsAre("no root or potential root is connected to a, b, c, d, e and 2 others"));
}

bool is_forest_with_roots(const ConnectionGraph& graph, unsigned kept) {
  UnionFind trees(static_cast<std::size_t>(graph.nodes));
  for (const Edge& edge : graph.branches)
    if (!trees.unite(edge.a, edge.b)) return false;
  for (std::size_t k = 0; k < graph.connects.size(); ++k)
    if ((kept >> k & 1U) && !trees.unite(graph.connects[k].a, graph.connects[k].b)) return false;
  std::set<int> with_root;
  const std::set<int> roots(graph.roots.begin(), graph.roots.end());
  return std::ranges::all_of(roots, [&](int node) { return with_root.insert(trees.root(node)).second; });
}

TEST(ConnectionGraph, OfRandomGraphsIsCutAsRarelyAsPossible) {
  std::mt19937 random(11);
  int clean = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    ConnectionGraph graph{.nodes = 1 + static_cast<int>(random() % 7)};
    const auto any = [&] { return static_cast<int>(random() % static_cast<unsigned>(graph.nodes)); };
    for (auto k = random() % 3; k > 0; --k) graph.branches.push_back({any(), any()});
    for (auto k = random() % 9; k > 0; --k) graph.connects.push_back({any(), any()});
    for (auto k = random() % 3; k > 0; --k) graph.roots.push_back(any());
    for (auto k = random() % 4; k > 0; --k) graph.potential_roots.push_back({any(), static_cast<int>(random() % 3)});
    const SpanningForest forest = span(graph);

    unsigned kept = (1U << graph.connects.size()) - 1;
    for (const int k : forest.broken) kept &= ~(1U << static_cast<unsigned>(k));
    int most = -1;  // over all ways to break connects
    for (unsigned subset = 0; subset < 1U << graph.connects.size(); ++subset)
      if (is_forest_with_roots(graph, subset)) most = std::max(most, __builtin_popcount(subset));

    bool only_rootless = true;
    for (const GraphProblem& problem : forest.problems)
      only_rootless = only_rootless && std::holds_alternative<NoRoot>(problem);
    EXPECT_EQ(only_rootless, most >= 0);
    if (most < 0) continue;
    EXPECT_TRUE(is_forest_with_roots(graph, kept));
    EXPECT_EQ(__builtin_popcount(kept), most);

    // Parents lead to the root along kept edges, and each tree has one root, of the smallest priority.
    std::set<std::pair<int, int>> edges;
    const auto add = [&](const Edge& edge) { edges.insert({edge.a, edge.b}), edges.insert({edge.b, edge.a}); };
    for (const Edge& edge : graph.branches) add(edge);
    for (std::size_t k = 0; k < graph.connects.size(); ++k)
      if (kept >> k & 1U) add(graph.connects[k]);
    if (!forest.problems.empty()) continue;
    ++clean;
    for (int node = 0; node < graph.nodes; ++node) {
      int up = node;
      for (int steps = 0; !forest.is_root(up); ++steps) {
        const int parent = forest.parent[static_cast<std::size_t>(up)];
        ASSERT_TRUE(edges.contains({up, parent}));
        ASSERT_LT(steps, graph.nodes);
        up = parent;
      }
      EXPECT_EQ(up, forest.root[static_cast<std::size_t>(node)]);
      EXPECT_TRUE(!std::ranges::count(graph.roots, node) || up == node);
      const auto priority_of = [&](int which) {
        std::int64_t least = 1000;
        for (const PotentialRoot& candidate : graph.potential_roots)
          if (candidate.node == which) least = std::min(least, candidate.priority);
        return least;
      };
      if (!std::ranges::count(graph.roots, up)) {
        EXPECT_LE(priority_of(up), priority_of(node));
      }
    }
  }
  EXPECT_GT(clean, 500);
}

// A chain of 200,000 nodes, closed to a ring: no recursion, and linear cost.
TEST(ConnectionGraph, LongChainsAreSpanned) {
  ConnectionGraph graph{.nodes = 200'000, .roots = {0}};
  for (int k = 0; k < graph.nodes; ++k) graph.connects.push_back({k, (k + 1) % graph.nodes});
  const SpanningForest forest = span(graph);
  EXPECT_THAT(forest.problems, IsEmpty());
  EXPECT_THAT(forest.broken, ElementsAre(graph.nodes - 1));
  EXPECT_EQ(forest.parent.back(), graph.nodes - 2);
}

}  // namespace
}  // namespace driftless::connections
