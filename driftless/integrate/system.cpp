#include "driftless/integrate/system.hpp"

#include <algorithm>
#include <cassert>

#include "driftless/expr/calculus.hpp"
#include "driftless/integrate/check_slopes.hpp"
#include "driftless/integrate/guard.hpp"
#include "driftless/taylor/formulas.hpp"

namespace driftless {
namespace {
enum KernelIndex { Rows, Jacobian, Choices, Definitions, Certificate, Invariants, InvariantGradient };

// Who is made together with a kernel: steps need rows and Jacobian, output points definitions and certificate.
struct Group {
  int first, last;
};
Group group_of(int kernel) {
  switch (kernel) {
    case Rows:
    case Jacobian: return {Rows, Jacobian};
    case Definitions:
    case Certificate: return {Definitions, Certificate};
    case Invariants:
    case InvariantGradient: return {Invariants, InvariantGradient};
    default: return {kernel, kernel};
  }
}

// The constraints, and the equations as written that are rows and no constraints.
std::vector<Constraint> checks_of(const Reduced& r) {
  std::vector<Constraint> checks = r.constraints;
  std::vector<bool> listed(r.model->equations.size(), false);
  for (const Constraint& constraint : checks) listed[index(constraint.equation)] = true;
  for (const DerivedEquation& row : r.rows) {
    if (row.level > 0 || listed[index(row.equation)]) continue;
    listed[index(row.equation)] = true;
    checks.push_back({row.equation, 0, (*r.model)[row.equation].residual});
  }
  return checks;
}
}  // namespace

// The sum of the absolute values of the terms of a sum; constant factors are looked through.
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

System::System(std::shared_ptr<const Reduced> reduced, Backend backend)
    : reduced_(std::move(reduced)), backend_(backend) {
  const Reduced& r = *reduced_;
  const std::shared_ptr<Pool> pool = r.model->pool;
  const std::size_t n = r.slots.size();
  y_offset_ = 1 + r.model->parameters.size();
  yp_offset_ = y_offset_ + n;
  definition_offset_ = yp_offset_ + n;

  std::vector<KernelSource>& sources = sources_;
  sources = {
      {"rows", {}},        {"jacobian", {}},   {"choices", {}},           {"definitions", {}},
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
        const Node& leaf = (*pool)[p.leaf];
        const Reduced::Address& at = r.addresses[leaf.a][leaf.b];
        if (at.place != Place::Slot || r.slots[at.index].stage != choice.stage || candidate_of_slot[at.index] < 0)
          continue;
        list.push_back({static_cast<int>(i), candidate_of_slot[at.index]});
        sources[Choices].outputs.push_back(p.derivative);
      }
    for (const int k : choice.kinematics) candidate_of_slot[r.kinematics[k].slot] = -1;
  }
  choice_values_ = sources[Choices].outputs.size();
  for (const Definition& definition : r.definitions) sources[Definitions].outputs.push_back(definition.value);
  checks_ = checks_of(r);
  for (const Constraint& check : checks_) sources[Certificate].outputs.push_back(check.residual);
  for (const Constraint& check : checks_) sources[Certificate].outputs.push_back(size_of_terms(*pool, check.residual));

  kernels_.resize(sources.size());
  inputs_.assign(layout().inputs, 0.0);
  for (std::size_t p = 0; p < r.model->parameters.size(); ++p) inputs_[1 + p] = r.model->parameters[p].value;
  all_invariants_.resize(r.invariants.size());
  const InputLayout places = layout();
  for (const Quantity q : r.quantities) places_of_quantities_.push_back(places.variable(q.variable, q.order));
}

System::~System() = default;

const std::vector<NodeId>& System::jacobian_expressions() const { return sources_[Jacobian].outputs; }

Guard* System::guard() {
  if (!guard_is_known_) guard_ = Guard::of(*reduced_, entries_);
  guard_is_known_ = true;
  return guard_.get();
}

taylor::Formulas& System::series() const {
  if (!series_) series_ = std::make_unique<taylor::Formulas>(*reduced_, backend_);
  return *series_;
}

CheckSlopes& System::check_slopes() {
  if (!check_slopes_) check_slopes_ = std::make_unique<CheckSlopes>(*reduced_, checks_);
  return *check_slopes_;
}

InputLayout System::layout() const {
  InputLayout layout;
  layout.parameters = static_cast<int>(reduced_->model->parameters.size());
  layout.inputs = static_cast<int>(definition_offset_ + reduced_->definitions.size());
  layout.variable = [this](VarId v, int order) {
    const Reduced::Address& at = reduced_->addresses[index(v)][order];
    const std::size_t offset = at.place == Place::Slot   ? y_offset_
                               : at.place == Place::Rate ? yp_offset_
                                                         : definition_offset_;
    return static_cast<int>(offset) + at.index;
  };
  return layout;
}

void System::make(int kernel) {
  const auto [first, last] = group_of(kernel);
  std::vector<std::unique_ptr<Kernel>> made = compile(std::span(sources_).subspan(first, last - first + 1));
  for (int k = first; k <= last; ++k) {
    if (k != Jacobian) sources_[k].outputs.clear();
    kernels_[k] = std::move(made[k - first]);
    work_.resize(std::max(work_.size(), kernels_[k]->work_size()));
  }
}

std::vector<std::unique_ptr<Kernel>> System::compile(std::span<const KernelSource> sources) {
  CompiledKernels compiled = driftless::compile(reduced_->model->pool, sources, layout(), backend_);
  statistics_.shapes += compiled.statistics.shapes;
  statistics_.instructions += compiled.statistics.instructions;
  statistics_.seconds += compiled.statistics.seconds;
  return std::move(compiled.kernels);
}

void System::load(const Point& at) {
  inputs_[0] = at.t;
  std::ranges::copy(at.y, inputs_.begin() + y_offset_);
  std::ranges::copy(at.yp, inputs_.begin() + yp_offset_);
}

void System::run(int kernel, std::span<double> out) {
  if (!kernels_[kernel]) make(kernel);
  assert(out.size() >= kernels_[kernel]->outputs());
  (*kernels_[kernel])(inputs_.data(), out.data(), work_.data());
}

void System::rows_and_rates(const Point& at, std::span<double> out) {
  if (guarded_) return guard_->rows_and_rates(at, out);
  load(at);
  run(Rows, out);
}

void System::use_difference_quotients() { differences_.emplace(entries_, reduced_->slots, rows() + candidates()); }

void System::jacobian(const Point& at, std::span<double> values) {
  if (guarded_) return guard_->jacobian(at, values);
  if (differences_) {
    (*differences_)(at.y, at.yp, [&](auto y, auto yp, auto out) { rows_and_rates({at.t, y, yp}, out); }, values);
    return;
  }
  load(at);
  run(Jacobian, values);
}

void System::invariants(const Point& at, std::span<double> out) {
  load(at);
  run(Invariants, out);
}

void System::invariants_of_model(const Point& at, std::span<double> out) {
  if (out.empty()) return;
  invariants(at, all_invariants_);
  std::size_t k = 0;
  for (std::size_t i = 0; i < all_invariants_.size(); ++i)
    if (reduced_->invariants[i].of_model()) out[k++] = all_invariants_[i];
}

void System::invariant_gradient(const Point& at, std::span<double> values) {
  load(at);
  run(InvariantGradient, values);
}

void System::choices(const Point& at, std::span<double> values) {
  load(at);
  run(Choices, values);
}

void System::observe(const Point& at, std::span<double> quantities) {
  load(at);
  const std::span<double> definitions(inputs_.data() + definition_offset_, inputs_.size() - definition_offset_);
  run(Definitions, definitions);
  for (std::size_t k = 0; k < places_of_quantities_.size(); ++k) quantities[k] = inputs_[places_of_quantities_[k]];
}

void System::inspect(const Point& at, std::span<double> quantities, std::span<double> residuals_and_sizes) {
  observe(at, quantities);
  run(Certificate, residuals_and_sizes);
}

}  // namespace driftless
