#include "driftless/connections/connection_graph.hpp"

#include <algorithm>

#include "driftless/connections/union_find.hpp"

namespace driftless::connections {
namespace {

constexpr std::size_t most_problems = 10;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// The edges that were kept, as neighbours of each node.
class Forest {
 public:
  struct Step {
    int node, edge;  // edge: a place in `branches`, or -1 for a connect
  };

  explicit Forest(int nodes) : neighbours_(at(nodes)) {}

  void add(const Edge& edge, int branch) {
    neighbours_[at(edge.a)].push_back({edge.b, branch});
    neighbours_[at(edge.b)].push_back({edge.a, branch});
  }
  const std::vector<Step>& of(int node) const { return neighbours_[at(node)]; }

  // The edges from one node of a tree to another.
  std::vector<int> way(int from, int to) const {
    std::vector<Step> came(neighbours_.size(), {-1, -1});
    std::vector<int> queue{to};  // backwards, so that following `came` leads from `from` to `to`
    came[at(to)].node = to;
    for (std::size_t k = 0; k < queue.size() && came[at(from)].node < 0; ++k)
      for (const Step& step : of(queue[k]))
        if (came[at(step.node)].node < 0) {
          came[at(step.node)] = {queue[k], step.edge};
          queue.push_back(step.node);
        }
    std::vector<int> edges;
    for (int node = from; node != to; node = came[at(node)].node) edges.push_back(came[at(node)].edge);
    return edges;
  }

 private:
  std::vector<std::vector<Step>> neighbours_;
};

class Spanning {
 public:
  explicit Spanning(const ConnectionGraph& graph)
      : graph_(graph), trees_(at(graph.nodes)), kept_(graph.nodes), definite_(at(graph.nodes), -1) {
    result_.root.assign(at(graph.nodes), -1);
    result_.parent.assign(at(graph.nodes), -1);
  }

  SpanningForest run() && {
    keep_branches();
    place_roots();
    keep_connects();
    choose_potential_roots();
    for (int node = 0; node < graph_.nodes; ++node)
      if (definite_[at(trees_.root(node))] == node) orient_from(node);
    report_rootless();
    return std::move(result_);
  }

 private:
  void keep_branches() {
    for (int k = 0; k < static_cast<int>(graph_.branches.size()); ++k) {
      const Edge& edge = graph_.branches[at(k)];
      if (trees_.unite(edge.a, edge.b))
        kept_.add(edge, k);
      else if (result_.problems.size() < most_problems)
        result_.problems.push_back(LoopOfBranches{k, kept_.way(edge.b, edge.a)});
    }
  }

  void place_roots() {
    for (const int node : graph_.roots) {
      int& root = definite_[at(trees_.root(node))];
      if (root < 0)
        root = node;
      else if (root != node && result_.problems.size() < most_problems)
        result_.problems.push_back(TwoRoots{root, node, kept_.way(root, node)});
    }
  }

  void keep_connects() {
    for (int k = 0; k < static_cast<int>(graph_.connects.size()); ++k) {
      const Edge& edge = graph_.connects[at(k)];
      const int a = definite_[at(trees_.root(edge.a))], b = definite_[at(trees_.root(edge.b))];
      if ((a >= 0 && b >= 0) || !trees_.unite(edge.a, edge.b)) {
        result_.broken.push_back(k);
        continue;
      }
      definite_[at(trees_.root(edge.a))] = std::max(a, b);
      kept_.add(edge, -1);
    }
  }

  void choose_potential_roots() {
    std::vector<const PotentialRoot*> best(at(graph_.nodes), nullptr);
    for (const PotentialRoot& candidate : graph_.potential_roots) {
      const PotentialRoot*& chosen = best[at(trees_.root(candidate.node))];
      if (!chosen || candidate.priority < chosen->priority ||
          (candidate.priority == chosen->priority && candidate.node < chosen->node))
        chosen = &candidate;
    }
    for (int tree = 0; tree < graph_.nodes; ++tree)
      if (best[at(tree)] && definite_[at(tree)] < 0) definite_[at(tree)] = best[at(tree)]->node;
  }

  void orient_from(int root) {
    std::vector<int> queue{root};
    result_.root[at(root)] = root;
    for (std::size_t k = 0; k < queue.size(); ++k)
      for (const Forest::Step& step : kept_.of(queue[k]))
        if (result_.root[at(step.node)] < 0) {
          result_.root[at(step.node)] = root;
          result_.parent[at(step.node)] = queue[k];
          queue.push_back(step.node);
        }
  }

  void report_rootless() {
    std::vector<std::vector<int>> members(at(graph_.nodes));
    for (int node = 0; node < graph_.nodes; ++node)
      if (result_.root[at(node)] < 0) members[at(trees_.root(node))].push_back(node);
    for (std::vector<int>& nodes : members)
      if (!nodes.empty() && result_.problems.size() < most_problems)
        result_.problems.push_back(NoRoot{std::move(nodes)});
  }

  const ConnectionGraph& graph_;
  UnionFind trees_;
  Forest kept_;
  std::vector<int> definite_;  // by the smallest node of a tree: its root, or -1
  SpanningForest result_;
};

// "a - b - c": the nodes along the edges, from `start` on.
std::string walk(int start, const std::vector<int>& edges, const ConnectionGraph& graph,
                 std::span<const std::string> names) {
  std::string text = names[at(start)];
  int node = start;
  for (const int k : edges) {
    const Edge& edge = graph.branches[at(k)];
    node = edge.a == node ? edge.b : edge.a;
    text += " - " + names[at(node)];
  }
  return text;
}

struct Explanation {
  const ConnectionGraph& graph;
  std::span<const std::string> names;

  std::string operator()(const LoopOfBranches& loop) const {
    const Edge& edge = graph.branches[at(loop.edge)];
    return "the branches " + names[at(edge.a)] + " - " + walk(edge.b, loop.others, graph, names) + " form a loop";
  }
  std::string operator()(const TwoRoots& two) const {
    return names[at(two.first)] + " and " + names[at(two.second)] + " are both roots, but the branches " +
           walk(two.first, two.way, graph, names) + " connect them";
  }
  std::string operator()(const NoRoot& tree) const {
    constexpr std::size_t listed = 5;
    std::string text = "no root or potential root is connected to ";
    for (std::size_t k = 0; k < std::min(listed, tree.nodes.size()); ++k)
      text += (k == 0 ? "" : ", ") + names[at(tree.nodes[k])];
    if (tree.nodes.size() > listed) text += " and " + std::to_string(tree.nodes.size() - listed) + " others";
    return text;
  }
};

}  // namespace

SpanningForest span(const ConnectionGraph& graph) { return Spanning(graph).run(); }

std::string explain(const GraphProblem& problem, const ConnectionGraph& graph, std::span<const std::string> names) {
  return std::visit(Explanation{graph, names}, problem);
}

}  // namespace driftless::connections
