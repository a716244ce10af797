#include "driftless/array/array_reduced.hpp"

#include <algorithm>

#include "driftless/expr/calculus.hpp"

namespace driftless {

// At all levels whose derivatives the array determines.
void add_constraints_left_out(const DerivativeArray& array, Reduced& reduced) {
  const Model& model = array.model();
  Pool& pool = *model.pool;
  TimeDerivative derivative(pool);
  for (std::size_t k = 0; k < model.replaced.size(); ++k) {
    const NodeId residual = model.replaced[k].residual;
    int most = array.differentiations();
    for (const NodeId leaf : variables_of(pool, residual)) {
      const Node& node = pool[leaf];
      most = std::min(most, array.highest_order(VarId{static_cast<int>(node.a)}) - static_cast<int>(node.b));
    }
    for (int level = 0; level <= most; ++level)
      reduced.constraints.push_back(
          {EqnId{static_cast<int>(model.equations.size() + k)}, level, derivative(residual, level)});
  }
}

Reduced array_reduced(const DerivativeArray& array, const ArrayIndex& index_of_array) {
  const Model& model = array.model();
  Pool& pool = *model.pool;
  Reduced reduced;
  reduced.model = array.shared_model();
  reduced.offsets.c.assign(model.equations.size(), array.differentiations());
  reduced.addresses.resize(model.variables.size());
  Choice choice;
  choice.states = index_of_array.degrees_of_freedom;
  for (std::size_t j = 0; j < model.variables.size(); ++j)
    reduced.offsets.d.push_back(array.highest_order(VarId{static_cast<int>(j)}) + array.differentiations());
  for (const Quantity q : array.unknowns()) {
    const int slot = static_cast<int>(reduced.slots.size());
    const ArrayPart part = array.part_of(q);
    reduced.addresses[index(q.variable)].push_back({Place::Slot, slot});
    reduced.slots.push_back({.quantity = q, .nominal = model[q.variable].nominal, .tested = part == ArrayPart::Below});
    if (part != ArrayPart::Above) reduced.quantities.push_back(q);
    const bool moves = part == ArrayPart::Below;
    choice.kinematics.push_back(static_cast<int>(reduced.kinematics.size()));
    choice.preference.push_back(1.0);
    choice.roles.push_back(moves ? Role::State : part == ArrayPart::Top ? Role::Determined : Role::Open);
    reduced.kinematics.push_back({slot, moves ? pool.variable(q.variable, q.order + 1) : pool.zero()});
  }
  for (const DerivedEquation& row : array.rows()) {
    choice.rows.push_back(static_cast<int>(reduced.rows.size()));
    reduced.rows.push_back(row);
    reduced.constraints.push_back({row.equation, row.level, row.residual});
  }
  add_constraints_left_out(array, reduced);
  reduced.choices.push_back(std::move(choice));
  for (const InvariantOfModel& invariant : model.invariants)
    reduced.invariants.push_back({invariant.value, invariant.name});
  return reduced;
}

}  // namespace driftless
