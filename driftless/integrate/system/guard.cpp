#include "driftless/integrate/system/guard.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/expr/calculus.hpp"
#include "driftless/reduce/definitions.hpp"

namespace driftless {
namespace {

enum KernelIndex { Rows, Jacobian, Arguments, OfFunctions, OfArguments };
enum TangentPart { Value, Slope, Argument, Parts };

// A function that is switched off keeps at least this part of the slope of the other terms, so that a circuit node
// between two diodes that do not conduct stays where it is instead of being moved to infinity by a rounding error.
constexpr double least_part = 1e-13;
constexpr double ten_times = 2.3;     // difference of arguments that makes an exponential ten times as large
constexpr double quiet_change = 3.0;  // of an argument: a factor of 20

}  // namespace

// The rows and rates with tangents in place of steep functions.
struct Guard::Draft {
  std::shared_ptr<Pool> pool;
  std::vector<NodeId> rows;
  std::vector<std::vector<NodeId>> tangents;  // leaves: value, slope, argument of each function
};

// The expressions are made once; every run has its own tangents.
std::unique_ptr<Guard> Guard::of(const System& system) {
  const auto known = system.compiled().part<std::optional<Guard>>(
      {}, [&] { return std::make_shared<const std::optional<Guard>>(made_for(system.compiled())); });
  if (!*known) return nullptr;
  std::unique_ptr<Guard> guard(new Guard(**known));
  std::ranges::copy(system.parameters(), guard->inputs_.begin() + 1);
  guard->before_.reserve(guard->functions_.size());  // copies do not keep the capacity
  return guard;
}

std::optional<Guard> Guard::made_for(const CompiledSystem& system) {
  const Reduced& reduced = system.reduced();
  Draft draft{.pool = growable(reduced.model->pool), .rows = {}, .tangents = {}};
  Pool& pool = *draft.pool;
  Guard guard;
  int next = static_cast<int>(std::max(reduced.addresses.size(), reduced.model->variables.size()));
  NodeMap<NodeId> replaced;
  NodeMap<int> depth;  // nesting depth of steep functions of unknowns in a node; -1: no unknowns
  const auto visit = [&](NodeId id) {
    NodeId buffer[3];
    const std::span<const NodeId> list = pool.operands(id, buffer);
    const std::vector<NodeId> before(list.begin(), list.end());
    std::vector<NodeId> after;
    int deepest = pool[id].op == Op::Variable ? 0 : -1;
    for (const NodeId operand : before) {
      after.push_back(replaced.at(operand));
      deepest = std::max(deepest, depth.at(operand));
    }
    NodeId result = after == before ? id : with_operands(pool, id, after);
    if (deepest >= 0 && is_steep_function(pool[id].op)) {
      std::vector<NodeId> leaves;
      for (int part = 0; part < Parts; ++part) leaves.push_back(pool.variable(VarId{next++}));
      result = pool.add(leaves[Value], pool.mul(leaves[Slope], pool.sub(after[0], leaves[Argument])));
      guard.functions_.push_back({pool[id].op, after[0]});
      draft.tangents.push_back(std::move(leaves));
      guard.depth_ = std::max(guard.depth_, ++deepest);
    }
    replaced[id] = result;
    depth[id] = deepest;
  };
  const auto guarded = [&](NodeId expression) {
    for (const NodeId id : nodes_of(pool, expression))
      if (!replaced.contains(id)) visit(id);
    draft.rows.push_back(replaced.at(expression));
  };
  for (const DerivedEquation& row : reduced.rows) guarded(row.residual);
  for (const Kinematic& kinematic : reduced.kinematics) guarded(kinematic.rate);
  if (guard.functions_.empty() || !guard.compile(system, draft)) return {};
  return guard;
}

// False if the Jacobian would have other entries than that of the system.
bool Guard::compile(const CompiledSystem& system, const Draft& draft) {
  const Reduced& reduced = system.reduced();
  const int n = static_cast<int>(reduced.slots.size());
  rows_ = static_cast<int>(reduced.rows.size());
  rates_ = static_cast<int>(reduced.kinematics.size());
  entries_ = system.jacobian_entries();
  y_offset_ = 1 + reduced.model->parameters.size();
  yp_offset_ = y_offset_ + n;
  tangent_offset_ = yp_offset_ + n;
  const int first = functions_.empty() ? 0 : static_cast<int>((*draft.pool)[draft.tangents[0][Value]].a);
  const int last = first + Parts * static_cast<int>(functions_.size());

  InputLayout layout;
  layout.parameters = static_cast<int>(reduced.model->parameters.size());
  layout.inputs = static_cast<int>(tangent_offset_) + last - first;
  layout.variable = [&](VarId v, int order) {
    if (index(v) >= first) return static_cast<int>(tangent_offset_) + index(v) - first;
    const Reduced::Address& at = reduced.addresses[index(v)][order];
    return static_cast<int>(at.place == Place::Slot ? y_offset_ : yp_offset_) + at.index;
  };

  std::vector<KernelSource> sources{{"guarded rows", draft.rows},
                                    {"guarded jacobian", {}},
                                    {"arguments", {}},
                                    {"of functions", {}},
                                    {"of arguments", {}}};
  if (!differentiate_rows(reduced, draft, first, sources)) return false;
  differentiate_arguments(reduced, *draft.pool, first, sources);
  kernels_ = driftless::compile(draft.pool, sources, layout, system.backend()).kernels;

  inputs_.assign(layout.inputs, 0.0);
  std::size_t work = 0;
  for (const auto& kernel : kernels_) work = std::max(work, kernel->work_size());
  work_.resize(work);
  arguments_.resize(functions_.size());
  asked_.resize(functions_.size());
  asked_y_.resize(reduced.slots.size());
  jacobian_.resize(entries_.size());
  of_functions_.resize(sensitivities_.size());
  of_arguments_.resize(argument_entries_.size());
  for (const Slot& slot : reduced.slots) nominal_.push_back(slot.nominal);
  row_size_.resize(draft.rows.size());
  function_size_.resize(draft.rows.size());
  argument_size_.resize(functions_.size());
  return true;
}

// Differentiates by slots and rates, in the order of the system's Jacobian, and by the functions, whose variables begin
// with `first`. False if the guarded rows have an entry that the system's rows lack.
bool Guard::differentiate_rows(const Reduced& reduced, const Draft& draft, int first,
                               std::vector<KernelSource>& sources) {
  Pool& pool = *draft.pool;
  std::vector<NodeId>& jacobian = sources[Jacobian].outputs;
  std::size_t entry = 0;
  for (std::size_t i = 0; i < draft.rows.size(); ++i) {
    const auto in_row = [&] { return entry < entries_.size() && entries_[entry].row == static_cast<int>(i); };
    for (const Partial& p : gradient(pool, draft.rows[i])) {
      const Node leaf = pool[p.leaf];
      if (const int id = static_cast<int>(leaf.a) - first; id >= 0) {
        if (id % Parts != Value) continue;
        sensitivities_.push_back({static_cast<int>(i), id / Parts});
        sources[OfFunctions].outputs.push_back(p.derivative);
        continue;
      }
      const Reduced::Address& at = reduced.addresses[leaf.a][leaf.b];
      for (; in_row() && (entries_[entry].slot != at.index || entries_[entry].rate != (at.place == Place::Rate));
           ++entry)
        jacobian.push_back(pool.zero());
      if (!in_row()) return false;
      jacobian.push_back(p.derivative);
      ++entry;
    }
    for (; in_row(); ++entry) jacobian.push_back(pool.zero());
  }
  return true;
}

void Guard::differentiate_arguments(const Reduced& reduced, Pool& pool, int first, std::vector<KernelSource>& sources) {
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    sources[Arguments].outputs.push_back(functions_[k].argument);
    for (const Partial& p : gradient(pool, functions_[k].argument)) {
      const Node leaf = pool[p.leaf];
      if (static_cast<int>(leaf.a) >= first) continue;
      argument_entries_.push_back({static_cast<int>(k), reduced.addresses[leaf.a][leaf.b].index});
      sources[OfArguments].outputs.push_back(p.derivative);
    }
  }
}

void Guard::load(const System::Point& at) {
  inputs_[0] = at.t;
  std::ranges::copy(at.y, inputs_.begin() + static_cast<std::ptrdiff_t>(y_offset_));
  std::ranges::copy(at.yp, inputs_.begin() + static_cast<std::ptrdiff_t>(yp_offset_));
}

void Guard::set_parameters(std::span<const double> values) { std::ranges::copy(values, inputs_.begin() + 1); }

void Guard::run(int kernel, std::span<double> out) { (*kernels_[kernel])(inputs_.data(), out.data(), work_.data()); }

void Guard::set_tangent(std::size_t k) {
  const Steep& f = functions_[k];
  double* tangent = inputs_.data() + tangent_offset_ + Parts * k;
  tangent[Value] = steep_value(f.op, f.at);
  tangent[Slope] = steep_slope(f.op, f.at);
  if (std::abs(tangent[Slope]) < f.least_slope) tangent[Slope] = std::copysign(f.least_slope, tangent[Slope]);
  tangent[Argument] = f.at;
}

void Guard::begin(const System::Point& at, double alpha) {
  place(at, alpha);
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    Steep& f = functions_[k];
    const double from = f.op == Op::Exp ? std::min(f.at, f.free) : 0.0;
    if (is_exponential(f.op)) f.at = limited_argument(f.op, from, f.at, f.free);
    set_tangent(k);
  }
}

void Guard::place(const System::Point& at, double alpha) {
  for (Steep& f : functions_) f.free = f.least_slope = 0.0;
  place_at(at);
  find_scales(alpha);
  for (std::size_t k = 0; k < functions_.size(); ++k) set_tangent(k);
}

// Inner arguments first: outer ones need the tangents of the functions inside.
void Guard::find_arguments(const System::Point& at) {
  load(at);
  for (int pass = 0; pass < depth_; ++pass) {
    if (pass > 0)
      for (std::size_t k = 0; k < functions_.size(); ++k) set_tangent(k);
    run(Arguments, arguments_);
    for (std::size_t k = 0; k < functions_.size(); ++k) {
      Steep& f = functions_[k];
      const double a = arguments_[k];
      if (is_exponential(f.op))
        f.at = std::isfinite(a) ? std::clamp(a, -largest_exponent, largest_exponent) : 0.0;
      else
        f.at = a > 0.0 && std::isfinite(a) ? a : 1.0;
    }
  }
}

void Guard::place_at(const System::Point& at) {
  find_arguments(at);
  for (std::size_t k = 0; k < functions_.size(); ++k) set_tangent(k);
}

// Finds where a function begins to matter: where its slope in its equations equals that of the other terms.
void Guard::find_scales(double alpha) {
  for (std::size_t k = 0; k < functions_.size(); ++k) inputs_[tangent_offset_ + Parts * k + Slope] = 0.0;
  run(Jacobian, jacobian_);
  run(OfFunctions, of_functions_);
  run(OfArguments, of_arguments_);
  std::ranges::fill(row_size_, 0.0);
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    const double size =
        std::abs(jacobian_[e]) * nominal_[entries_[e].slot] * (entries_[e].rate && alpha > 0.0 ? alpha : 1.0);
    if (std::isfinite(size)) row_size_[entries_[e].row] = std::max(row_size_[entries_[e].row], size);
  }
  for (int k = 0; k < rates_; ++k) row_size_[rows_ + k] = std::max(row_size_[rows_ + k], alpha);
  std::ranges::fill(argument_size_, 0.0);
  for (std::size_t e = 0; e < argument_entries_.size(); ++e) {
    const auto [function, slot] = argument_entries_[e];
    const double size = std::abs(of_arguments_[e]) * nominal_[slot];
    if (std::isfinite(size)) argument_size_[function] = std::max(argument_size_[function], size);
  }
  // A row of steep functions alone is measured by the largest of them.
  std::ranges::fill(function_size_, 0.0);
  const auto felt = [&](std::size_t s) {
    const auto [row, function] = sensitivities_[s];
    const double size = std::abs(of_functions_[s]) * argument_size_[function];
    return (row < rows_ || alpha > 0.0) && std::isfinite(size) ? size : 0.0;
  };
  for (std::size_t s = 0; s < sensitivities_.size(); ++s) {
    const Steep& f = functions_[sensitivities_[s].function];
    double& largest = function_size_[sensitivities_[s].row];
    largest = std::max(largest, felt(s) * std::abs(steep_slope(f.op, f.at)));
  }
  for (Steep& f : functions_) f.free = f.least_slope = std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s < sensitivities_.size(); ++s) {
    const auto [row, function] = sensitivities_[s];
    Steep& f = functions_[function];
    const double size = felt(s);
    if (!(size > 0.0)) continue;
    const bool alone = row_size_[row] == 0.0;
    f.free = std::min(f.free, alone ? 1.0 : row_size_[row] / size);
    f.least_slope = std::min(f.least_slope, alone ? std::min(1.0, function_size_[row] / size) : row_size_[row] / size);
  }
  for (Steep& f : functions_) {
    const double slope = std::isfinite(f.free) && f.free > 0.0 ? f.free : 1.0;
    f.free = f.op == Op::Exp ? std::clamp(std::log(slope), -largest_exponent, largest_exponent) : std::asinh(slope);
    f.least_slope = is_exponential(f.op) && std::isfinite(f.least_slope) ? least_part * f.least_slope : 0.0;
  }
}

bool Guard::follow(const System::Point& at) {
  load(at);
  run(Arguments, arguments_);
  bool reached = true;
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    Steep& f = functions_[k];
    f.at = limited_argument(f.op, f.at, arguments_[k], f.free);
    if (f.at != arguments_[k]) reached = false;
    set_tangent(k);
  }
  return reached;
}

void Guard::watch(const System::Point& begin, double alpha, double tolerance) {
  place(begin, alpha);
  for (std::size_t k = 0; k < functions_.size(); ++k)
    functions_[k].ceiling = functions_[k].free + std::log(tolerance * std::max(argument_size_[k], 1e-300));
  admit(begin);
}

bool Guard::admit(const System::Point& solved) {
  bool quiet = true;
  before_.clear();
  for (const Steep& f : functions_) before_.push_back(f.at);
  find_arguments(solved);
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    Steep& f = functions_[k];
    if (!is_exponential(f.op)) continue;
    f.ceiling = std::max(f.ceiling, (f.op == Op::Exp ? f.at : std::abs(f.at)) + ten_times);
    if (!(std::abs(f.at - before_[k]) <= quiet_change)) quiet = false;
  }
  return quiet;
}

bool Guard::is_quiet(const System::Point& begin, const System::Point& end) {
  const auto keep = [&](const System::Point& at) {
    find_arguments(at);
    asked_t_ = at.t;
    std::ranges::copy(at.y, asked_y_.begin());
    for (std::size_t k = 0; k < functions_.size(); ++k) asked_[k] = functions_[k].at;
  };
  if (begin.t != asked_t_ || !std::ranges::equal(begin.y, asked_y_)) keep(begin);
  before_.assign(asked_.begin(), asked_.end());
  keep(end);
  for (std::size_t k = 0; k < functions_.size(); ++k)
    if (is_exponential(functions_[k].op) && !(std::abs(asked_[k] - before_[k]) <= quiet_change)) return false;
  return true;
}

bool Guard::has_exponentials() const {
  return std::ranges::any_of(functions_, [](const Steep& f) { return is_exponential(f.op); });
}

bool Guard::stays_small(const System::Point& between) {
  find_arguments(between);
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    const Steep& f = functions_[k];
    const double a = arguments_[k];
    if (is_exponential(f.op) && !((f.op == Op::Exp ? a : std::abs(a)) <= f.ceiling)) return false;
  }
  return true;
}

void Guard::last_arguments(std::vector<double>& of_exponentials) const {
  of_exponentials.clear();
  for (std::size_t k = 0; k < functions_.size(); ++k)
    if (is_exponential(functions_[k].op))
      of_exponentials.push_back(functions_[k].op == Op::Exp ? arguments_[k] : std::abs(arguments_[k]));
}

void Guard::ceilings(std::vector<double>& of_exponentials) const {
  of_exponentials.clear();
  for (const Steep& f : functions_)
    if (is_exponential(f.op)) of_exponentials.push_back(f.ceiling);
}

void Guard::rows_and_rates(const System::Point& at, std::span<double> out) {
  load(at);
  run(Rows, out);
}

void Guard::jacobian(const System::Point& at, std::span<double> values) {
  load(at);
  run(Jacobian, values);
}

}  // namespace driftless
