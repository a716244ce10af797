// How MultiplierSolve is made: the unknowns z, the rows that are d and those that are g, the levels below these, and
// the kernels of all of them and of their derivatives. The numerical part is in multiplier_solve.cpp.
#include <algorithm>

#include "driftless/expr/calculus.hpp"
#include "driftless/integrate/solve/multiplier_solve.hpp"
#include "driftless/integrate/system/incidence.hpp"
#include "driftless/structure/dulmage_mendelsohn.hpp"

namespace driftless {

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

// The constraints one level below g, and the states whose rates are the quantities moved by z.
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
