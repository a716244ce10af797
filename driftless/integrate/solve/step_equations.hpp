// The equations of one implicit step. Square: those of the problem. Overdetermined, for formulations that keep all
// levels of their constraints without new unknowns (Reduced::correction): a correction d of Newton's iteration has to
// satisfy
//
//   A1 d = -phi1   the n equations of the problem,
//   A2 d = -phi2   the m levels that are invariants of the problem,
//
// and is found by a generalized inverse (linear/generalized_inverse.hpp). The one that is bordered,
//
//   [ A1  A2^T ] [ d  ]     [ phi1 ]
//   [ A2   0   ] [ nu ]  =  -[ phi2 ],   nu discarded,
//
// has the same limit as the formulation with multipliers: the rates y' = rate(y) - (∂r/∂y)^T mu (Führer, Leimkuhler
// 1991, Theorems 3.1 and 4.1). For this the equations are ordered like the unknowns: the kinematic relation of a slot
// stands in the row of the slot. In mechanics the theorem holds for the equations of motion as they are written, with
// their mass matrix: the rows v' - a = 0 of the velocities are multiplied by M, so that their part of the range is
//
//   M (v' - a) + Gᵀ eta = 0,  which is  M v' = f - Gᵀ lambda - Gᵀ eta   (32).
//
// M and A2 are evaluated at the point of the matrix. For least squares the rows are solved for v', each in the unit of
// its unknown, and rows that grow with alpha = O(1/h) are divided by it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "driftless/integrate/system/problem.hpp"
#include "driftless/linear/factorization.hpp"

namespace driftless {

class StepEquations {
 public:
  explicit StepEquations(Problem& problem);

  void states_changed();

  bool overdetermined() const { return !levels_.empty(); }
  int levels() const { return static_cast<int>(levels_.size()); }
  int size() const { return problem_.size() + levels(); }  // the unknowns of the problem, then nu

  const linear::Pattern& pattern() const { return overdetermined() ? assembly_.pattern : problem_.pattern(); }
  std::unique_ptr<linear::Factorization> factorization() const;

  // Evaluates phi1 and phi2, or the matrix; false if a value does not exist.
  bool residual(double t, std::span<const double> y, std::span<const double> yp, double alpha, std::span<double> out);
  bool matrix(double t, std::span<const double> y, std::span<const double> yp, double alpha, std::span<double> values);

  // phi2 alone, and phi1 converted from the problem's order and scale to those of this matrix: for codes that evaluate
  // the problem themselves.
  void level_residuals(double t, std::span<const double> y, std::span<const double> yp, std::span<double> out);
  void arrange(std::span<const double> of_problem, double alpha, std::span<double> out);

  void archive(Archive& archive) { archive(mass_, mass_known_); }

 private:
  // An entry of M: the row `row` of the step equations is the sum of these values times the relations of `column`. Both
  // are slots of velocities.
  struct Weight {
    int row, column;
  };
  // A value of the problem's matrix that is added at a place of this one, times an entry of M (-1: times 1).
  struct Part {
    int value, weight;
  };
  void find_mass();
  void weigh_at(double t, std::span<const double> y, std::span<const double> yp);

  Problem& problem_;
  std::vector<Weight> weights_;  // empty: no masses
  std::vector<bool> weighed_;    // per slot: is it a velocity with masses?
  std::shared_ptr<const Kernel> mass_kernel_;
  std::vector<double> mass_, mass_inputs_, mass_work_, unweighed_;
  long mass_version_ = 0;  // of the parameters in them
  bool mass_known_ = false;
  std::vector<Part> parts_;
  std::vector<int> levels_;    // indices into Reduced::invariants
  std::vector<int> place_;     // of the problem's equations among the unknowns
  std::vector<bool> divided_;  // by alpha: per equation of the problem
  linear::Assembly assembly_;
  std::vector<double> square_, invariants_, gradient_, phi_;
  std::vector<int> level_of_invariant_;  // -1: an invariant of the model
};

}  // namespace driftless
