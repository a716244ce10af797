// Directions of forces: D = M⁻¹ Gᵀ in mechanics, otherwise D = B = ∂x^(m)/∂z, the response of the highest derivatives
// to the multipliers of a Hessenberg form. No matrix is inverted: where M is not diagonal, the entries w of D mu are
// unknowns with the rows M w = Gᵀ mu, or (∂F/∂x^(m)) w + (∂F/∂z) mu = 0 for the rows F of the dynamics.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/formulate/rewrite.hpp"

namespace driftless {

const Mechanical* Rewrite::mechanical() {
  if (!mechanical_) mechanical_ = mechanical_shape(base_);
  return *mechanical_ && mechanical_->shape->regular_mass ? &*mechanical_->shape : nullptr;
}

void Rewrite::weigh_velocities() {
  if (mechanical()) weigh(*mechanical(), &Mechanical::Coordinate::velocity);
}

NodeId Rewrite::add_pull(Quantity pulled) {
  return add_unknown(fmt::format("w({})", base_.name(pulled)), "pull of the multipliers: zero on the solution",
                     (*model_)[pulled.variable].range);
}

// Replaces b by w with M w = b, for the entries of D mu that belong to the positions, or to the velocities.
void Rewrite::weigh(const Mechanical& mechanical, int Mechanical::Coordinate::*slot) {
  const auto& coordinates = mechanical.coordinates;
  const std::size_t n = coordinates.size();
  std::vector<NodeId> b(n), sum(n, pool_.zero()), diagonal(n, pool_.zero());
  for (std::size_t i = 0; i < n; ++i) b[i] = pulled_[coordinates[i].*slot];
  if (std::ranges::all_of(b, [&](NodeId e) { return pool_.is_constant(e, 0.0); })) return;
  std::vector<bool> coupled(n, false);
  for (const Mechanical::Entry& e : mechanical.mass) {
    if (e.row == e.column) diagonal[e.row] = e.value;
    if (e.row != e.column) coupled[e.row] = coupled[e.column] = true;
  }
  for (std::size_t i = 0; i < n; ++i)
    pulled_[coordinates[i].*slot] =
        coupled[i] ? add_pull(base_.slots[coordinates[i].*slot].quantity) : pool_.div(b[i], diagonal[i]);
  for (const Mechanical::Entry& e : mechanical.mass)
    sum[e.row] = pool_.add(sum[e.row], pool_.mul(e.value, pulled_[coordinates[e.column].*slot]));
  for (std::size_t i = 0; i < n; ++i)
    if (coupled[i]) result_.rows.push_back({pool_.sub(sum[i], b[i]), coordinates[i].equation, 0, 0});
}

// As if each multiplier of the group were added to a multiplier of the model: x^(m) changes by B mu.
void Rewrite::pull_along_forces(const Group& group) {
  const Hessenberg hessenberg = *hessenberg_shape(base_);
  const int stage = result_.rows[group.front().row].stage;
  std::map<NodeId, NodeId> change;  // of the leaves of stage 0
  const auto leaf_of = [&](Quantity q) { return pool_.variable(q.variable, q.order); };
  for (std::size_t k = 0; k < group.size(); ++k)
    change.emplace(leaf_of(base_.slots[hessenberg.multipliers[k]].quantity), group[k].multiplier);
  const auto change_of = [&](NodeId expression) {
    NodeId sum = pool_.zero();
    for (const Partial& p : gradient(pool_, expression))
      if (const auto found = change.find(p.leaf); found != change.end())
        sum = pool_.add(sum, pool_.mul(p.derivative, found->second));
    return sum;
  };
  std::vector<Quantity> tops;  // highest derivatives
  for (const Quantity q : base_.quantities)
    if (q.order > 0 && q.order == base_.offsets.d[index(q.variable)]) tops.push_back(q);
  const auto pulled_by = [&](Quantity top) { return Quantity{top.variable, std::max(top.order + stage, 0)}; };
  for (const Quantity q : tops)
    if (base_.place(q) != Place::Defined) change.emplace(leaf_of(q), add_pull(pulled_by(q)));
  for (const Quantity q : tops)
    if (q.order + stage >= 0 && base_.place(pulled_by(q)) == Place::Slot)
      pull(base_.slot_of(pulled_by(q)), change_of(base_.value_of(q)));
  for (const DerivedEquation& row : base_.rows)
    if (differentiated(row.equation) == 0) result_.rows.push_back({change_of(row.residual), row.equation, 0, 0});
}

// A slot whose derivative has no kinematic relation, because the rows contain it as y': they get y' + D mu instead.
void Rewrite::pull_on_rates() {
  std::map<NodeId, NodeId> seen;
  for (const Quantity q : base_.quantities) {
    if (base_.place(q) != Place::Rate) continue;
    const NodeId leaf = pool_.variable(q.variable, q.order), amount = pulled_[base_.slot_of(q)];
    if (!pool_.is_constant(amount, 0.0)) seen.emplace(leaf, pool_.add(leaf, amount));
  }
  if (seen.empty()) return;
  Substitution substitution(pool_, [&](NodeId leaf) {
    const auto found = seen.find(leaf);
    return found == seen.end() ? std::nullopt : std::optional(found->second);
  });
  for (DerivedEquation& row : result_.rows) row.residual = substitution(row.residual);
  for (Kinematic& k : result_.kinematics) k.rate = substitution(k.rate);
}

}  // namespace driftless
