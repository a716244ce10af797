// The equations of the highest stage, linearized at a point: with everything below held, the dynamics and the highest
// level of every constraint form as many equations as there are highest derivatives and algebraic unknowns z, whichever
// level a formulation imposes. In mechanics their matrix is
//
//   [M Gᵀ; G 0],   z = (accelerations, multipliers).
//
// A highest level that a formulation leaves out of the rows is among the invariants of the reduced model. Multipliers
// that a formulation adds are zero on the solution; those that occur in none of these equations are not unknowns here.
//
// This class has the matrix only; its users have eliminations of their own: one that decides the rank
// (stability_matrices.hpp), or one for many points of a trajectory (right_inverse.hpp, acceleration_solve.hpp).
// LinearRows and MultiplierSolve do not use it, whose unknowns depend on the choice of states and whose matrices come
// from kernels of their own.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "driftless/integrate/system/jacobian_part.hpp"
#include "driftless/integrate/system/system.hpp"
#include "driftless/integrate/system/unknowns.hpp"
#include "driftless/linear/pattern.hpp"

namespace driftless {

class HighestStage {
 public:
  explicit HighestStage(System& system);

  // Are there as many equations as unknowns? Otherwise there is no matrix.
  bool determined() const { return determined_; }
  // Is it made of rows alone?
  bool is_in_rows() const { return determined_ && of_gradient_.empty(); }

  struct Equation {
    EqnId of;
    int level;
    int row, invariant;  // the one that is not -1
  };
  int size() const { return unknowns_.size(); }
  const Unknowns& unknowns() const { return unknowns_; }
  const std::vector<Equation>& equations() const { return equations_; }
  std::optional<int> equation_of(EqnId equation) const;
  const std::vector<int>& idle() const { return idle_; }  // slots of multipliers that are not unknowns

  // Where the matrix has entries: no two are equal.
  const std::vector<linear::Coordinate>& entries() const { return entries_; }

  // Of the Jacobian of the system nobody will ask for more than what the matrix needs, and these entries.
  void leave_out_all_but(const std::vector<int>& entries);

  void evaluate(const System::Point& at);
  // At the last point: the values of the entries, and the Jacobian of the system.
  std::span<const double> matrix() const { return matrix_; }
  std::span<const double> jacobian() const { return jacobian_; }

 private:
  void find_entries();

  System& system_;
  Unknowns unknowns_;
  std::vector<Equation> equations_;
  std::vector<int> equation_of_row_, equation_of_invariant_;  // -1: of a lower stage
  std::vector<int> idle_;
  std::vector<linear::Coordinate> entries_;
  std::vector<int> of_jacobian_, of_gradient_;  // sources of the values of the entries, one list after the other
  std::vector<double> jacobian_, gradient_, matrix_;
  JacobianPart part_;
  bool determined_ = false;
};

}  // namespace driftless
