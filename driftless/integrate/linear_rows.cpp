#include "driftless/integrate/linear_rows.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/node_map.hpp"

namespace driftless {

// The expressions of which the kernels are made.
struct LinearRows::Draft {
  std::vector<Unknown> unknowns;
  std::vector<linear::Coordinate> entries;  // those that vary first
  std::vector<NodeId> b, varying, constant, rates;
  std::vector<std::pair<int, int>> rates_to_yp, y_to_yp;
};

namespace {

bool is_constant(const Pool& pool, NodeId expression) {
  return !any_node(pool, expression, [&](NodeId node) {
    const Op op = pool[node].op;
    return op == Op::Time || op == Op::Variable;
  });
}

// Four sums side by side: one after the other the additions would wait for each other.
bool all_finite(std::span<const double> values) {
  double sums[4] = {0.0, 0.0, 0.0, 0.0};
  const std::size_t n = values.size(), whole = n - n % 4;
  for (std::size_t i = 0; i < whole; i += 4)
    for (std::size_t k = 0; k < 4; ++k) sums[k] += values[i + k];
  for (std::size_t i = whole; i < n; ++i) sums[0] += values[i];
  return std::isfinite((sums[0] + sums[1]) + (sums[2] + sums[3])) ||
         std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

}  // namespace

std::unique_ptr<LinearRows> LinearRows::of(Problem& problem) {
  const Reduced& r = problem.reduced();
  Pool& pool = *r.model->pool;
  if (r.implicit || r.rows.empty()) return nullptr;
  if (std::ranges::any_of(problem.states(), [](const Combination& state) { return state.size() > 1; })) return nullptr;

  Draft draft;
  NodeMap<int> column_of;
  const auto add = [&](Quantity q, int slot, bool rate) {
    column_of.insert(pool.variable(q.variable, q.order), static_cast<int>(draft.unknowns.size()));
    draft.unknowns.push_back({slot, rate});
  };
  for (const Quantity q : r.quantities)
    if (r.place(q) == Place::Rate) add(q, r.slot_of(q), true);
  for (int s = 0; s < problem.size(); ++s)
    if (!problem.is_state(s)) add(r.slots[s].quantity, s, false);
  if (draft.unknowns.size() != r.rows.size()) return nullptr;

  const auto contains_unknown = [&](NodeId expression) {
    return std::ranges::any_of(variables_of(pool, expression), [&](NodeId leaf) { return column_of.contains(leaf); });
  };
  Substitution without_unknowns(
      pool, [&](NodeId leaf) { return column_of.contains(leaf) ? std::optional(pool.zero()) : std::nullopt; });
  std::vector<linear::Coordinate> constant_entries;
  for (std::size_t i = 0; i < r.rows.size(); ++i) {
    draft.b.push_back(without_unknowns(r.rows[i].residual));
    for (const Partial& p : gradient(pool, r.rows[i].residual)) {
      const int* column = column_of.find(p.leaf);
      if (!column) continue;
      if (contains_unknown(p.derivative)) return nullptr;
      const bool constant = is_constant(pool, p.derivative);
      (constant ? constant_entries : draft.entries).push_back({static_cast<int>(i), *column});
      (constant ? draft.constant : draft.varying).push_back(p.derivative);
    }
  }
  draft.entries.insert(draft.entries.end(), constant_entries.begin(), constant_entries.end());

  for (const Kinematic& k : r.kinematics) {
    const Node& node = pool[k.rate];
    if (node.op == Op::Variable && r.addresses[node.a][node.b].place == Place::Slot) {
      draft.y_to_yp.emplace_back(r.addresses[node.a][node.b].index, k.slot);
    } else {
      draft.rates_to_yp.emplace_back(static_cast<int>(draft.rates.size()), k.slot);
      draft.rates.push_back(k.rate);
    }
  }
  return std::unique_ptr<LinearRows>(new LinearRows(problem.system(), std::move(draft)));
}

LinearRows::LinearRows(System& system, Draft draft)
    : unknowns_(std::move(draft.unknowns)),
      y_offset_(system.y_offset()),
      size_(system.size()),
      rates_to_yp_(draft.rates_to_yp),
      y_to_yp_(draft.y_to_yp),
      elimination_(static_cast<int>(unknowns_.size()), draft.entries),
      inputs_(system.inputs()),
      z_(unknowns_.size()),
      rate_values_(draft.rates.size()),
      values_(draft.b.size() + draft.entries.size()) {
  std::vector<std::pair<int, int>> to_y, to_yp, to_inputs;
  for (int i = 0; i < static_cast<int>(unknowns_.size()); ++i) {
    const Unknown& u = unknowns_[i];
    (u.rate ? to_yp : to_y).emplace_back(i, u.slot);
    to_inputs.emplace_back(i, static_cast<int>(u.rate ? system.yp_offset() : y_offset_) + u.slot);
  }
  z_to_y_ = RunCopy(to_y);
  z_to_yp_ = RunCopy(to_yp);
  z_to_inputs_ = RunCopy(to_inputs);
  std::vector<NodeId> matrix = draft.b;
  matrix.insert(matrix.end(), draft.varying.begin(), draft.varying.end());
  auto kernels = system.compile(std::vector<KernelSource>{
      {"linear rows", matrix}, {"rates", draft.rates}, {"constant entries", draft.constant}});
  matrix_ = std::move(kernels[0]);
  rates_ = std::move(kernels[1]);
  work_.resize(std::max({matrix_->work_size(), rates_->work_size(), kernels[2]->work_size()}));
  (*kernels[2])(inputs_.data(), values_.data() + matrix.size(), work_.data());
}

bool LinearRows::operator()(double t, std::span<double> y, std::span<double> yp) {
  ++evaluations_;
  inputs_[0] = t;
  std::copy_n(y.begin(), size_, inputs_.begin() + static_cast<std::ptrdiff_t>(y_offset_));
  (*matrix_)(inputs_.data(), values_.data(), work_.data());
  for (std::size_t i = 0; i < z_.size(); ++i) z_[i] = -values_[i];
  if (!elimination_.factorize_and_solve(std::span(values_).subspan(z_.size()), z_) || !all_finite(z_)) return false;
  z_to_y_(z_, y);
  z_to_yp_(z_, yp);
  z_to_inputs_(z_, inputs_);
  (*rates_)(inputs_.data(), rate_values_.data(), work_.data());
  if (!all_finite(rate_values_)) return false;
  rates_to_yp_(rate_values_, yp);
  y_to_yp_(y, yp);
  return true;
}

}  // namespace driftless
