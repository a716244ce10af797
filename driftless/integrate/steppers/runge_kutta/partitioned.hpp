// Partitioned Runge-Kutta methods for mechanical models with a constant mass matrix and forces of positions,
//
//   q' = v,  M v' = f(t, q) - G(q)^T lambda,  0 = g(t, q),
//
// with a matrix A for positions and a matrix Â for velocities. With b_i â_ij + b_j a_ji = b_i b_j they are symplectic.
// The stages
//
//   Q_i = q + h sum_j a_ij V_j,   V_i = v + h sum_j â_ij K_j,   M K_i = f(Q_i) - G(Q_i)^T L_i
//
// are, without the V_i, Q_i = q + h c_i v + h^2 sum_j (A Â)_ij K_j. Constraints hold at Q_2, ..., Q_s, the last of
// which is the new position; the remaining multipliers move the new velocity along M^-1 G^T onto G v + g_t = 0.
//
//   symplectic Euler   v first, then q with the new v; constraints at the new position      order 1
//   Störmer-Verlet     the Lobatto pair with two stages, without constraints                order 2
//   RATTLE             the same with constraints (Andersen 1983)                            order 2
//   SHAKE              the positions of RATTLE, with velocities that live between the steps
//                      (Ryckaert, Ciccotti, Berendsen 1977); those at the steps are half an
//                      acceleration away and need not satisfy their constraint               order 2
//   Lobatto pairs      IIIA for positions, IIIB for velocities (Jay 1996)                   order 2s - 2
//
// Every level of the constraints must be available, as in any formulation without stabilizing multipliers.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "driftless/integrate/steppers/stepper.hpp"

namespace driftless {

std::unique_ptr<Stepper> make_partitioned(const method::Symplectic& method, Problem& problem, const State& start,
                                          const StepSettings& settings);

// The reason why the model is not of this kind, naming an equation or a variable; nothing if it is.
std::optional<std::string> not_applicable(const method::Symplectic& method, const Problem& problem);

}  // namespace driftless
