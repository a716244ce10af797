#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "driftless/expr/calculus.hpp"
#include "driftless/reduce/definitions.hpp"
#include "driftless/reduce/observers.hpp"
#include "driftless/reduce/reduced.hpp"

namespace driftless {
namespace {

Quantity quantity_of(const Pool& pool, NodeId leaf) {
  return {VarId{static_cast<int>(pool[leaf].a)}, static_cast<int>(pool[leaf].b)};
}

// Weights of stateSelect in the choice of dependent columns: a preferred state must be this much worse conditioned
// before another takes its place. Where the constraints are linear in it, how it is conditioned is a matter of units,
// and the wish counts. Where they are not, a preferred state may come to where it determines nothing; the others have
// slopes without bounds by it before, and the errors of a step grow with their squares.
double preference_of(StateSelect select, bool is_linear) {
  const double wish = is_linear ? 1e3 : 4.0;
  switch (select) {
    case StateSelect::Never: return 1e-8;
    case StateSelect::Avoid: return 1.0 / wish;
    case StateSelect::Default: return 1.0;
    case StateSelect::Prefer: return wish;
    case StateSelect::Always: return 1e8;
  }
  return 1.0;
}

class Reduction {
 public:
  Reduction(std::shared_ptr<const Model> model, const structure::Structure& shape)
      : pool_(*model->pool), derivative_(pool_), shape_(shape) {
    reduced_.model = std::move(model);
    reduced_.offsets = shape.offsets;
    for (std::size_t j = 0; j < d().size(); ++j)
      for (int k = 0; k <= d()[j]; ++k) reduced_.quantities.push_back({VarId{static_cast<int>(j)}, k});
    reduced_.addresses.resize(d().size());
    for (std::size_t j = 0; j < d().size(); ++j) reduced_.addresses[j].resize(d()[j] + 1);
  }

  void eliminate(Definable definable) { explicit_ = choose_definitions(*reduced_.model, reduced_.offsets, definable); }

  // Mattsson & Söderlind, Section 3: in a block without algebraic variables the highest derivative of every variable is
  // taken from the integrator, and the highest differentiation of its equations is not needed.
  void remove_superfluous() {
    dropped_.assign(reduced_.model->equations.size(), false);
    for (const structure::Block& block : shape_.blocks) {
      if (std::ranges::any_of(block.cols, [&](structure::Col j) { return d()[index(j)] == 0; })) continue;
      for (const structure::Row i : block.rows) dropped_[index(i)] = c()[index(i)] > 0;
      for (const structure::Col j : block.cols) rate_on_top(VarId{index(j)});
    }
  }

  // Nothing is differentiated: the highest derivative of every variable is taken from the integrator.
  void keep_implicit() {
    reduced_.implicit = true;
    reduced_.completes_points = false;
    for (std::size_t j = 0; j < d().size(); ++j)
      if (d()[j] > 0) rate_on_top(VarId{static_cast<int>(j)});
  }

  Reduced finish() {
    lowest_stage_ = -std::max(max_of(c()), max_of(d()));
    place_definitions();
    find_permanent_states();
    number_slots();
    resolve_definitions();
    scale_by_exponents();
    make_rows();
    make_kinematics();
    make_choices();
    make_constraints();
    make_replaced_constraints();
    for (const InvariantOfModel& invariant : reduced_.model->invariants)
      reduced_.invariants.push_back({substitute(invariant.value), invariant.name});
    for (const Quantity q : reduced_.quantities) pool_.variable(q.variable, q.order);  // for value_of
    return std::move(reduced_);
  }

 private:
  const std::vector<int>& c() const { return reduced_.offsets.c; }
  const std::vector<int>& d() const { return reduced_.offsets.d; }
  static int max_of(const std::vector<int>& v) { return v.empty() ? 0 : *std::ranges::max_element(v); }

  Reduced::Address& address(Quantity q) { return reduced_.addresses[index(q.variable)][q.order]; }

  void rate_on_top(VarId v) { address({v, d()[index(v)]}).place = Place::Rate; }

  void place_definitions() {
    defined_.assign(reduced_.model->equations.size(), false);
    for (const Explicit& e : explicit_) {
      defined_[index(e.equation)] = true;
      for (int k = e.order; k <= d()[index(e.variable)]; ++k) address({e.variable, k}).place = Place::Defined;
    }
  }

  bool is_dropped(std::size_t i) const { return !dropped_.empty() && dropped_[i]; }
  bool is_row(std::size_t i, int level) const { return !defined_[i] && !(level == c()[i] && is_dropped(i)); }

  // Does the row take part in a choice? Not at the highest stage, nor one stage below a dropped differentiation, where
  // each row determines a slot whose derivative is a rate.
  bool chooses(const DerivedEquation& row) const {
    return row.stage < 0 && !(row.stage == -1 && is_dropped(index(row.equation)));
  }

  // A highest derivative without a definition, whose variable is in no constraint one stage below: the variable is a
  // state at all times, and its derivative needs no slot of its own.
  void find_permanent_states() {
    std::vector<bool> constrained(d().size(), false);
    const auto mark = [&](NodeId expression, int level) {
      for (const NodeId leaf : variables_of(pool_, expression)) {
        const Quantity q = quantity_of(pool_, leaf);
        if (q.order + level >= d()[index(q.variable)] - 1) constrained[index(q.variable)] = true;
      }
    };
    for (std::size_t i = 0; i < c().size(); ++i)
      if (c()[i] > 0) mark(reduced_.model->equations[i].residual, c()[i] - 1);
    for (std::size_t j = 0; j < d().size(); ++j) {
      const Quantity top{VarId{static_cast<int>(j)}, d()[j]};
      if (d()[j] > 0 && !constrained[j] && address(top).place == Place::Slot &&
          address({top.variable, d()[j] - 1}).place == Place::Slot)
        address(top).place = Place::Rate;
    }
  }

  // Variables in the order of the model, lower derivatives first.
  void number_slots() {
    for (const Quantity q : reduced_.quantities) {
      Reduced::Address& at = address(q);
      if (at.place == Place::Slot) {
        at.index = static_cast<int>(reduced_.slots.size());
        reduced_.slots.push_back({q, q.order - d()[index(q.variable)], (*reduced_.model)[q.variable].nominal});
      } else if (at.place == Place::Rate) {
        at.index = address({q.variable, q.order - 1}).index;
      }
    }
  }

  // Stage by stage: within a stage the definitions are already in topological order, and lower stages are done.
  void resolve_definitions() {
    for (int stage = lowest_stage_; stage <= 0; ++stage)
      for (const Explicit& e : explicit_) {
        const int level = c()[index(e.equation)] + stage;
        if (level < 0) continue;
        const NodeId value = substitute(derivative_(e.value, level));
        address({e.variable, e.order + level}).index = static_cast<int>(reduced_.definitions.size());
        reduced_.definitions.push_back({{e.variable, e.order + level}, value, e.equation, level});
      }
  }

  // A variable in the argument of an exponential has a tolerance like any other, but may be defined by an unknown with
  // a coarser one: v = R i with R = 10 kOhm and exp(v/0.025). The unknown gets the scale of the variable, |dv/di|
  // nominal(i) = nominal(v): otherwise an error test could accept an exponential that is wrong by many orders of
  // magnitude.
  void scale_by_exponents() {
    std::vector<NodeId> exponents;
    for (const Equation& equation : reduced_.model->equations)
      for (const NodeId node : nodes_of(pool_, equation.residual))
        if (is_exponential(pool_[node].op))
          for (const NodeId leaf : variables_of(pool_, pool_[node].operand(0)))
            if (address(quantity_of(pool_, leaf)).place == Place::Defined) exponents.push_back(leaf);
    std::ranges::sort(exponents);
    const auto repeated = std::ranges::unique(exponents);
    exponents.erase(repeated.begin(), repeated.end());
    for (const NodeId leaf : exponents) {
      const Quantity q = quantity_of(pool_, leaf);
      for (const Partial& p : gradient(pool_, reduced_.definitions[address(q).index].value)) {
        const Reduced::Address& at = address(quantity_of(pool_, p.leaf));
        const double slope =
            at.place == Place::Slot ? value_of_constant(*reduced_.model, p.derivative).value_or(0.0) : 0.0;
        const double nominal = (*reduced_.model)[q.variable].nominal / std::abs(slope);
        if (std::isfinite(nominal))
          reduced_.slots[at.index].nominal = std::min(reduced_.slots[at.index].nominal, nominal);
      }
    }
  }

  NodeId substitute(NodeId expression) { return substitution_(expression); }

  void make_rows() {
    for (int stage = lowest_stage_; stage <= 0; ++stage)
      for (std::size_t i = 0; i < c().size(); ++i) {
        const int level = c()[i] + stage;
        if (level < 0 || !is_row(i, level)) continue;
        const NodeId residual = derivative_(reduced_.model->equations[i].residual, level);
        reduced_.rows.push_back({substitute(residual), EqnId{static_cast<int>(i)}, level, stage});
      }
  }

  void make_kinematics() {
    for (std::size_t s = 0; s < reduced_.slots.size(); ++s) {
      const Quantity q = reduced_.slots[s].quantity;
      if (q.order == d()[index(q.variable)]) continue;
      const Quantity above{q.variable, q.order + 1};
      if (address(above).place == Place::Rate) continue;
      reduced_.kinematics.push_back({static_cast<int>(s), reduced_.value_of(above)});
    }
  }

  // Connected components of rows and candidate slots, stage by stage. A candidate that occurs in no row of its stage is
  // a state at all times.
  void make_choices() {
    std::vector<int> kinematic_of_slot(reduced_.slots.size(), -1);
    for (std::size_t k = 0; k < reduced_.kinematics.size(); ++k)
      kinematic_of_slot[reduced_.kinematics[k].slot] = static_cast<int>(k);

    const int rows = static_cast<int>(reduced_.rows.size()), slots = static_cast<int>(reduced_.slots.size());
    std::vector<int> parent(rows + slots);
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int x) {
      while (parent[x] != x) x = parent[x] = parent[parent[x]];
      return x;
    };
    std::vector<bool> touched(slots, false);
    for (int r = 0; r < rows; ++r) {
      if (!chooses(reduced_.rows[r])) continue;
      for (const NodeId leaf : variables_of(pool_, reduced_.rows[r].residual)) {
        const Reduced::Address at = address(quantity_of(pool_, leaf));
        if (at.place != Place::Slot || reduced_.slots[at.index].stage != reduced_.rows[r].stage) continue;
        touched[at.index] = true;
        parent[root(r)] = root(rows + at.index);
      }
    }
    std::map<int, Choice> choices;  // by root: deterministic
    for (int r = 0; r < rows; ++r) {
      if (!chooses(reduced_.rows[r])) continue;
      Choice& choice = choices[root(r)];
      choice.stage = reduced_.rows[r].stage;
      choice.rows.push_back(r);
    }
    for (int s = 0; s < slots; ++s) {
      const int k = kinematic_of_slot[s];
      if (k < 0) continue;
      if (!touched[s]) {
        reduced_.permanent.push_back(k);
        continue;
      }
      Choice& choice = choices[root(rows + s)];
      choice.kinematics.push_back(k);
      const StateSelect select = (*reduced_.model)[reduced_.slots[s].quantity.variable].state_select;
      choice.preference.push_back(preference_of(select, select == StateSelect::Default || is_linear_in(choice, s)));
    }
    for (auto& [key, choice] : choices)
      if (!choice.kinematics.empty()) reduced_.choices.push_back(std::move(choice));
    std::ranges::stable_sort(reduced_.choices, {}, [](const Choice& choice) {
      return std::pair(choice.stage, choice.rows.empty() ? 0 : choice.rows[0]);
    });
  }

  // Have the rows of the choice constant slopes by this slot?
  bool is_linear_in(const Choice& choice, int slot) {
    return std::ranges::none_of(choice.rows, [&](int row) {
      const NodeId residual = reduced_.rows[row].residual;
      const std::vector<NodeId> leaves = variables_of(pool_, residual);
      return std::ranges::any_of(leaves, [&](NodeId leaf) {
        const Reduced::Address at = address(quantity_of(pool_, leaf));
        return at.place == Place::Slot && at.index == slot && varies(pool_, partial(pool_, residual, leaf));
      });
    });
  }

  static bool jumps(Op op) {
    return (op >= Op::Less && op <= Op::NotEqual) || op == Op::Sign || op == Op::Floor || op == Op::Ceil ||
           op == Op::Atan2;
  }

  // The constraints that the user wrote: equations that are differentiated, except those that only name a derivative,
  // and equations without derivatives. An equation that only computes a value that nothing needs, and that may jump, is
  // excluded: at the jump its value depends on the last bit.
  void make_constraints() {
    const Model& model = *reduced_.model;
    const std::vector<bool> observing = observing_equations(reduced_);
    for (std::size_t i = 0; i < model.equations.size(); ++i) {
      if (observing[i] && any_node(pool_, model.equations[i].residual, [&](NodeId id) { return jumps(pool_[id].op); }))
        continue;
      const bool algebraic = std::ranges::none_of(variables_of(pool_, model.equations[i].residual),
                                                  [&](NodeId leaf) { return quantity_of(pool_, leaf).order > 0; });
      if (!algebraic && (c()[i] == 0 || defined_[i])) continue;
      for (int level = 0; level <= c()[i]; ++level)
        if (level < c()[i] || !is_dropped(i))
          reduced_.constraints.push_back(
              {EqnId{static_cast<int>(i)}, level, derivative_(model.equations[i].residual, level)});
    }
  }

  // The user's equations that a repair has replaced by combinations follow from the repaired model: as written, and
  // differentiated as often as derivatives exist.
  void make_replaced_constraints() {
    const Model& model = *reduced_.model;
    for (std::size_t k = 0; k < model.replaced.size(); ++k) {
      const NodeId residual = model.replaced[k].residual;
      int most = std::numeric_limits<int>::max();
      for (const NodeId leaf : variables_of(pool_, residual)) {
        const Quantity q = quantity_of(pool_, leaf);
        most = std::min(most, d()[index(q.variable)] - q.order);
      }
      if (most == std::numeric_limits<int>::max()) most = 0;
      for (int level = 0; level <= most; ++level)
        reduced_.constraints.push_back(
            {EqnId{static_cast<int>(model.equations.size() + k)}, level, derivative_(residual, level)});
    }
  }

  Pool& pool_;
  TimeDerivative derivative_;
  const structure::Structure& shape_;
  Reduced reduced_;
  std::vector<Explicit> explicit_;
  std::vector<bool> defined_, dropped_;
  int lowest_stage_ = 0;
  Substitution substitution_{pool_, [this](NodeId leaf) -> std::optional<NodeId> {
                               if (pool_[leaf].op != Op::Variable) return {};
                               const Reduced::Address& at = address(quantity_of(pool_, leaf));
                               if (at.place != Place::Defined) return {};
                               assert(at.index >= 0 && "definitions are resolved in order");
                               return reduced_.definitions[at.index].value;
                             }};
};

}  // namespace

Reduced reduce(std::shared_ptr<const Model> model, const structure::Structure& shape, const ReduceOptions& options) {
  Reduction reduction(std::move(model), shape);
  if (options.eliminate)
    reduction.eliminate(options.keep_constraints ? Definable::NoConstraints : Definable::Everything);
  if (options.remove_superfluous) reduction.remove_superfluous();
  Reduced reduced = reduction.finish();
  reduced.standard = options.eliminate && !options.keep_constraints && !options.remove_superfluous;
  return reduced;
}

Reduced reduce_implicit(std::shared_ptr<const Model> model, const structure::Structure& shape) {
  assert(std::ranges::all_of(shape.offsets.c, [](int c) { return c == 0; }));
  Reduction reduction(std::move(model), shape);
  reduction.eliminate(Definable::AlgebraicVariables);
  reduction.keep_implicit();
  return reduction.finish();
}

std::shared_ptr<const Reduced> growable(const std::shared_ptr<const Reduced>& reduced) {
  if (!reduced->model->pool->is_frozen()) return reduced;
  auto copy = std::make_shared<Reduced>(*reduced);
  copy->model = growable(reduced->model);
  return copy;
}

Place Reduced::place(Quantity q) const { return addresses[index(q.variable)][q.order].place; }

int Reduced::slot_of(Quantity q) const {
  const Address& at = addresses[index(q.variable)][q.order];
  return at.place == Place::Defined ? -1 : at.index;
}

int Reduced::slot_at(const Node& node) const {
  if (node.op != Op::Variable) return -1;
  const Address& at = addresses[node.a][node.b];
  return at.place == Place::Slot ? at.index : -1;
}

NodeId Reduced::value_of(Quantity q) const {
  const Address& at = addresses[index(q.variable)][q.order];
  return at.place == Place::Defined ? definitions[at.index].value : model->pool->variable(q.variable, q.order);
}

int Reduced::states() const { return static_cast<int>(slots.size()) - static_cast<int>(rows.size()); }

}  // namespace driftless
