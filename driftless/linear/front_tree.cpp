#include "driftless/linear/front_tree.hpp"

#include <amd.h>
#include <cholmod.h>

#include <algorithm>
#include <new>
#include <numeric>
#include <utility>

namespace driftless::linear {
namespace {

// The neighbours of every unknown in the graph of A + A^T.
struct Graph {
  std::vector<int> starts, neighbours;

  std::span<const int> of(int k) const { return std::span(neighbours).subspan(starts[k], starts[k + 1] - starts[k]); }
};

Graph graph_of(const Pattern& pattern, std::span<const int> part) {
  const int n = pattern.size;
  Graph both{std::vector<int>(n + 1, 0), {}};
  const auto for_each_pair = [&](auto&& use) {
    for (int j = 0; j < n; ++j)
      for (int e = pattern.starts[j]; e < pattern.starts[j + 1]; ++e)
        if (const int i = pattern.rows[e]; i != j && part[i] == part[j]) use(i, j), use(j, i);
  };
  for_each_pair([&](int i, int) { ++both.starts[i + 1]; });
  std::partial_sum(both.starts.begin(), both.starts.end(), both.starts.begin());
  both.neighbours.resize(both.starts.back());
  std::vector<int> next(both.starts.begin(), both.starts.end() - 1);
  for_each_pair([&](int i, int j) { both.neighbours[next[i]++] = j; });

  Graph result{{0}, {}};
  result.neighbours.reserve(both.neighbours.size());
  for (int k = 0; k < n; ++k) {
    const auto begin = both.neighbours.begin() + both.starts[k], end = both.neighbours.begin() + both.starts[k + 1];
    std::sort(begin, end);
    result.neighbours.insert(result.neighbours.end(), begin, std::unique(begin, end));
    result.starts.push_back(static_cast<int>(result.neighbours.size()));
  }
  return result;
}

Graph renumbered(const Graph& graph, const std::vector<int>& order) {
  const int n = static_cast<int>(order.size());
  std::vector<int> place(n);
  for (int k = 0; k < n; ++k) place[order[k]] = k;
  Graph result{{0}, {}};
  result.neighbours.reserve(graph.neighbours.size());
  for (const int node : order) {
    for (const int other : graph.of(node)) result.neighbours.push_back(place[other]);
    result.starts.push_back(static_cast<int>(result.neighbours.size()));
  }
  return result;
}

std::vector<int> order_with_little_fill(const Graph& graph) {
  const int n = static_cast<int>(graph.starts.size()) - 1;
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  if (graph.neighbours.empty()) return order;
  if (amd_order(n, graph.starts.data(), graph.neighbours.data(), order.data(), nullptr, nullptr) != AMD_OK)
    throw std::bad_alloc();  // the only possible error with such a graph
  return order;
}

// By nested dissection; empty if METIS refuses. CHOLMOD takes the upper triangle of the pattern.
std::vector<int> order_by_dissection(const Graph& graph) {
  const int n = static_cast<int>(graph.starts.size()) - 1;
  Graph upper{{0}, {}};
  for (int k = 0; k < n; ++k) {
    for (const int other : graph.of(k))
      if (other < k) upper.neighbours.push_back(other);
    upper.starts.push_back(static_cast<int>(upper.neighbours.size()));
  }
  cholmod_sparse matrix{};
  matrix.nrow = matrix.ncol = static_cast<std::size_t>(n);
  matrix.nzmax = upper.neighbours.size();
  matrix.p = upper.starts.data();
  matrix.i = upper.neighbours.data();
  matrix.stype = matrix.sorted = matrix.packed = 1;
  matrix.itype = CHOLMOD_INT;
  matrix.xtype = CHOLMOD_PATTERN;
  matrix.dtype = CHOLMOD_DOUBLE;
  cholmod_common common;
  cholmod_start(&common);
  common.print = 0;
  std::vector<int> order(n);
  if (!cholmod_metis(&matrix, nullptr, 0, 0, order.data(), &common)) order.clear();
  cholmod_finish(&common);
  return order;
}

// The parent of each place (Liu 1990, with path compression).
std::vector<int> elimination_tree(const Graph& graph) {
  const int n = static_cast<int>(graph.starts.size()) - 1;
  std::vector<int> parent(n, -1), ancestor(n, -1);
  for (int k = 0; k < n; ++k)
    for (int i : graph.of(k))
      while (i >= 0 && i < k) {
        const int next = ancestor[i];
        ancestor[i] = k;
        if (next < 0) parent[i] = k;
        i = next;
      }
  return parent;
}

// Children before parents, subtree by subtree; the trees of the last part first.
std::vector<int> postorder(const std::vector<int>& parent, const std::vector<int>& part) {
  const int n = static_cast<int>(parent.size());
  std::vector<int> child(n, -1), sibling(n, -1), roots, result, stack;
  for (int k = n - 1; k >= 0; --k) {
    if (parent[k] < 0)
      roots.push_back(k);
    else
      sibling[k] = std::exchange(child[parent[k]], k);
  }
  std::ranges::stable_sort(roots, [&](int a, int b) { return part[a] > part[b]; });
  for (const int root : roots) {
    stack.push_back(root);
    while (!stack.empty()) {
      const int k = stack.back();
      if (child[k] >= 0) {
        stack.push_back(std::exchange(child[k], -1));
        continue;
      }
      stack.pop_back();
      result.push_back(k);
      if (!stack.empty() && sibling[k] >= 0) stack.push_back(sibling[k]);
    }
  }
  return result;
}

// The number of entries of the column of each place from the diagonal on, itself included.
std::vector<int> filled_counts(const Graph& graph, const std::vector<int>& parent) {
  const int n = static_cast<int>(parent.size());
  std::vector<int> count(n, 1), seen(n, -1);
  for (int i = 0; i < n; ++i) {
    seen[i] = i;
    for (int j : graph.of(i))
      for (; j < i && seen[j] != i; j = parent[j]) {
        seen[j] = i;
        ++count[j];
      }
  }
  return count;
}

// Multiplications of an elimination in this order, up to a constant factor.
double operations(const Graph& graph, const std::vector<int>& order) {
  const Graph in_order = renumbered(graph, order);
  double sum = 0.0;
  for (const int count : filled_counts(in_order, elimination_tree(in_order))) sum += static_cast<double>(count) * count;
  return sum;
}

// Dissection takes longer than AMD, some 10,000 operations for each unknown. It is tried where elimination takes more.
std::vector<int> cheapest_order(const Graph& graph) {
  constexpr double worth_dissecting = 1e4;  // operations for each unknown
  std::vector<int> order = order_with_little_fill(graph);
  const double most = operations(graph, order);
  if (most < worth_dissecting * static_cast<double>(order.size())) return order;
  std::vector<int> other = order_by_dissection(graph);
  return other.empty() || operations(graph, other) >= most ? order : other;
}

struct Group {
  int first, pivots;
  int size;      // pivots and what they fill
  double zeros;  // below the diagonal, added by joining
};

// May a group join its parent, which then has this many pivots and this part of zeros? (As in CHOLMOD: Chen, Davis,
// Hager, Rajamanickam 2008.)
bool are_joined(int pivots, double zeros) {
  return pivots <= 4 || zeros == 0.0 || (pivots <= 16 && zeros < 0.8) || (pivots <= 48 && zeros < 0.1) || zeros < 0.05;
}

std::vector<Group> join(const std::vector<int>& parent, const std::vector<int>& count) {
  std::vector<Group> groups;
  for (int k = 0; k < static_cast<int>(parent.size()); ++k) {
    Group group{k, 1, count[k], 0.0};
    while (!groups.empty()) {
      const Group& child = groups.back();
      const int top = parent[child.first + child.pivots - 1];
      if (top < group.first || top > k) break;  // no parent, or not in this group
      const double pivots = child.pivots + group.pivots, size = child.pivots + group.size;
      const double zeros = child.zeros + group.zeros + static_cast<double>(child.pivots) * (size - child.size);
      if (!are_joined(static_cast<int>(pivots), zeros / (pivots * size - pivots * (pivots - 1.0) / 2.0))) break;
      group = {child.first, child.pivots + group.pivots, child.pivots + group.size, zeros};
      groups.pop_back();
    }
    groups.push_back(group);
  }
  return groups;
}

void list_places(const Graph& graph, FrontTree& tree) {
  const int count = static_cast<int>(tree.fronts.size());
  std::vector<std::vector<int>> children(count);
  for (int f = 0; f < count; ++f)
    if (tree.fronts[f].parent >= 0) children[tree.fronts[f].parent].push_back(f);
  std::vector<int> seen(graph.starts.size(), -1);
  for (int f = 0; f < count; ++f) {
    const int first = tree.fronts[f].first, end = first + tree.fronts[f].pivots;
    const auto add = [&](int place) {
      if (place >= end && std::exchange(seen[place], f) != f) tree.places.push_back(place);
    };
    for (int k = first; k < end; ++k)
      for (const int other : graph.of(k)) add(other);
    for (const int child : children[f])
      for (int e = tree.starts[child]; e < tree.starts[child + 1]; ++e) add(tree.places[e]);
    std::sort(tree.places.begin() + tree.starts.back(), tree.places.end());
    tree.starts.push_back(static_cast<int>(tree.places.size()));
  }
}

}  // namespace

FrontTree make_front_tree(const Pattern& pattern, std::span<const int> part) {
  FrontTree tree;
  if (pattern.size == 0) return tree;
  const Graph given = graph_of(pattern, part);
  std::vector<int> order = cheapest_order(given), part_in_order;
  for (const int node : order) part_in_order.push_back(part[node]);
  for (const int place : postorder(elimination_tree(renumbered(given, order)), part_in_order))
    tree.order.push_back(order[place]);

  const Graph graph = renumbered(given, tree.order);
  const std::vector<int> parent = elimination_tree(graph);
  std::vector<int> front_of(pattern.size);
  for (const Group& group : join(parent, filled_counts(graph, parent))) {
    std::fill_n(front_of.begin() + group.first, group.pivots, static_cast<int>(tree.fronts.size()));
    tree.fronts.push_back({group.first, group.pivots, -1});
  }
  for (FrontTree::Front& front : tree.fronts)
    if (const int above = parent[front.first + front.pivots - 1]; above >= 0) front.parent = front_of[above];
  list_places(graph, tree);
  return tree;
}

}  // namespace driftless::linear
