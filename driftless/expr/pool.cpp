// Nodes, their table and the leaves; the canonical form is in canonical_form.cpp.
#include "driftless/expr/pool.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

#include "driftless/expr/apply.hpp"
#include "driftless/expr/function.hpp"

namespace driftless {
namespace {

constexpr std::size_t first_table_size = 1024, first_table_size_of_upper = 128;

// An entry of the table: half of the node's hash, which distinguishes nearly all other nodes without reading them, and
// its place in the list of nodes, counted from 1.
constexpr std::uint64_t most_significant_half = 0xFFFF'FFFF'0000'0000;
constexpr std::uint32_t place_in(std::uint64_t entry) { return static_cast<std::uint32_t>(entry) - 1; }

bool is_commutative(Op op) {
  switch (op) {
    case Op::Add:
    case Op::Mul:
    case Op::Min:
    case Op::Max:
    case Op::Equal:
    case Op::NotEqual:
    case Op::And:
    case Op::Or: return true;
    default: return false;
  }
}

std::uint64_t mix(std::uint64_t x) {  // an invertible scrambling: multiply, fold the high bits down, twice
  x *= 0x9E3779B97F4A7C15u;
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93u;
  return x ^ (x >> 32);
}

}  // namespace

int arity(Op op) {
  switch (op) {
    case Op::Constant:
    case Op::Time:
    case Op::Parameter:
    case Op::Variable:
    case Op::Local:
    case Op::Call: return 0;
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::Pow:
    case Op::Atan2:
    case Op::Min:
    case Op::Max:
    case Op::Less:
    case Op::LessEqual:
    case Op::Equal:
    case Op::NotEqual:
    case Op::And:
    case Op::Or: return 2;
    case Op::IfElse: return 3;
    default: return 1;
  }
}

Pool::Pool() : table_(first_table_size, 0) {}

Pool::Pool(const std::shared_ptr<const Pool>& lower) {
  assert(lower->is_frozen());
  functions_ = lower->functions_;
  partials_ = lower->partials_;
  if (lower->lower_) {
    lower_ = lower->lower_;
    nodes_ = lower->nodes_;
    table_ = lower->table_;
    call_sites_ = lower->call_sites_;
  } else {
    lower_ = lower;
    table_.assign(first_table_size_of_upper, 0);
  }
  lower_nodes_ = lower_->nodes_.data();
  lower_size_ = static_cast<std::uint32_t>(lower_->nodes_.size());
}

Pool::~Pool() = default;

std::shared_ptr<Pool> growable(const std::shared_ptr<Pool>& pool) {
  return pool->is_frozen() ? std::make_shared<Pool>(pool) : pool;
}

const CallSite& Pool::call_site(const Node& node) const {
  const std::size_t below = lower_ ? lower_->call_sites_.size() : 0;
  return node.a < below ? lower_->call_sites_[node.a] : call_sites_[node.a - below];
}

// ---- nodes and their table

std::uint64_t Pool::hash(const Node& node) const {
  if (node.op == Op::Call) {
    const CallSite& site = call_site(node);
    const auto function = static_cast<std::uint64_t>(index(site.function));
    std::uint64_t h = mix(function << 32 | static_cast<std::uint32_t>(site.output));
    for (const NodeId argument : site.arguments) h = mix(h + index(argument) + 1);
    return h;
  }
  const auto [a, b] = is_commutative(node.op) ? std::minmax({node.a, node.b}) : std::pair(node.a, node.b);
  return mix(mix(std::uint64_t{a} << 32 | b) + (std::uint64_t{node.c} << 8 | static_cast<std::uint64_t>(node.op)));
}

bool Pool::equal(const Node& x, const Node& y) const {
  if (x.op != y.op) return false;
  if (x.op == Op::Call) return call_site(x) == call_site(y);
  return x == y || (is_commutative(x.op) && x.a == y.b && x.b == y.a);
}

void Pool::require_growth() const {
  if (is_frozen()) throw std::logic_error("a new expression was to be added to a pool that is frozen");
}

std::size_t Pool::find(const Node& node, std::uint64_t hashed) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t i = (hashed >> 32) & mask;
  for (; table_[i] != 0; i = (i + 1) & mask) {
    if (((table_[i] ^ hashed) >> 32) == 0 && equal(nodes_[place_in(table_[i])], node)) break;
  }
  return i;
}

// Entries keep enough of the hash to find their new places without reading the nodes.
void Pool::grow_table() {
  std::vector<std::uint64_t> old(2 * table_.size(), 0);
  old.swap(table_);
  const std::size_t mask = table_.size() - 1;
  for (const std::uint64_t entry : old) {
    if (entry == 0) continue;
    std::size_t i = (entry >> 32) & mask;
    while (table_[i] != 0) i = (i + 1) & mask;
    table_[i] = entry;
  }
}

NodeId Pool::intern(Node node) {
  const std::uint64_t hashed = hash(node);
  if (lower_) {
    if (const std::uint64_t entry = lower_->table_[lower_->find(node, hashed)]) return NodeId{place_in(entry)};
  }
  if (4 * (nodes_.size() + 1) > 3 * table_.size() && !is_frozen()) grow_table();
  std::uint64_t& entry = table_[find(node, hashed)];
  if (entry == 0) {
    require_growth();
    assert(size() < std::numeric_limits<std::uint32_t>::max());
    nodes_.push_back(node);
    entry = (hashed & most_significant_half) | nodes_.size();
  }
  return NodeId{lower_size_ + place_in(entry)};
}

// ---- leaves

NodeId Pool::constant(double value) {
  if (value == 0.0) value = 0.0;  // no negative zero
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return intern({Op::Constant, static_cast<std::uint32_t>(bits >> 32), static_cast<std::uint32_t>(bits), 0});
}

NodeId Pool::time() { return intern({Op::Time}); }

NodeId Pool::parameter(ParamId id) { return intern({Op::Parameter, static_cast<std::uint32_t>(index(id))}); }

NodeId Pool::variable(VarId id, int order) {
  assert(order >= 0);
  return intern({Op::Variable, static_cast<std::uint32_t>(index(id)), static_cast<std::uint32_t>(order)});
}

NodeId Pool::local(int slot) { return intern({Op::Local, static_cast<std::uint32_t>(slot)}); }

double Pool::constant_value(NodeId id) const {
  const Node& node = (*this)[id];
  assert(node.op == Op::Constant);
  return std::bit_cast<double>(std::uint64_t{node.a} << 32 | node.b);
}

bool Pool::is_constant(NodeId id, double value) const { return is_constant(id) && constant_value(id) == value; }

std::span<const NodeId> Pool::operands(NodeId id, NodeId (&buffer)[3]) const {
  const Node& node = (*this)[id];
  if (node.op == Op::Call) return call_site(node).arguments;
  const int n = arity(node.op);
  for (int k = 0; k < n; ++k) buffer[k] = node.operand(k);
  return {buffer, static_cast<std::size_t>(n)};
}

// ---- calls of functions

NodeId Pool::call(FunctionId id, int output, std::span<const NodeId> arguments) {
  const Function& callee = function(id);
  assert(static_cast<int>(arguments.size()) == callee.inputs);
  assert(output >= 0 && static_cast<std::size_t>(output) < callee.outputs.size());
  if (callee.outputs[static_cast<std::size_t>(output)] == Function::zero_output) return zero();

  require_growth();
  const std::size_t below = lower_ ? lower_->call_sites_.size() : 0;
  const auto site = static_cast<std::uint32_t>(below + call_sites_.size());
  call_sites_.push_back({id, output, {arguments.begin(), arguments.end()}});
  const NodeId node = intern({Op::Call, site});
  if ((*this)[node].a != site) call_sites_.pop_back();
  return node;
}

FunctionId Pool::add_function(Function function) {
  require_growth();
  flatten(*this, function);
  partials_.emplace_back(static_cast<std::size_t>(function.inputs), FunctionId{-1});
  functions_.push_back(std::make_shared<const Function>(std::move(function)));
  return FunctionId{static_cast<std::int32_t>(functions_.size() - 1)};
}

const Function& Pool::function(FunctionId id) const {
  const auto i = static_cast<std::size_t>(index(id));
  assert(i < functions_.size());
  return *functions_[i];
}

FunctionId Pool::partial_derivative(FunctionId id, int input) {
  const auto i = static_cast<std::size_t>(index(id));
  const auto k = static_cast<std::size_t>(input);
  if (index(partials_[i][k]) < 0) {
    const FunctionId made = add_function(tangent_of(*this, *functions_[i], input));
    partials_[i][k] = made;  // looked up again: making it may have added functions
  }
  return partials_[i][k];
}

}  // namespace driftless
