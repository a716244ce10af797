#include "driftless/integrate/system/compiled_system.hpp"

#include <algorithm>
#include <cassert>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

// Which kernels are made together: steps need rows and Jacobian, output points definitions and certificate.
struct Group {
  int first, last;
};
Group group_of(int kernel) {
  using C = CompiledSystem;
  switch (kernel) {
    case C::Rows:
    case C::Jacobian: return {C::Rows, C::Jacobian};
    case C::Definitions:
    case C::Certificate: return {C::Definitions, C::Certificate};
    case C::Invariants:
    case C::InvariantGradient: return {C::Invariants, C::InvariantGradient};
    default: return {kernel, kernel};
  }
}

// The constraints, and the equations as written that are rows but no constraints.
std::vector<Constraint> checks_of(const Reduced& r) {
  std::vector<Constraint> checks = r.constraints;
  std::vector<bool> listed(r.model->equations.size() + r.model->replaced.size(), false);
  for (const Constraint& constraint : checks) listed[index(constraint.equation)] = true;
  for (const DerivedEquation& row : r.rows) {
    if (row.level > 0 || listed[index(row.equation)]) continue;
    listed[index(row.equation)] = true;
    checks.push_back({row.equation, 0, (*r.model)[row.equation].residual});
  }
  return checks;
}
// The sum of the absolute values of the terms of a sum; constant factors are multiplied in.
NodeId size_of_terms(Pool& pool, NodeId expression) {
  struct Part {
    NodeId expression, factor;
  };
  std::vector<Part> parts{{expression, pool.one()}};
  NodeId sum = pool.zero();
  const auto is_fixed = [&](NodeId id) { return pool.is_constant(id) || pool[id].op == Op::Parameter; };
  const auto absolute = [&](NodeId id) { return pool.unary(Op::Abs, id); };
  while (!parts.empty()) {
    const Part part = parts.back();
    parts.pop_back();
    const Node node = pool[part.expression];
    if (node.op == Op::Neg) {
      parts.push_back({node.operand(0), part.factor});
    } else if (node.op == Op::Add || node.op == Op::Sub) {
      parts.push_back({node.operand(1), part.factor});
      parts.push_back({node.operand(0), part.factor});
    } else if (node.op == Op::Mul && is_fixed(node.operand(0))) {
      parts.push_back({node.operand(1), pool.mul(part.factor, absolute(node.operand(0)))});
    } else if ((node.op == Op::Mul || node.op == Op::Div) && is_fixed(node.operand(1))) {
      parts.push_back({node.operand(0), node.op == Op::Mul ? pool.mul(part.factor, absolute(node.operand(1)))
                                                           : pool.div(part.factor, absolute(node.operand(1)))});
    } else {
      sum = pool.add(sum, pool.mul(part.factor, absolute(part.expression)));
    }
  }
  return sum;
}

}  // namespace

CompiledSystem::CompiledSystem(std::shared_ptr<const Reduced> reduced, Backend backend)
    : reduced_(std::move(reduced)), backend_(backend) {
  const Reduced& r = *reduced_;
  const std::shared_ptr<Pool> pool = growable(r.model->pool);
  pool_ = pool;
  const std::size_t n = r.slots.size();
  y_offset_ = 1 + r.model->parameters.size();
  yp_offset_ = y_offset_ + n;
  definition_offset_ = yp_offset_ + n;
  layout_.parameters = static_cast<int>(r.model->parameters.size());
  layout_.inputs = static_cast<int>(definition_offset_ + r.definitions.size());
  layout_.variable = [this](VarId v, int order) {
    const Reduced::Address& at = reduced_->addresses[index(v)][order];
    const std::size_t offset = at.place == Place::Slot   ? y_offset_
                               : at.place == Place::Rate ? yp_offset_
                                                         : definition_offset_;
    return static_cast<int>(offset) + at.index;
  };

  std::vector<KernelSource>& sources = sources_;
  sources = {{"rows", {}},        {"jacobian", {}},   {"choices", {}},           {"definitions", {}},
             {"certificate", {}}, {"invariants", {}}, {"invariant gradient", {}}};
  const auto differentiate = [&](NodeId expression, int row, std::vector<Entry>& entries, KernelIndex kernel) {
    for (const Partial& p : gradient(*pool, expression)) {
      const Node& leaf = (*pool)[p.leaf];
      const Reduced::Address& at = r.addresses[leaf.a][leaf.b];
      assert(at.place != Place::Defined);
      entries.push_back({row, at.index, at.place == Place::Rate});
      sources[kernel].outputs.push_back(p.derivative);
    }
  };
  for (std::size_t i = 0; i < r.rows.size(); ++i) {
    sources[Rows].outputs.push_back(r.rows[i].residual);
    differentiate(r.rows[i].residual, static_cast<int>(i), entries_, Jacobian);
  }
  for (std::size_t k = 0; k < r.kinematics.size(); ++k) {
    sources[Rows].outputs.push_back(r.kinematics[k].rate);
    differentiate(r.kinematics[k].rate, static_cast<int>(r.rows.size() + k), entries_, Jacobian);
  }
  for (std::size_t i = 0; i < r.invariants.size(); ++i) {
    sources[Invariants].outputs.push_back(r.invariants[i].residual);
    differentiate(r.invariants[i].residual, static_cast<int>(i), invariant_entries_, InvariantGradient);
  }

  std::vector<int> candidate_of_slot(n, -1);
  for (const Choice& choice : r.choices) {
    std::vector<ChoiceEntry>& list = choice_entries_.emplace_back();
    for (std::size_t k = 0; k < choice.kinematics.size(); ++k)
      candidate_of_slot[r.kinematics[choice.kinematics[k]].slot] = static_cast<int>(k);
    for (std::size_t i = 0; i < choice.rows.size(); ++i)
      for (const Partial& p : gradient(*pool, r.rows[choice.rows[i]].residual)) {
        const int slot = r.slot_at((*pool)[p.leaf]);
        if (slot < 0 || r.slots[slot].stage != choice.stage || candidate_of_slot[slot] < 0) continue;
        list.push_back({static_cast<int>(i), candidate_of_slot[slot]});
        sources[Choices].outputs.push_back(p.derivative);
      }
    for (const int k : choice.kinematics) candidate_of_slot[r.kinematics[k].slot] = -1;
  }
  choice_values_ = sources[Choices].outputs.size();
  for (const Definition& definition : r.definitions) sources[Definitions].outputs.push_back(definition.value);
  checks_ = checks_of(r);
  for (const Constraint& check : checks_) sources[Certificate].outputs.push_back(check.residual);
  for (const Constraint& check : checks_) sources[Certificate].outputs.push_back(size_of_terms(*pool, check.residual));

  jacobian_ = sources[Jacobian].outputs;
  kernels_.resize(KernelCount);
  inputs_.assign(layout_.inputs, 0.0);
  for (std::size_t p = 0; p < r.model->parameters.size(); ++p) inputs_[1 + p] = r.model->parameters[p].value;
  for (const Quantity q : r.quantities) places_of_quantities_.push_back(layout_.variable(q.variable, q.order));
}

CompiledSystem::~CompiledSystem() = default;

const Kernel& CompiledSystem::make(KernelIndex index) const {
  const std::lock_guard lock(making_kernels_);
  if (const Kernel* made = made_[index].load(std::memory_order_relaxed)) return *made;
  const auto [first, last] = group_of(index);
  Kernels made = compile(pool_, std::span(sources_).subspan(first, last - first + 1));
  for (int k = first; k <= last; ++k) {
    sources_[k] = {};
    kernels_[k] = std::move(made[k - first]);
    made_[k].store(kernels_[k].get(), std::memory_order_release);
  }
  return *kernels_[index];
}

Kernels CompiledSystem::compile(const std::shared_ptr<const Pool>& pool, std::span<const KernelSource> sources) const {
  return driftless::compile(pool, sources, layout_, backend_).kernels;
}

InputLayout CompiledSystem::layout_of_quantities() const {
  InputLayout layout;
  layout.parameters = layout_.parameters;
  const int first = 1 + layout.parameters;
  layout.inputs = first + static_cast<int>(reduced_->quantities.size());
  layout.variable = [this, first](VarId v, int order) {
    const auto found = std::ranges::lower_bound(reduced_->quantities, Quantity{v, order});
    return first + static_cast<int>(found - reduced_->quantities.begin());
  };
  return layout;
}

CompiledSystem::AnyPart CompiledSystem::find_part(const PartName& name) const {
  const std::lock_guard lock(making_parts_);
  const auto found = parts_.find(name);
  return found == parts_.end() ? nullptr : found->second;
}

// Two threads may have made the same part: the first one is kept.
CompiledSystem::AnyPart CompiledSystem::keep_part(const PartName& name, AnyPart part) const {
  const std::lock_guard lock(making_parts_);
  return parts_.try_emplace(name, std::move(part)).first->second;
}

}  // namespace driftless
