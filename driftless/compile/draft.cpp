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

// What the code of a node reads: the operands of the expression, in canonical order, without the exponent of an
// expanded power.
void Drafter::read_operands(std::uint32_t i) {
  Entry& entry = entries_[i];
  const std::span<const std::uint32_t> all = pieces_->operands_of(i);
  const auto power = expanded_power(pool_, entry.node);
  entry.power = power.value_or(not_expanded);
  entry.reads = power ? 1 : static_cast<std::uint32_t>(all.size());
  entry.first_read = static_cast<std::uint32_t>(reads_.size());
  reads_.insert(reads_.end(), all.begin(), all.begin() + entry.reads);
  if (commutes(entry.node.op) && form_of(all[1]) < form_of(all[0])) std::swap(reads_.end()[-1], reads_.end()[-2]);
}

void Drafter::start_kernel(const Pieces& pieces) {
  pieces_ = &pieces;
  entries_.assign(pieces.nodes.size(), {});
  reads_.clear();
  draft_number_ = 0;
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    const Node& node = entry.node = pool_[pieces.nodes[i]];
    const bool is_input = node.op == Op::Time || node.op == Op::Parameter;
    entry.form = combine(0, static_cast<std::uint64_t>(is_input ? Op::Variable : node.op));
    if (node.op <= Op::Local) continue;
    read_operands(i);
    if (node.op == Op::Call) {
      const CallSite& site = pool_.call_site(node);
      entry.form = combine(combine(entry.form, static_cast<std::uint64_t>(index(site.function))),
                           static_cast<std::uint64_t>(site.output));
    } else if (entry.power != not_expanded) {
      entry.form = combine(entry.form, static_cast<std::uint64_t>(entry.power));
    }
    for (const std::uint32_t operand : reads_of(entry)) entry.form = combine(entry.form, form_of(operand));
  }
}

// Seen from outside, a piece in the work array is a leaf.
std::uint64_t Drafter::form_of(std::uint32_t i) const {
  return pieces_->kept[i] != Pieces::none ? combine(0, static_cast<std::uint64_t>(Op::Local)) : entries_[i].form;
}

std::uint32_t Drafter::add(const Piece& piece) {
  open_.assign(1, piece.root);
  while (!open_.empty()) {
    const std::uint32_t i = open_.back();
    if (has_register(i)) {
      open_.pop_back();
      continue;
    }
    if (const std::int32_t kept = pieces_->kept[i]; kept != Pieces::none && (i != piece.root || piece.copy)) {
      const auto column = static_cast<std::uint32_t>(draft_.leaves.size());
      draft_.leaves.push_back(kept);
      set_register(i, emit({Op::Local, column}));
      open_.pop_back();
      continue;
    }
    const std::span<const std::uint32_t> needed = reads_of(entries_[i]);
    const std::size_t before = open_.size();
    for (auto operand = needed.rbegin(); operand != needed.rend(); ++operand)
      if (!has_register(*operand)) open_.push_back(*operand);
    if (open_.size() > before) continue;
    set_register(i, emit_node(i));
    open_.pop_back();
  }
  return entries_[piece.root].register_in_draft;
}

std::uint32_t Drafter::emit(Instruction instruction) {
  draft_.code.push_back(instruction);
  return static_cast<std::uint32_t>(draft_.code.size() - 1);
}

std::uint32_t Drafter::emit_node(std::uint32_t i) {
  const Entry& entry = entries_[i];
  const Node& node = entry.node;
  switch (node.op) {
    case Op::Constant: {
      draft_.constants.push_back(pool_.constant_value(pieces_->nodes[i]));
      return emit({Op::Constant, static_cast<std::uint32_t>(draft_.constants.size() - 1)});
    }
    case Op::Time: return emit_input(0);
    case Op::Parameter: return emit_input(layout_.parameter(ParamId{static_cast<std::int32_t>(node.a)}));
    case Op::Variable:
      return emit_input(layout_.variable(VarId{static_cast<std::int32_t>(node.a)}, static_cast<int>(node.b)));
    case Op::Local: assert(!"a local variable outside of a function"); return emit_input(-1);
    case Op::Call: return emit_call(entry);
    default: break;
  }
  std::uint32_t from[3] = {0, 0, 0};
  std::size_t k = 0;
  for (const std::uint32_t operand : reads_of(entry)) from[k++] = entries_[operand].register_in_draft;
  return entry.power != not_expanded ? emit_power(from[0], entry.power) : emit({node.op, from[0], from[1], from[2]});
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

std::uint32_t Drafter::emit_call(const Entry& entry) {
  const CallSite& site = pool_.call_site(entry.node);
  const auto [callee, is_new] =
      callee_numbers_.try_emplace({index(site.function), site.output}, static_cast<std::uint32_t>(callees_.size()));
  if (is_new) callees_.push_back({site.function, site.output});
  ShapeCall call{.callee = callee->second, .arguments = {}};
  for (const std::uint32_t argument : reads_of(entry)) call.arguments.push_back(entries_[argument].register_in_draft);
  draft_.calls.push_back(std::move(call));
  return emit({Op::Call, static_cast<std::uint32_t>(draft_.calls.size() - 1)});
}

}  // namespace driftless
