#include "driftless/model/mechanics.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace driftless {
namespace {

[[noreturn]] void fail(std::string message) {
  Diagnostics diagnostics;
  diagnostics.error(Code::WrongMechanism, {}, std::move(message));
  throw ModelError(std::move(diagnostics), Sources{});
}

void check_size(const char* what, std::size_t size, std::size_t coordinates) {
  if (size != coordinates) fail(fmt::format("{} has {} entries for {} coordinates", what, size, coordinates));
}

std::vector<Expr> gradient(Expr e, const std::vector<Expr>& by) {
  std::vector<Expr> entries;
  for (const Expr& variable : by) entries.push_back(collect_constant_factors(partial(e, variable)));
  return entries;
}

std::vector<Expr> velocities(const std::vector<Expr>& p) {
  std::vector<Expr> v;
  for (const Expr& coordinate : p) v.push_back(der(coordinate));
  return v;
}

bool all_zero(const std::vector<Expr>& entries) { return std::ranges::all_of(entries, &Expr::is_zero); }

// The direction in which a constraint acts: its gradient by the velocities if it contains any, otherwise by the
// positions.
std::vector<Expr> direction_of(const MechanicalConstraint& constraint, const std::vector<Expr>& p) {
  for (const auto& by : {velocities(p), p})
    if (auto along = gradient(constraint.residual, by); !all_zero(along)) return along;
  fail(fmt::format("constraint {}: no coordinate occurs in it", constraint.name));
}

// Does the expression contain neither time nor variables other than p and v?
bool depends_on_motion_alone(Expr e, Expr t, const std::vector<Expr>& p, const std::vector<Expr>& v) {
  const auto one_of = [](Expr leaf, const std::vector<Expr>& list) {
    return std::ranges::any_of(list, [&](Expr other) { return same(leaf, other); });
  };
  return partial(e, t).is_zero() &&
         std::ranges::all_of(leaves_of(e), [&](Expr leaf) { return one_of(leaf, p) || one_of(leaf, v); });
}

// Is every force that is not in L perpendicular to the velocities?
bool conserves_energy(const Lagrangian& lagrangian, Expr t, const std::vector<Expr>& p) {
  const std::vector<Expr> v = velocities(p);
  return all_zero(lagrangian.force) && depends_on_motion_alone(lagrangian.kinetic - lagrangian.potential, t, p, v) &&
         std::ranges::all_of(lagrangian.constraints, [&](const MechanicalConstraint& c) {
           return depends_on_motion_alone(c.residual, t, p, v) && all_zero(gradient(c.residual, v));
         });
}

}  // namespace

std::vector<std::vector<Expr>> diagonal(const std::vector<Expr>& entries) {
  std::vector matrix(entries.size(), std::vector<Expr>(entries.size(), 0.0));
  for (std::size_t i = 0; i < entries.size(); ++i) matrix[i][i] = entries[i];
  return matrix;
}

std::vector<Expr> add_coordinates(ModelBuilder& builder, const std::vector<Coordinate>& coordinates) {
  std::vector<Expr> p;
  for (const Coordinate& c : coordinates) {
    p.push_back(builder.variable(c.name, {.start = c.start, .fixed = c.fixed, .unit = c.unit}));
    if (c.fixed) builder.initial_equation(der(p.back()) == c.velocity, fmt::format("velocity of {}", c.name));
  }
  return p;
}

std::vector<EquationSides> balance_of_forces(const EquationsOfMotion& motion, const std::vector<Expr>& p,
                                             const std::vector<Expr>& lambda) {
  check_size("the mass matrix", motion.mass.size(), p.size());
  for (const auto& row : motion.mass) check_size("a row of the mass matrix", row.size(), p.size());
  check_size("the force", motion.force.size(), p.size());

  std::vector<Expr> force = motion.force;
  for (std::size_t k = 0; k < motion.constraints.size(); ++k) {
    const std::vector<Expr> along = direction_of(motion.constraints[k], p);
    for (std::size_t j = 0; j < p.size(); ++j) force[j] -= along[j] * lambda[k];
  }
  std::vector<EquationSides> equations;
  for (std::size_t i = 0; i < p.size(); ++i) {
    Expr inertia = 0.0;
    for (std::size_t j = 0; j < p.size(); ++j) inertia += motion.mass[i][j] * der(der(p[j]));
    equations.push_back({inertia, force[i]});
  }
  return equations;
}

void add_equations(ModelBuilder& builder, const std::vector<Coordinate>& coordinates, const std::vector<Expr>& p,
                   const EquationsOfMotion& motion) {
  std::vector<Expr> lambda;
  for (const MechanicalConstraint& constraint : motion.constraints) {
    const std::string name =
        constraint.multiplier.empty() ? fmt::format("{}.lambda", constraint.name) : constraint.multiplier;
    lambda.push_back(
        builder.variable(name, {.description = fmt::format("multiplier of the constraint {}", constraint.name)}));
  }
  const std::vector<EquationSides> balance = balance_of_forces(motion, p, lambda);
  for (std::size_t i = 0; i < p.size(); ++i)
    builder.equation(balance[i], fmt::format("motion of {}", coordinates[i].name));
  for (const MechanicalConstraint& constraint : motion.constraints)
    builder.equation(constraint.residual == 0.0, constraint.name);
  if (motion.energy) builder.invariant("energy", *motion.energy);
}

EquationsOfMotion equations_of(const Lagrangian& lagrangian, Expr t, const std::vector<Expr>& p) {
  const Expr L = lagrangian.kinetic - lagrangian.potential;
  if (!lagrangian.force.empty()) check_size("the force", lagrangian.force.size(), p.size());
  const std::vector<Expr> v = velocities(p);
  EquationsOfMotion motion{.mass = {}, .force = {}, .constraints = lagrangian.constraints, .energy = {}};
  Expr energy = -L;  // Jacobi's integral v ∂L/∂v - L, which is T + U if T is quadratic in v
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Expr momentum = collect_constant_factors(partial(L, v[i]));
    motion.mass.push_back(gradient(momentum, v));
    Expr force = partial(L, p[i]) - partial(momentum, t);
    for (std::size_t j = 0; j < p.size(); ++j) force -= partial(momentum, p[j]) * v[j];
    motion.force.push_back(collect_constant_factors(force));
    if (!lagrangian.force.empty()) motion.force.back() += lagrangian.force[i];
    energy += v[i] * momentum;
  }
  if (conserves_energy(lagrangian, t, p)) motion.energy = energy;
  return motion;
}

}  // namespace driftless
