// Mechanical systems with constraints. A multibody formalism has coordinates p with velocities v = p', and supplies
//
//   M(p, t)        the mass matrix
//   f(p, v, t)     the applied forces and gyroscopic terms
//   g(p, t)        the constraints, g = 0
//
// as a function that is called once, with expressions. The model is
//
//   M p'' = f - G^T lambda,   g = 0,      G = ∂g/∂p by differentiation,
//
// of index 3. A constraint in which velocities occur is nonholonomic and acts by G = ∂g/∂v. A pendulum:
//
//   Model pendulum = constrained_motion("Pendulum", {{.name = "x", .start = 1.0}, {.name = "y", .fixed = true}},
//       [](Expr t, const std::vector<Expr>& p, const std::vector<Expr>& v) {
//         return EquationsOfMotion{.mass = diagonal({1.0, 1.0}),
//                                  .force = {0.0, -9.81},
//                                  .constraints = {{"rod", (p[0] * p[0] + p[1] * p[1] - 1.0) / 2.0}}};
//       });
//
// Or from the kinetic and the potential energy, L = T - U (Lagrange 1788): M = ∂²L/∂v², and f collects the other
// terms of
//
//   d/dt ∂L/∂v - ∂L/∂p = Q - G^T lambda.
//
// L need not be a difference of energies: velocities may occur in U (a magnetic field) and in any form in T. Variables
// other than coordinates are held fixed when L and g are differentiated: they must be given functions of time.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driftless/model/builder.hpp"

namespace driftless {

struct Coordinate {
  std::string name;
  double start = 0.0, velocity = 0.0;
  bool fixed = false;  // both are imposed at the start; otherwise the constraints decide, near `start`
  std::string unit = {};
};

struct MechanicalConstraint {
  std::string name;
  Expr residual;                // = 0
  std::string multiplier = {};  // the name of its variable, otherwise "<name>.lambda"
};

struct EquationsOfMotion {
  std::vector<std::vector<Expr>> mass;
  std::vector<Expr> force;
  std::vector<MechanicalConstraint> constraints = {};
  std::optional<Expr> energy = {};  // if it is constant: the model declares it an invariant
};

struct Lagrangian {
  Expr kinetic, potential = 0.0;  // only their difference L enters
  std::vector<MechanicalConstraint> constraints = {};
  std::vector<Expr> force = {};  // Q, forces without a potential, one for each coordinate
};

std::vector<std::vector<Expr>> diagonal(const std::vector<Expr>& entries);

// Add variables, equations of motion and the energy to a builder that may contain more.
std::vector<Expr> add_coordinates(ModelBuilder& builder, const std::vector<Coordinate>& coordinates);
void add_equations(ModelBuilder& builder, const std::vector<Coordinate>& coordinates, const std::vector<Expr>& p,
                   const EquationsOfMotion& motion);

// M p'' = f - G^T lambda, an equation for each coordinate; lambda[k] is the multiplier of the k-th constraint.
std::vector<EquationSides> balance_of_forces(const EquationsOfMotion& motion, const std::vector<Expr>& p,
                                             const std::vector<Expr>& lambda);

// Lagrange's equations, solved for M p''.
EquationsOfMotion equations_of(const Lagrangian& lagrangian, Expr t, const std::vector<Expr>& p);
inline EquationsOfMotion equations_of(EquationsOfMotion motion, Expr, const std::vector<Expr>&) { return motion; }

// `formalism(t, p, v)` returns EquationsOfMotion or a Lagrangian.
template <typename Formalism>
Model constrained_motion(std::string name, const std::vector<Coordinate>& coordinates, Formalism&& formalism,
                         const Experiment& experiment = {}) {
  ModelBuilder builder(std::move(name));
  const std::vector<Expr> p = add_coordinates(builder, coordinates);
  std::vector<Expr> v;
  for (const Expr& coordinate : p) v.push_back(der(coordinate));
  const Expr t = builder.time();
  const EquationsOfMotion motion = equations_of(std::forward<Formalism>(formalism)(t, p, v), t, p);
  add_equations(builder, coordinates, p, motion);
  builder.experiment(experiment);
  return builder.build();
}

}  // namespace driftless
