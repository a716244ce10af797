#include "driftless/compile/draft.hpp"

#include <cassert>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace driftless {

namespace {

constexpr int largest_expanded_power = 8;

std::uint64_t combine(std::uint64_t seed, std::uint64_t value) {
  std::uint64_t x = (seed ^ value) * 0x9e3779b97f4a7c15u;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9u;
  return x ^ (x >> 32);
}

bool commutes(Op op) { return op == Op::Add || op == Op::Mul; }

// The exponent n of x^n if the power is to be computed by multiplications.
std::optional<int> expanded_power(const Pool& pool, const Node& node) {
  if (node.op != Op::Pow || !pool.is_constant(node.operand(1))) return std::nullopt;
  const double exponent = pool.constant_value(node.operand(1));
  if (std::fabs(exponent) > largest_expanded_power || exponent != std::trunc(exponent)) return std::nullopt;
  return static_cast<int>(exponent);
}

}  // namespace

// The operands that the code of a node reads: those of the expression, in canonical order, without the exponent of
// an expanded power.
std::span<const NodeId> Drafter::operands(NodeId id, NodeId (&buffer)[3]) const {
  const Node& node = pool_[id];
  const std::span<const NodeId> all = pool_.operands(id, buffer);
  if (expanded_power(pool_, node)) return all.first(1);
  if (commutes(node.op) && form_of(buffer[1]) < form_of(buffer[0])) std::swap(buffer[0], buffer[1]);
  return all;
}

void Drafter::start_kernel(const Pieces& pieces) {
  pieces_ = &pieces;
  forms_.clear();
  for (const NodeId id : pieces.nodes) {
    const Node& node = pool_[id];
    std::uint64_t form = combine(0, static_cast<std::uint64_t>(node.op));
    if (node.op == Op::Call) {
      const CallSite& site = pool_.call_site(node);
      form = combine(combine(form, static_cast<std::uint64_t>(index(site.function))),
                     static_cast<std::uint64_t>(site.output));
    } else if (node.op == Op::Time || node.op == Op::Parameter) {
      form = combine(0, static_cast<std::uint64_t>(Op::Variable));
    } else if (const auto power = expanded_power(pool_, node)) {
      form = combine(form, static_cast<std::uint64_t>(*power));
    }
    NodeId buffer[3];
    for (const NodeId operand : operands(id, buffer)) form = combine(form, form_of(operand));
    forms_.set(id, form);
  }
}

// For other pieces, a piece in the work array is a leaf.
std::uint64_t Drafter::form_of(NodeId id) const {
  return pieces_->kept.contains(id) ? combine(0, static_cast<std::uint64_t>(Op::Local)) : forms_.at(id);
}

std::uint32_t Drafter::add(const Piece& piece) {
  const NodeId root = piece.root;
  const auto is_load = [&](NodeId id) { return pieces_->kept.contains(id) && (id != root || piece.copy); };
  open_.assign(1, root);
  while (!open_.empty()) {
    const NodeId id = open_.back();
    if (registers_.contains(id)) {
      open_.pop_back();
      continue;
    }
    if (is_load(id)) {
      const auto column = static_cast<std::uint32_t>(draft_.leaves.size());
      draft_.leaves.push_back(pieces_->kept.at(id));
      registers_.set(id, emit({Op::Local, column}));
      open_.pop_back();
      continue;
    }
    NodeId buffer[3];
    const std::span<const NodeId> needed = operands(id, buffer);
    const std::size_t before = open_.size();
    for (auto operand = needed.rbegin(); operand != needed.rend(); ++operand)
      if (!registers_.contains(*operand)) open_.push_back(*operand);
    if (open_.size() > before) continue;
    registers_.set(id, emit_node(id));
    open_.pop_back();
  }
  return registers_.at(root);
}

std::uint32_t Drafter::emit(Instruction instruction) {
  draft_.code.push_back(instruction);
  return static_cast<std::uint32_t>(draft_.code.size() - 1);
}

std::uint32_t Drafter::emit_node(NodeId id) {
  const Node& node = pool_[id];
  switch (node.op) {
    case Op::Constant: {
      draft_.constants.push_back(pool_.constant_value(id));
      return emit({Op::Constant, static_cast<std::uint32_t>(draft_.constants.size() - 1)});
    }
    case Op::Time: return emit_input(0);
    case Op::Parameter: return emit_input(layout_.parameter(ParamId{static_cast<std::int32_t>(node.a)}));
    case Op::Variable:
      return emit_input(layout_.variable(VarId{static_cast<std::int32_t>(node.a)}, static_cast<int>(node.b)));
    case Op::Local: assert(!"a local variable outside of a function"); return emit_input(-1);
    case Op::Call: return emit_call(id);
    default: break;
  }
  if (const auto power = expanded_power(pool_, node)) return emit_power(registers_.at(node.operand(0)), *power);
  NodeId buffer[3];
  std::uint32_t from[3] = {0, 0, 0};
  std::size_t k = 0;
  for (const NodeId operand : operands(id, buffer)) from[k++] = registers_.at(operand);
  return emit({node.op, from[0], from[1], from[2]});
}

std::uint32_t Drafter::emit_input(int position) {
  assert(position >= 0 && position < layout_.inputs);
  draft_.leaves.push_back(position);
  return emit({Op::Variable, static_cast<std::uint32_t>(draft_.leaves.size() - 1)});
}

// By repeated squaring: x^2 = x x, x^3 = x^2 x, x^4 = x^2 x^2, ..., x^-n = 1/x^n.
std::uint32_t Drafter::emit_power(std::uint32_t base, int exponent) {
  std::optional<std::uint32_t> product;
  std::uint32_t square = base;
  for (int n = std::abs(exponent); n > 0; n /= 2) {
    if (n % 2 == 1) product = product ? emit({Op::Mul, square, *product}) : square;
    if (n > 1) square = emit({Op::Mul, square, square});
  }
  if (exponent > 0) return *product;
  draft_.constants.push_back(1.0);
  const std::uint32_t one = emit({Op::Constant, static_cast<std::uint32_t>(draft_.constants.size() - 1)});
  return exponent == 0 ? one : emit({Op::Div, one, *product});
}

std::uint32_t Drafter::emit_call(NodeId id) {
  const CallSite& site = pool_.call_site(pool_[id]);
  const auto [callee, is_new] =
      callee_numbers_.try_emplace({index(site.function), site.output}, static_cast<std::uint32_t>(callees_.size()));
  if (is_new) callees_.push_back({site.function, site.output});
  ShapeCall call{.callee = callee->second, .arguments = {}};
  for (const NodeId argument : site.arguments) call.arguments.push_back(registers_.at(argument));
  draft_.calls.push_back(std::move(call));
  return emit({Op::Call, static_cast<std::uint32_t>(draft_.calls.size() - 1)});
}

}  // namespace driftless
