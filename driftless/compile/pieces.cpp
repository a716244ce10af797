#include "driftless/compile/pieces.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace driftless {

namespace {

constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t several = nobody - 1;

bool is_leaf(const Node& node) { return node.op <= Op::Local; }

}  // namespace

const Pieces& PieceCutter::operator()(std::span<const NodeId> outputs) {
  uses_.clear();
  for (const NodeId id : outputs) uses_.set(id, uses_.get(id, 0) + 1);
  collect_nodes(outputs);

  forced_.assign(result_.nodes.size(), false);
  find_owners();
  if (bound_cones()) find_owners();

  result_.pieces.clear();
  result_.kept.clear();
  for (std::size_t i = 0; i < result_.nodes.size(); ++i) {
    const NodeId id = result_.nodes[i];
    if (!root_[i] || (owner_[i] == nobody && uses_.get(id, 0) == 1)) continue;
    result_.kept.set(id, static_cast<std::int32_t>(result_.pieces.size()));
    result_.pieces.push_back({.root = id, .output = -1});
  }
  for (std::size_t k = 0; k < outputs.size(); ++k)
    result_.pieces.push_back(
        {.root = outputs[k], .output = static_cast<std::int32_t>(k), .copy = result_.kept.contains(outputs[k])});
  return result_;
}

void PieceCutter::collect_nodes(std::span<const NodeId> outputs) {
  result_.nodes.clear();
  local_.clear();
  std::vector<NodeId> open;
  const auto visit = [&](NodeId id) {
    if (local_.contains(id)) return;
    local_.set(id, 0);
    open.push_back(id);
  };
  for (const NodeId output : outputs) {
    visit(output);
    while (!open.empty()) {
      const NodeId id = open.back();
      open.pop_back();
      result_.nodes.push_back(id);
      NodeId buffer[3];
      for (const NodeId operand : pool_.operands(id, buffer)) visit(operand);
    }
  }
  std::sort(result_.nodes.begin(), result_.nodes.end());
  for (std::uint32_t i = 0; i < result_.nodes.size(); ++i) local_.set(result_.nodes[i], i);
}

// Cheap nodes are computed wherever they are needed. The negative of a node counts as cheap since the node itself can
// be kept instead.
bool PieceCutter::is_cheap(NodeId id) const {
  const Node& node = pool_[id];
  switch (node.op) {
    case Op::Neg: return true;
    case Op::Add:
    case Op::Sub:
    case Op::Mul: return is_leaf(pool_[node.operand(0)]) && is_leaf(pool_[node.operand(1)]);
    default: return is_leaf(node);
  }
}

// Users have larger handles than what they use: one descending sweep visits all users of a node before the node. During
// the sweep owner_[i] is the owner of all users so far; it ends as `nobody` if only an output uses the node.
void PieceCutter::find_owners() {
  const std::vector<NodeId>& nodes = result_.nodes;
  owner_.assign(nodes.size(), nobody);
  root_.assign(nodes.size(), false);
  for (std::uint32_t i = static_cast<std::uint32_t>(nodes.size()); i-- > 0;) {
    const NodeId id = nodes[i];
    const bool is_output = uses_.contains(id);
    root_[i] = forced_[i] || (!is_cheap(id) && (is_output || owner_[i] == several));
    const std::uint32_t mine = root_[i] ? i : is_output ? several : owner_[i];
    NodeId buffer[3];
    for (const NodeId operand : pool_.operands(id, buffer)) {
      std::uint32_t& owner = owner_[local_.at(operand)];
      owner = owner == nobody || owner == mine ? mine : several;
    }
  }
}

// Cuts the largest operands off a node whose tree would be too long, operands first. A long sum becomes a chain of
// equal pieces.
bool PieceCutter::bound_cones() {
  const std::vector<NodeId>& nodes = result_.nodes;
  const auto cone_of = [&](std::uint32_t i) { return root_[i] ? i : owner_[i]; };
  std::vector<std::uint32_t> length(nodes.size(), 0);
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    if (const std::uint32_t cone = cone_of(i); cone < nodes.size() && !is_leaf(pool_[nodes[i]])) ++length[cone];

  bool any = false;
  std::vector<std::uint32_t> tree(nodes.size(), 0);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const std::uint32_t cone = cone_of(i);
    if (cone >= nodes.size() || length[cone] <= longest_piece || is_leaf(pool_[nodes[i]])) continue;
    NodeId buffer[3];
    const std::span<const NodeId> operands = pool_.operands(nodes[i], buffer);
    const auto part = [&](NodeId operand) {
      const std::uint32_t k = local_.at(operand);
      return root_[k] || forced_[k] ? 0 : tree[k];
    };
    const auto total = [&] {
      return std::accumulate(operands.begin(), operands.end(), 1u, [&](auto sum, NodeId id) { return sum + part(id); });
    };
    for (tree[i] = total(); tree[i] > longest_piece; tree[i] = total()) {
      const auto shorter = [&](NodeId a, NodeId b) { return part(a) < part(b); };
      forced_[local_.at(*std::max_element(operands.begin(), operands.end(), shorter))] = true;
      any = true;
    }
  }
  return any;
}

}  // namespace driftless
