// Overconstrained connections (Modelica 3.6, Section 9.4). A connector may contain more variables than it has degrees
// of freedom, like a rotation matrix: equalities around a loop of such connectors are redundant. So the graph of the
// connectors is cut into trees, and at each cut the equalities are replaced by equalityConstraint.
//
// Nodes are the overdetermined records (frame.R) of connector instances, numbered in the order of their declaration.
// Connections.branch(a, b) is a required edge, connect(x, y) an optional one. Connections.root(a) makes a the root of
// its tree; Connections.potentialRoot(a, priority) allows it.
//
// The instance tree calls `span` once for the whole model, after conditional components are removed, and then
//  - writes for an edge in `broken` equalityConstraint(a.R, b.R) = 0 instead of equalities of the variables in R (the
//    pairs of all other variables of that connect go to connection_sets as usual);
//  - gives Connections.isRoot(a) the value is_root(a), and Connections.rooted(a), where a has one branch (a, b), the
//    value rooted(a, b): a is nearer to the root than b.
// A forest with problems must not be used.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace driftless::connections {

struct Edge {
  int a, b;
};

struct PotentialRoot {
  int node;
  std::int64_t priority = 0;  // the smallest is chosen, the first declared among equals
};

struct ConnectionGraph {
  int nodes = 0;
  std::vector<Edge> branches = {};  // required
  std::vector<Edge> connects = {};  // optional
  std::vector<int> roots = {};      // a node may be given several times
  std::vector<PotentialRoot> potential_roots = {};
};

// The branch `edge` closes a loop with these other branches, in the order of the loop from its node a.
struct LoopOfBranches {
  int edge;
  std::vector<int> others;
};
// Two roots that branches alone connect: the branches on the path between them.
struct TwoRoots {
  int first, second;
  std::vector<int> way;
};
// A tree in which no node is a root or a potential root.
struct NoRoot {
  std::vector<int> nodes;
};
using GraphProblem = std::variant<LoopOfBranches, TwoRoots, NoRoot>;

struct SpanningForest {
  std::vector<int> broken;             // places in `connects`, ascending: as few as possible
  std::vector<int> root;               // of the tree that contains each node
  std::vector<int> parent;             // towards the root; -1 for the root
  std::vector<GraphProblem> problems;  // the first ten of them

  bool is_root(int node) const { return parent[static_cast<std::size_t>(node)] < 0; }
  bool rooted(int a, int b) const { return parent[static_cast<std::size_t>(b)] == a; }
};

// Keeps all branches, then of the connects in their order each one that joins two trees, unless both have a root by
// Connections.root. By the exchange property of forests no other order cuts fewer edges. The cost is linear in nodes
// and edges.
SpanningForest span(const ConnectionGraph& graph);

// As text, with the names of the nodes: "the branches world.frame_b - a.frame - world.frame_b form a loop".
std::string explain(const GraphProblem& problem, const ConnectionGraph& graph, std::span<const std::string> names);

}  // namespace driftless::connections
