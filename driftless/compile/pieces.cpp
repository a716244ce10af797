#include "driftless/compile/pieces.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace driftless {

namespace {

constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t several = nobody - 1;

}  // namespace

const Pieces& PieceCutter::operator()(std::span<const NodeId> outputs) {
  collect_nodes(outputs);
  const std::size_t n = result_.nodes.size();
  uses_.assign(n, 0);
  for (const NodeId id : outputs) ++uses_[position_.at(id)];
  forced_.assign(n, false);
  find_owners();
  if (bound_cones()) find_owners();

  result_.pieces.clear();
  result_.kept.assign(n, Pieces::none);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!root_[i] || (owner_[i] == nobody && uses_[i] == 1)) continue;
    result_.kept[i] = static_cast<std::int32_t>(result_.pieces.size());
    result_.pieces.push_back({.root = i, .output = -1});
  }
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const std::uint32_t i = position_.at(outputs[k]);
    result_.pieces.push_back(
        {.root = i, .output = static_cast<std::int32_t>(k), .copy = result_.kept[i] != Pieces::none});
  }
  return result_;
}

void PieceCutter::collect_nodes(std::span<const NodeId> outputs) {
  std::vector<NodeId>& nodes = result_.nodes;
  nodes.clear();
  position_.clear();
  NodeId buffer[3];
  const auto visit = [&](NodeId id) {
    if (position_.contains(id)) return;
    position_.set(id, 0);
    nodes.push_back(id);
  };
  std::size_t looked_at = 0;
  for (const NodeId output : outputs)
    for (visit(output); looked_at < nodes.size(); ++looked_at)
      if (pool_[nodes[looked_at]].op > Op::Local)
        for (const NodeId operand : pool_.operands(nodes[looked_at], buffer)) visit(operand);
  std::sort(nodes.begin(), nodes.end());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) position_.set(nodes[i], i);

  result_.operands.clear();
  result_.first_operand.clear();
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    result_.first_operand.push_back(static_cast<std::uint32_t>(result_.operands.size()));
    if (is_leaf(i)) continue;
    for (const NodeId operand : pool_.operands(nodes[i], buffer)) result_.operands.push_back(position_.at(operand));
  }
  result_.first_operand.push_back(static_cast<std::uint32_t>(result_.operands.size()));
}

// Cheap nodes are computed wherever they are needed. The negative of a node counts as cheap since the node itself can
// be kept instead.
bool PieceCutter::is_cheap(std::uint32_t i) const {
  const Op op = pool_[result_.nodes[i]].op;
  const std::span<const std::uint32_t> operands = result_.operands_of(i);
  switch (op) {
    case Op::Neg: return true;
    case Op::Add:
    case Op::Sub:
    case Op::Mul: return is_leaf(operands[0]) && is_leaf(operands[1]);
    default: return op <= Op::Local;
  }
}

// Users have larger handles than what they use: one descending sweep visits all users of a node before the node. During
// the sweep owner_[i] is the owner of all users so far; it ends as `nobody` if only an output uses the node.
void PieceCutter::find_owners() {
  const std::size_t n = result_.nodes.size();
  owner_.assign(n, nobody);
  root_.assign(n, false);
  for (std::uint32_t i = static_cast<std::uint32_t>(n); i-- > 0;) {
    const bool is_output = uses_[i] > 0;
    root_[i] = forced_[i] || ((is_output || owner_[i] == several) && !is_cheap(i));
    const std::uint32_t mine = root_[i] ? i : is_output ? several : owner_[i];
    for (const std::uint32_t operand : result_.operands_of(i)) {
      std::uint32_t& owner = owner_[operand];
      owner = owner == nobody || owner == mine ? mine : several;
    }
  }
}

// Cuts the largest operands off a node whose tree would be too long, operands first. A long sum becomes a chain of
// equal pieces.
bool PieceCutter::bound_cones() {
  const std::size_t n = result_.nodes.size();
  const auto cone_of = [&](std::uint32_t i) { return root_[i] ? i : owner_[i]; };
  std::vector<std::uint32_t> length(n, 0);
  for (std::uint32_t i = 0; i < n; ++i)
    if (const std::uint32_t cone = cone_of(i); cone < n && !is_leaf(i)) ++length[cone];

  bool any = false;
  std::vector<std::uint32_t> tree(n, 0);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t cone = cone_of(i);
    if (cone >= n || length[cone] <= longest_piece || is_leaf(i)) continue;
    const std::span<const std::uint32_t> operands = result_.operands_of(i);
    const auto part = [&](std::uint32_t k) { return root_[k] || forced_[k] ? 0 : tree[k]; };
    const auto total = [&] {
      return std::accumulate(operands.begin(), operands.end(), 1u, [&](auto sum, auto k) { return sum + part(k); });
    };
    for (tree[i] = total(); tree[i] > longest_piece; tree[i] = total()) {
      const auto shorter = [&](std::uint32_t a, std::uint32_t b) { return part(a) < part(b); };
      forced_[*std::max_element(operands.begin(), operands.end(), shorter)] = true;
      any = true;
    }
  }
  return any;
}

}  // namespace driftless
