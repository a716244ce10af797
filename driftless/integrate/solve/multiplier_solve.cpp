#include "driftless/integrate/solve/multiplier_solve.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/integrate/system/incidence.hpp"
#include "driftless/integrate/system/norms.hpp"
#include "driftless/linear/number.hpp"
#include "driftless/newton/rounding.hpp"
#include "driftless/structure/dulmage_mendelsohn.hpp"

namespace driftless {
namespace {

constexpr int most_iterations = 25;
constexpr double matrix_serves = 1e-4;  // behind a correction below this

// A quasi-Newton correction is followed by one of the order of its square: below this the next is rounding.
constexpr double last_correction = 1e-8;
constexpr int most_moves = 10;

}  // namespace

// The expressions of which the kernels are made.
struct MultiplierSolve::Draft {
  std::shared_ptr<Pool> pool;
  NodeMap<int> column_of;   // of the leaves of z
  NodeMap<int> moved_slot;  // of the leaves of those x that z moves
  std::vector<NodeId> d, rates, d_z, r_z, links, g, g_x, hidden, below;

  NodeId leaf_of(Quantity q) const { return pool->variable(q.variable, q.order); }
  bool contains(NodeId expression, const NodeMap<int>& leaves) const {
    return std::ranges::any_of(variables_of(*pool, expression), [&](NodeId leaf) { return leaves.contains(leaf); });
  }
};

MultiplierSolve::MultiplierSolve(Problem& problem)
    : problem_(problem),
      inputs_(problem.system().inputs()),
      next_inputs_(inputs_),
      change_(problem.size()),
      y_offset_(problem.system().y_offset()),
      yp_offset_(problem.system().yp_offset()) {
  const Reduced& r = problem.reduced();
  for (const Slot& slot : r.slots) nominal_.push_back(slot.nominal);
  Draft draft;
  draft.pool = growable(r.model->pool);
  number_unknowns(r, draft);
  read_rates(r, draft);
  read_rows(r, draft);
  linear_ = linear_ && forces_linear_;
  find_levels(r, draft);
  find_pattern();
  compile(draft);
  if (constraints_.empty() && !linear_ && problem.system().guard()) rows_ = std::make_unique<AlgebraicSolve>(problem);
}

void MultiplierSolve::number_unknowns(const Reduced& r, Draft& draft) {
  const auto add = [&](Quantity q, int slot, bool rate) {
    draft.column_of.insert(draft.leaf_of(q), static_cast<int>(unknowns_.size()));
    unknowns_.push_back({slot, rate, (rate ? yp_offset_ : y_offset_) + slot});
  };
  for (const Quantity q : r.quantities)
    if (r.place(q) == Place::Rate) add(q, r.slot_of(q), true);
  for (int s = 0; s < problem_.size(); ++s)
    if (problem_.is_state(s))
      states_.push_back(s);
    else
      add(r.slots[s].quantity, s, false);
  size_ = static_cast<int>(unknowns_.size());
}

// r and r_z.
void MultiplierSolve::read_rates(const Reduced& r, Draft& draft) {
  Pool& pool = *draft.pool;
  for (const int k : problem_.active()) {
    const auto& [slot, rate] = r.kinematics[k];
    if (const int from = r.slot_at(pool[rate]); from >= 0) {
      copied_.push_back({slot, y_offset_ + from});
    } else {
      computed_.push_back(slot);
      draft.rates.push_back(rate);
    }
    for (const Partial& p : gradient(pool, rate)) {
      const int* column = draft.column_of.find(p.leaf);
      if (!column) continue;
      rate_entries_.push_back({slot, *column});
      draft.r_z.push_back(p.derivative);
      forces_linear_ = forces_linear_ && !draft.contains(p.derivative, draft.column_of);
      const NodeId leaf = draft.leaf_of(r.slots[slot].quantity);
      if (draft.moved_slot.contains(leaf)) continue;
      draft.moved_slot.insert(leaf, slot);
      moved_.push_back(slot);
    }
  }
  for (const Unknown& u : unknowns_)
    if (u.rate && std::ranges::find(moved_, u.slot) == moved_.end()) solved_.push_back({u.slot, u.input});
}

// d, d_z, g, g_x and the hidden constraints.
void MultiplierSolve::read_rows(const Reduced& r, Draft& draft) {
  Pool& pool = *draft.pool;
  NodeMap<NodeId> rate_of;
  for (const int k : problem_.active())
    rate_of.insert(draft.leaf_of(r.slots[r.kinematics[k].slot].quantity), r.kinematics[k].rate);
  Differential along_solution(pool, [&](NodeId leaf) {
    if (pool[leaf].op == Op::Time) return pool.one();
    const NodeId* rate = rate_of.find(leaf);
    return rate ? *rate : pool.zero();
  });
  for (std::size_t i = 0; i < r.rows.size(); ++i) {
    const NodeId residual = r.rows[i].residual;
    const bool constraint = !draft.contains(residual, draft.column_of);
    std::vector<int>& rows = constraint ? constraints_ : dynamics_;
    const int number = static_cast<int>(rows.size());
    rows.push_back(static_cast<int>(i));
    for (const Partial& p : gradient(pool, residual)) {
      const int* column = draft.column_of.find(p.leaf);
      const int* moved = draft.moved_slot.find(p.leaf);
      if (column) {
        dynamics_entries_.push_back({number, *column});
        draft.d_z.push_back(p.derivative);
        forces_linear_ = forces_linear_ && !draft.contains(p.derivative, draft.column_of);
      } else if (constraint && moved) {
        gradient_entries_.push_back({number, *moved});
        draft.g_x.push_back(p.derivative);
        linear_ = linear_ && !draft.contains(p.derivative, draft.moved_slot);
      }
    }
    (constraint ? draft.g : draft.d).push_back(residual);
    if (constraint) draft.hidden.push_back(along_solution(residual));
  }
}

// The constraints one level below g, and the states whose rates are what z moves.
void MultiplierSolve::find_levels(const Reduced& r, Draft& draft) {
  for (const int k : problem_.active()) {
    const auto& [slot, rate] = r.kinematics[k];
    if (draft.moved_slot.contains(draft.leaf_of(r.slots[slot].quantity))) continue;
    for (const Partial& p : gradient(*draft.pool, rate))
      if (const int* from = draft.moved_slot.find(p.leaf)) {
        links_.push_back({slot, *from});
        draft.links.push_back(p.derivative);
      }
  }
  std::size_t positions = 0;
  for (const Invariant& level : r.invariants)
    if (!level.of_model() && level.stage < -1) ++positions;
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const DerivedEquation& row = r.rows[constraints_[i]];
    const auto below = std::ranges::find_if(r.invariants, [&](const Invariant& level) {
      return !level.of_model() && level.equation == row.equation && level.level == row.level - 1;
    });
    if (below == r.invariants.end()) continue;
    levels_.push_back(static_cast<int>(i));
    draft.below.push_back(below->residual);
  }
  restores_all_ = positions > 0 && positions == levels_.size();
}

void MultiplierSolve::find_pattern() {
  struct Source {
    int gradient, rate;
  };
  std::vector<linear::Coordinate> all = dynamics_entries_;
  std::vector<Source> sources;
  const int below = static_cast<int>(dynamics_.size());
  std::vector<std::vector<int>> rates_of(problem_.size());
  for (std::size_t k = 0; k < rate_entries_.size(); ++k) rates_of[rate_entries_[k].slot].push_back(static_cast<int>(k));
  for (std::size_t e = 0; e < gradient_entries_.size(); ++e)
    for (const int k : rates_of[gradient_entries_[e].slot]) {
      all.push_back({below + gradient_entries_[e].row, rate_entries_[k].column});
      sources.push_back({static_cast<int>(e), k});
    }
  const linear::Assembly assembly = linear::assemble(size_, all);
  dynamics_position_.assign(assembly.position.begin(), assembly.position.begin() + std::ssize(dynamics_entries_));
  for (std::size_t k = 0; k < sources.size(); ++k)
    products_.push_back({assembly.position[dynamics_entries_.size() + k], sources[k].gradient, sources[k].rate});
  std::ranges::stable_sort(products_, {}, &Product::position);
  for (int col = 0; col < assembly.pattern.size; ++col)
    for (int k = assembly.pattern.starts[col]; k < assembly.pattern.starts[col + 1]; ++k)
      coordinates_.push_back({assembly.pattern.rows[k], col});
  matrix_.resize(coordinates_.size());
  z_.resize(size_);
  elimination_.emplace(size_, coordinates_);
}

void MultiplierSolve::compile(const Draft& draft) {
  std::vector<NodeId> present = draft.d;
  for (const auto* part : {&draft.rates, &draft.d_z, &draft.r_z, &draft.links})
    present.insert(present.end(), part->begin(), part->end());
  std::vector<NodeId> gradient = draft.g;
  gradient.insert(gradient.end(), draft.g_x.begin(), draft.g_x.end());
  auto kernels =
      problem_.system().compiled().compile(draft.pool, std::vector<KernelSource>{{"stage", present},
                                                                                 {"constraints", gradient},
                                                                                 {"hidden constraints", draft.hidden},
                                                                                 {"levels", draft.below}});
  std::size_t n = 0, work = 0;
  for (Function* function : {&present_, &gradient_, &hidden_, &below_}) {
    function->kernel = std::move(kernels[n++]);
    function->values.resize(function->kernel->outputs());
    work = std::max(work, function->kernel->work_size());
  }
  work_.resize(work);
}

// ---- evaluation

void MultiplierSolve::load(double t, std::span<const double> y, std::span<const double> yp) {
  if (const System& system = problem_.system(); version_ != system.parameters_version()) {
    for (auto* inputs : {&inputs_, &next_inputs_}) std::ranges::copy(system.parameters(), inputs->begin() + 1);
    version_ = system.parameters_version();
  }
  inputs_[0] = t;
  std::ranges::copy(y, inputs_.begin() + static_cast<std::ptrdiff_t>(y_offset_));
  for (const Unknown& u : unknowns_)
    if (u.rate) inputs_[u.input] = yp[u.slot];
}

void MultiplierSolve::run(Function& function, const std::vector<double>& inputs) {
  (*function.kernel)(inputs.data(), function.values.data(), work_.data());
}

// d, r, d_z, r_z where `load` has put the point.
void MultiplierSolve::evaluate_present(std::span<double> slope) {
  ++counts_.residual_evaluations;
  run(present_, inputs_);
  const double* rates = present_.values.data() + dynamics_.size();
  for (std::size_t k = 0; k < computed_.size(); ++k) slope[computed_[k]] = rates[k];
  for (const Copied& c : copied_) slope[c.slot] = inputs_[c.input];
  take_solved(slope);
}

void MultiplierSolve::take_solved(std::span<double> slope) const {
  for (const Copied& c : solved_) slope[c.slot] = inputs_[c.input];
}

newton::End MultiplierSolve::factorize() {
  ++counts_.jacobian_evaluations, ++counts_.factorizations;
  const double* d_z = present_.values.data() + dynamics_.size() + computed_.size();
  const double* r_z = d_z + dynamics_entries_.size();
  const double* g_x = gradient_.values.data() + constraints_.size();
  std::ranges::fill(matrix_, 0.0);
  for (std::size_t k = 0; k < dynamics_position_.size(); ++k) matrix_[dynamics_position_[k]] = d_z[k];
  for (const Product& p : products_) matrix_[p.position] += g_x[p.gradient] * r_z[p.rate];
  if (elimination_->factorize(matrix_)) return newton::End::Converged;
  return linear::all_finite(matrix_) ? newton::End::Singular : newton::End::Undefined;
}

// Solves for a correction of z whose right-hand side is in z_, and makes it; its size, relative to z.
newton::Correction MultiplierSolve::correct(std::span<double> y) {
  ++counts_.newton_iterations;
  elimination_->solve(z_);
  RelativeChange change;
  for (int k = 0; k < size_; ++k) {
    const Unknown& u = unknowns_[k];
    double& value = inputs_[u.input];
    value -= z_[k];
    if (!u.rate) y[u.slot] = value;
    change.add(z_[k], value, nominal_[u.slot]);
  }
  return std::isfinite(change.largest()) ? newton::Correction(change.largest()) : newton::End::Undefined;
}

// change_ becomes r_z z_, for the states that z moves.
void MultiplierSolve::find_change() {
  const double* r_z = present_.values.data() + dynamics_.size() + computed_.size() + dynamics_entries_.size();
  for (const int s : moved_) change_[s] = 0.0;
  for (std::size_t k = 0; k < rate_entries_.size(); ++k)
    change_[rate_entries_[k].slot] += r_z[k] * z_[rate_entries_[k].column];
}

// ---- the two systems

newton::Report MultiplierSolve::ahead(const Stage& stage, std::span<double> y, std::span<double> slope,
                                      std::span<double> next) {
  if (rows_ && !(*rows_)(stage.t, y, slope)) return {newton::End::Diverged};
  load(stage.t, y, slope);
  next_inputs_[0] = stage.t_next;
  const auto advance = [&](int s) { next_inputs_[y_offset_ + s] = next[s] = stage.known[s] + stage.factor * slope[s]; };
  newton::ToRounding at_rounding(newton::in_a_step);
  const auto correct_both = [&]() -> newton::Correction {
    evaluate_present(slope);
    for (const int s : states_) advance(s);
    run(gradient_, next_inputs_);
    if (at_rounding.last() > matrix_serves)
      if (const newton::End end = factorize(); end != newton::End::Converged) return end;
    std::copy_n(present_.values.begin(), dynamics_.size(), z_.begin());
    for (std::size_t i = 0; i < constraints_.size(); ++i) z_[dynamics_.size() + i] = gradient_.values[i] / stage.factor;
    return correct(y);
  };
  const auto test = [&](double size) { return linear_ ? newton::Verdict::Converged : at_rounding(size); };
  const newton::Report report = newton::iterate(most_iterations, correct_both, test);
  if (!report.converged()) return report;
  find_change();
  for (const int s : moved_) slope[s] -= change_[s], advance(s);
  take_solved(slope);
  for (const Copied& c : solved_) advance(c.slot);
  for (const Unknown& u : unknowns_)
    if (!u.rate) next[u.slot] = y[u.slot];
  return report;
}

newton::Report MultiplierSolve::here(double t, std::span<double> y, std::span<double> yp) {
  if (rows_ && !(*rows_)(t, y, yp)) return {newton::End::Diverged};
  load(t, y, yp);
  return settle(y, yp, true);
}

newton::Report MultiplierSolve::settle(std::span<double> y, std::span<double> yp, bool new_matrix) {
  newton::ToRounding at_rounding(newton::in_a_step);
  const auto correct_here = [&]() -> newton::Correction {
    evaluate_present(yp);
    if (new_matrix && at_rounding.last() > matrix_serves) {
      run(gradient_, inputs_);
      if (const newton::End end = factorize(); end != newton::End::Converged) return end;
    }
    run(hidden_, inputs_);
    std::copy_n(present_.values.begin(), dynamics_.size(), z_.begin());
    std::ranges::copy(hidden_.values, z_.begin() + std::ssize(dynamics_));
    return correct(y);
  };
  const auto test = [&](double size) {
    return linear_ && (new_matrix || size <= last_correction) ? newton::Verdict::Converged : at_rounding(size);
  };
  const newton::Report report = newton::iterate(most_iterations, correct_here, test);
  if (!report.converged()) return report;
  find_change();
  for (const int s : moved_) yp[s] -= change_[s];
  take_solved(yp);
  return report;
}

// ---- ways back to the constraints

newton::Report MultiplierSolve::restore(double t, std::span<double> y, std::span<double> yp) {
  double moved = 0.0;
  load(t, y, yp);
  evaluate_present(yp);
  run(gradient_, inputs_);
  if (const newton::End end = factorize(); end != newton::End::Converged) return {end};
  for (const auto move : {&MultiplierSolve::move_onto_levels, &MultiplierSolve::move_onto_constraints}) {
    const auto go = [&]() -> newton::Correction {
      const double size = (this->*move)(y);
      moved = std::max(moved, size);
      return size;
    };
    const newton::Report report = newton::iterate(most_moves, go, newton::Within{last_correction});
    if (!report.converged()) return report;
  }
  return settle(y, yp, moved > last_correction);
}

double MultiplierSolve::move_onto_levels(std::span<double> y) {
  if (levels_.empty()) return 0.0;
  run(below_, inputs_);
  std::ranges::fill(z_, 0.0);
  for (std::size_t i = 0; i < levels_.size(); ++i) z_[dynamics_.size() + levels_[i]] = below_.values[i];
  elimination_->solve(z_);
  find_change();
  const double* links = present_.values.data() + present_.values.size() - links_.size();
  double size = 0.0;
  for (std::size_t k = 0; k < links_.size(); ++k)
    size = std::max(size, move_state(links_[k].to, links[k] * change_[links_[k].from], y));
  return size;
}

double MultiplierSolve::move_onto_constraints(std::span<double> y) {
  if (constraints_.empty()) return 0.0;
  run(gradient_, inputs_);
  std::fill_n(z_.begin(), dynamics_.size(), 0.0);
  std::copy_n(gradient_.values.begin(), constraints_.size(), z_.begin() + std::ssize(dynamics_));
  elimination_->solve(z_);
  find_change();
  double size = 0.0;
  for (const int s : moved_) size = std::max(size, move_state(s, change_[s], y));
  return size;
}

// How far, relative to its size; infinite if it does not exist.
double MultiplierSolve::move_state(int slot, double change, std::span<double> y) {
  y[slot] -= change;
  inputs_[y_offset_ + slot] = y[slot];
  const double part = std::abs(change) / (std::abs(y[slot]) + nominal_[slot]);
  return std::isfinite(part) ? part : HUGE_VAL;
}

void MultiplierSolve::tangential(std::span<double> change) {
  if (constraints_.empty()) return;
  const double* g_x = gradient_.values.data() + constraints_.size();
  std::ranges::fill(z_, 0.0);
  for (std::size_t e = 0; e < gradient_entries_.size(); ++e)
    z_[dynamics_.size() + gradient_entries_[e].row] += g_x[e] * change[gradient_entries_[e].slot];
  elimination_->solve(z_);
  find_change();
  for (const int s : moved_) change[s] -= change_[s];
}

std::optional<std::string> unmet_constraint(const Problem& problem) {
  const System& system = problem.system();
  const Reduced& r = problem.reduced();
  Unknowns unknowns(r);
  for (int s = 0; s < problem.size(); ++s)
    if (!problem.is_state(s)) unknowns.add({s, false});

  std::vector<bool> is_constraint(system.rows(), true);
  std::vector<std::vector<int>> moves(problem.size());  // per state the unknowns that its rate depends on
  std::vector<linear::Coordinate> coordinates;
  for (const System::Entry& e : system.jacobian_entries()) {
    const int column = unknowns.column(e.slot, e.rate);
    if (column < 0) continue;
    if (e.row < system.rows())
      coordinates.push_back({e.row, column}), is_constraint[e.row] = false;
    else
      moves[r.kinematics[e.row - system.rows()].slot].push_back(column);
  }
  for (const System::Entry& e : system.jacobian_entries())
    if (e.row < system.rows() && is_constraint[e.row])
      for (const int column : moves[e.slot]) coordinates.push_back({e.row, column});

  const structure::Signature incidence = incidence_of(system.rows(), unknowns.size(), coordinates);
  for (const structure::Row row :
       structure::dulmage_mendelsohn(incidence, structure::maximum_matching(incidence)).over_rows)
    if (is_constraint[index(row)]) return problem.name_of_equation(index(row));
  return {};
}

}  // namespace driftless
