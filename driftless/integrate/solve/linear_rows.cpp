#include "driftless/integrate/solve/linear_rows.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/node_map.hpp"
#include "driftless/linear/number.hpp"

namespace driftless {

namespace {

// Rows such as r = (x - y)^2 that give an unknown as a function of the states, directly or through earlier such rows.
class Values {
 public:
  Values(Pool& pool, const Problem& problem, const NodeMap<int>& slot_of)
      : problem_(problem), pool_(pool), slot_of_(slot_of) {
    const Reduced& r = problem.reduced();
    gives_.assign(r.rows.size(), false);
    std::vector<std::vector<NodeId>> unknowns(r.rows.size());
    NodeMap<std::vector<int>> rows_with;
    std::vector<int> ready;
    for (int i = 0; i < std::ssize(r.rows); ++i) {
      for (const NodeId leaf : variables_of(pool_, r.rows[i].residual))
        if (slot_of.contains(leaf)) unknowns[i].push_back(leaf), rows_with[leaf].push_back(i);
      if (unknowns[i].size() == 1) ready.push_back(i);
    }
    for (std::size_t k = 0; k < ready.size(); ++k) {
      const int row = ready[k];
      if (unknowns[row].size() != 1 || !give(row, unknowns[row].front())) continue;
      const NodeId leaf = unknowns[row].front();
      for (const int other : rows_with.at(leaf)) {
        std::erase(unknowns[other], leaf);
        if (unknowns[other].size() == 1) ready.push_back(other);
      }
    }
  }

  bool gives(int row) const { return gives_[row]; }
  const std::vector<NodeId>& leaves() const { return leaves_; }
  bool contains(NodeId leaf) const { return value_of_.contains(leaf); }
  NodeId of(NodeId leaf) const { return value_of_.at(leaf); }

  // The expression with all values substituted.
  NodeId put_into(NodeId expression) { return substitution_(expression); }

 private:
  // A highest level of a constraint is not eliminated, as it is used to restore the levels below.
  bool give(int row, NodeId leaf) {
    const DerivedEquation& equation = problem_.reduced().rows[row];
    if (*slot_of_.find(leaf) < 0 || equation.level > 0) return false;
    const auto parts = linear_in(pool_, equation.residual, leaf);
    if (!parts || !pool_.is_constant(parts->coefficient) || pool_.is_constant(parts->coefficient, 0.0)) return false;
    value_of_.insert(leaf, put_into(pool_.neg(pool_.div(parts->rest, parts->coefficient))));
    leaves_.push_back(leaf);
    gives_[row] = true;
    return true;
  }

  const Problem& problem_;
  Pool& pool_;
  const NodeMap<int>& slot_of_;  // of unknowns; -1: a rate
  NodeMap<NodeId> value_of_;
  std::vector<NodeId> leaves_;  // that have values
  std::vector<bool> gives_;     // by row
  Substitution substitution_{pool_, [this](NodeId leaf) {
                               const NodeId* value = value_of_.find(leaf);
                               return value ? std::optional(*value) : std::nullopt;
                             }};
};

}  // namespace

// The expressions for the kernels.
struct LinearRows::Draft {
  std::shared_ptr<Pool> pool;
  std::vector<Unknown> unknowns;
  std::vector<NodeId> leaves;        // the unknowns
  std::vector<int> equation_of_row;  // -1: the row gives a value
  std::vector<NodeId> values;        // of unknowns that depend on the states only
  std::vector<int> value_slots;
  std::vector<linear::Coordinate> entries;  // those that vary come first
  std::vector<NodeId> b, varying, constant, rates;
  std::vector<std::pair<int, int>> rates_to_yp, y_to_yp;

  bool take_rows(const Reduced& r, Values& of_states, const NodeMap<int>& column_of);
  void take_rates(const Reduced& r, Values& of_states);
};

// Made once for every choice of states; every run has a copy with its own numbers.
std::unique_ptr<LinearRows> LinearRows::of(Problem& problem) {
  if (problem.reduced().implicit || problem.reduced().rows.empty()) return nullptr;
  if (std::ranges::any_of(problem.states(), [](const Combination& state) { return state.size() > 1; })) return nullptr;
  const auto known = problem.system().compiled().part<std::optional<LinearRows>>(
      problem.active(), [&] { return std::make_shared<const std::optional<LinearRows>>(made_for(problem)); });
  if (!*known) return nullptr;
  auto rows = std::make_unique<LinearRows>(**known);
  rows->begin(problem.system());
  return rows;
}

std::optional<LinearRows> LinearRows::made_for(const Problem& problem) {
  const Reduced& r = problem.reduced();
  const std::shared_ptr<Pool> own = growable(r.model->pool);
  Unknowns unknowns(r);
  for (int s = 0; s < problem.size(); ++s)
    if (!problem.is_state(s)) unknowns.add({s, false});
  if (unknowns.size() != problem.system().rows()) return {};

  Draft draft;
  draft.pool = own;
  std::vector<NodeId> leaves;
  NodeMap<int> slot_of;
  for (const auto& [slot, rate] : unknowns.all()) {
    const Quantity q = r.slots[slot].quantity;
    leaves.push_back(own->variable(q.variable, q.order + (rate ? 1 : 0)));
    slot_of.insert(leaves.back(), rate ? -1 : slot);
  }
  Values values(*own, problem, slot_of);
  for (const NodeId leaf : values.leaves()) {
    draft.values.push_back(values.of(leaf));
    draft.value_slots.push_back(*slot_of.find(leaf));
  }
  NodeMap<int> column_of;
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    if (values.contains(leaves[k])) continue;
    column_of.insert(leaves[k], static_cast<int>(draft.unknowns.size()));
    draft.leaves.push_back(leaves[k]);
    draft.unknowns.push_back(unknowns.all()[k]);
  }
  if (!draft.take_rows(r, values, column_of)) return {};
  draft.take_rates(r, values);
  if (own != r.model->pool) own->freeze();
  return LinearRows(problem.system().compiled(), std::move(draft));
}

// False if a row is not linear in the unknowns of these columns.
bool LinearRows::Draft::take_rows(const Reduced& r, Values& of_states, const NodeMap<int>& column_of) {
  const auto contains_unknown = [&](NodeId expression) {
    return std::ranges::any_of(variables_of(*pool, expression), [&](NodeId leaf) { return column_of.contains(leaf); });
  };
  Substitution without_unknowns(
      *pool, [&](NodeId leaf) { return column_of.contains(leaf) ? std::optional(pool->zero()) : std::nullopt; });
  std::vector<linear::Coordinate> constant_entries;
  for (int i = 0; i < std::ssize(r.rows); ++i) {
    equation_of_row.push_back(of_states.gives(i) ? -1 : static_cast<int>(b.size()));
    if (of_states.gives(i)) continue;
    const int row = equation_of_row.back();
    b.push_back(of_states.put_into(without_unknowns(r.rows[i].residual)));
    for (const Partial& p : gradient(*pool, r.rows[i].residual)) {
      const int* column = column_of.find(p.leaf);
      if (!column) continue;
      const NodeId entry = of_states.put_into(p.derivative);
      if (contains_unknown(entry)) return false;
      const bool is_fixed = !varies(*pool, entry);
      (is_fixed ? constant_entries : entries).push_back({row, *column});
      (is_fixed ? constant : varying).push_back(entry);
    }
  }
  entries.insert(entries.end(), constant_entries.begin(), constant_entries.end());
  return true;
}

void LinearRows::Draft::take_rates(const Reduced& r, Values& of_states) {
  for (const Kinematic& k : r.kinematics) {
    if (const int from = r.slot_at((*pool)[k.rate]); from >= 0) {
      y_to_yp.emplace_back(from, k.slot);
    } else {
      rates_to_yp.emplace_back(static_cast<int>(rates.size()), k.slot);
      rates.push_back(of_states.put_into(k.rate));
    }
  }
}

LinearRows::LinearRows(const CompiledSystem& system, Draft draft)
    : system_(&system),
      pool_(draft.pool),
      unknowns_(std::move(draft.unknowns)),
      equation_of_row_(std::move(draft.equation_of_row)),
      y_offset_(system.y_offset()),
      size_(system.reduced().slots.size()),
      rates_to_yp_(draft.rates_to_yp),
      y_to_yp_(draft.y_to_yp),
      elimination_(static_cast<int>(unknowns_.size()), draft.entries),
      inputs_(system.inputs()),
      z_(unknowns_.size()),
      rate_values_(draft.rates.size() + draft.values.size()),
      values_(draft.b.size() + draft.entries.size()) {
  std::vector<std::pair<int, int>> to_y, to_yp, to_inputs, given_to_y, given_to_inputs;
  for (std::size_t k = 0; k < draft.values.size(); ++k) {
    const int from = static_cast<int>(draft.rates.size() + k), slot = draft.value_slots[k];
    given_to_y.emplace_back(from, slot);
    given_to_inputs.emplace_back(from, static_cast<int>(y_offset_) + slot);
  }
  draft.rates.insert(draft.rates.end(), draft.values.begin(), draft.values.end());
  given_to_y_ = BlockCopy(given_to_y);
  given_to_inputs_ = BlockCopy(given_to_inputs);
  for (int i = 0; i < static_cast<int>(unknowns_.size()); ++i) {
    const Unknown& u = unknowns_[i];
    (u.rate ? to_yp : to_y).emplace_back(i, u.slot);
    to_inputs.emplace_back(i, static_cast<int>(u.rate ? system.yp_offset() : y_offset_) + u.slot);
  }
  z_to_y_ = BlockCopy(to_y);
  z_to_yp_ = BlockCopy(to_yp);
  z_to_inputs_ = BlockCopy(to_inputs);
  std::vector<NodeId> matrix = draft.b;
  matrix.insert(matrix.end(), draft.varying.begin(), draft.varying.end());
  const Kernels kernels = system.compile(
      pool_,
      std::vector<KernelSource>{{"linear rows", matrix}, {"rates", draft.rates}, {"constant entries", draft.constant}});
  matrix_ = kernels[0];
  rates_ = kernels[1];
  constant_ = kernels[2];
  work_.resize(std::max({matrix_->work_size(), rates_->work_size(), constant_->work_size()}));

  expressions_ = {.unknowns = std::move(draft.leaves),
                  .places = std::move(draft.entries),
                  .entries = std::move(draft.varying),
                  .b = std::move(draft.b),
                  .rates = std::move(draft.rates)};
  expressions_.entries.insert(expressions_.entries.end(), draft.constant.begin(), draft.constant.end());
}

void LinearRows::begin(const System& system) {
  run_ = &system;
  version_ = system.parameters_version();
  inputs_ = system.inputs();
  (*constant_)(inputs_.data(), values_.data() + matrix_->outputs(), work_.data());
}

void LinearRows::prepare(double t, std::span<const double> y) {
  load(t, y);
  (*matrix_)(inputs_.data(), values_.data(), work_.data());
  straight_ = InlinedLinearSolve::of(*system_, pool_, expressions_, std::span(values_).subspan(z_.size()));
  begin_straight();
  if (straight_ && !(*straight_)(inputs_)) straight_.reset();
}

void LinearRows::begin_straight() {
  inputs_.resize(system_->inputs().size());
  if (straight_) straight_->begin(inputs_);
}

void LinearRows::archive(Archive& archive) {
  archive.section("linear rows");
  archive(elimination_, evaluations_);
  bool has_straight = straight_.has_value();
  archive(has_straight);
  if (!archive.is_reading()) {
    if (straight_) straight_->write(archive);
    return;
  }
  straight_.reset();
  if (has_straight) straight_ = InlinedLinearSolve::read(archive, *system_, pool_, expressions_);
  begin_straight();
}

void LinearRows::load(double t, std::span<const double> y) {
  if (version_ != run_->parameters_version()) {
    begin(*run_);
    begin_straight();
  }
  inputs_[0] = t;
  std::copy_n(y.begin(), size_, inputs_.begin() + static_cast<std::ptrdiff_t>(y_offset_));
}

bool LinearRows::operator()(double t, std::span<double> y, std::span<double> yp) {
  ++evaluations_;
  load(t, y);
  went_straight_ = straight_ && (*straight_)(inputs_);
  if (!went_straight_ && !by_tables()) return false;
  const std::span<const double> z = went_straight_ ? straight_->z() : z_;
  const std::span<const double> rates = went_straight_ ? straight_->rates() : rate_values_;
  z_to_y_(z, y);
  z_to_yp_(z, yp);
  z_to_inputs_(z, inputs_);
  given_to_y_(rates, y);
  given_to_inputs_(rates, inputs_);
  rates_to_yp_(rates, yp);
  y_to_yp_(y, yp);
  return true;
}

bool LinearRows::by_tables() {
  (*matrix_)(inputs_.data(), values_.data(), work_.data());
  for (std::size_t i = 0; i < z_.size(); ++i) z_[i] = -values_[i];
  if (!elimination_.factorize_and_solve(std::span(values_).subspan(z_.size()), z_) || !linear::all_finite(z_))
    return false;
  z_to_inputs_(z_, inputs_);
  (*rates_)(inputs_.data(), rate_values_.data(), work_.data());
  return linear::all_finite(rate_values_);
}

}  // namespace driftless
