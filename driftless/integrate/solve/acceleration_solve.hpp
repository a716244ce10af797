// The highest level of everything: with positions and velocities held, the dynamics and the highest derivatives of the
// constraints are as many equations as there are accelerations and multipliers, whichever level a formulation imposes.
// What a formulation leaves out is among the invariants of the reduced model.
//
// In the form y' = f(y, z), 0 = g(y): the hidden constraint g_y f(y, z) = 0 determines z, and its derivative with
// respect to z leads to the directions f_z (g_y f_z)^-1 along which a point is moved onto g = 0.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "driftless/integrate/solve/rate_directions.hpp"
#include "driftless/integrate/system/system.hpp"
#include "driftless/linear/factorization.hpp"

namespace driftless {

class HighestLevel {
 public:
  explicit HighestLevel(System& system);

  // As many equations as unknowns?
  bool determined() const { return determined_; }

  // Newton from the given point for accelerations and multipliers; those that a formulation has added become zero, and
  // the rates of all components follow. False if it does not converge.
  bool solve(double t, std::span<double> y, std::span<double> yp);

  // Moves the point along f_z (g_y f_z)^-1, evaluated at the given point, onto the constraints that are imposed one
  // level below the highest; then solves.
  bool project(double t, std::span<double> y, std::span<double> yp);

  void archive(Archive& archive) {  // the pivots
    if (factorization_) archive(*factorization_);
  }

 private:
  struct Unknown {
    int slot;
    bool rate;
  };
  struct Term {
    int entry;  // of the system's Jacobian or of the gradient of the invariants
    bool of_invariant;
  };
  struct Level {         // one below the highest
    int row, invariant;  // the one that is not -1
    int equation;        // of the highest level
  };
  bool factorize(double t, std::span<const double> y, std::span<const double> yp);
  void residuals(double t, std::span<const double> y, std::span<const double> yp);
  void set_rates(std::span<double> yp);
  void find_levels_below();

  System& system_;
  std::vector<Unknown> unknowns_;
  std::vector<int> row_of_equation_, invariant_of_equation_;  // -1: not this one
  std::vector<Level> levels_;
  bool determined_ = false;
  std::vector<Term> terms_;
  linear::Assembly assembly_;
  std::unique_ptr<linear::Factorization> factorization_;
  std::vector<int> unknown_of_slot_;  // -1: held
  std::vector<int> idle_;             // multipliers that a formulation has added
  std::vector<double> rows_, invariants_, jacobian_, gradient_, values_, correction_, y_, yp_;
  RateDirections directions_;
};

}  // namespace driftless
