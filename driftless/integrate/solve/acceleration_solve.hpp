// Solves for accelerations and multipliers with positions and velocities held: Newton's iteration for the equations of
// the highest stage (highest_stage.hpp), whichever level of the constraints a formulation imposes.
//
// In the form y' = f(y, z), 0 = g(y): the hidden constraint g_y f(y, z) = 0 determines z, and its derivative with
// respect to z leads to the directions f_z (g_y f_z)^-1 along which a point is moved onto g = 0.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "driftless/integrate/solve/rate_directions.hpp"
#include "driftless/integrate/states/highest_stage.hpp"
#include "driftless/linear/factorization.hpp"

namespace driftless {

class AccelerationSolve {
 public:
  explicit AccelerationSolve(System& system);

  // Are there as many equations as unknowns?
  bool determined() const { return stage_.determined(); }

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
  struct Level {         // one below the highest
    int row, invariant;  // the one that is not -1
    int equation;        // of the highest level
  };
  bool factorize(const System::Point& at);
  void residuals(const System::Point& at);
  double residual(int row, int invariant) const { return row >= 0 ? rows_[row] : invariants_[invariant]; }
  void find_levels_below();

  System& system_;
  HighestStage stage_;
  std::vector<Level> levels_;
  linear::Assembly assembly_;
  std::unique_ptr<linear::Factorization> factorization_;
  std::vector<double> rows_, invariants_, values_, correction_, y_, yp_;
  RateDirections directions_;
};

}  // namespace driftless
