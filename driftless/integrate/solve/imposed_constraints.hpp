// The end point of a step on y' = f(t, y, z), 0 = g(t, y), ... is moved onto the constraints that are imposed,
//
//   y_new = y + f_z mu,  g(t, y_new) = 0,
//
// along the directions f_z of the multipliers z that the discretization itself uses (Ascher, Petzold 1991). Where other
// rows determine some of the algebraic components, f_z is the derivative along those rows.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/integrate/system/problem.hpp"
#include "driftless/integrate/solve/rate_directions.hpp"

namespace driftless {

class ImposedConstraints {
 public:
  explicit ImposedConstraints(Problem& problem);

  // Computes the directions at the given point, then moves y until the constraints hold to rounding. False if there is
  // no such point.
  bool project(double t, std::span<double> y, std::span<const double> yp);

  void archive(Archive& archive) {  // the pivots
    if (factorization_) archive(*factorization_);
  }

 private:
  bool find_directions(double t, std::span<const double> y, std::span<const double> yp);

  System& system_;
  std::vector<int> constraints_;     // rows without algebraic components
  std::vector<int> column_of_slot_;  // algebraic components; -1: differential
  struct Contribution {
    int entry;   // of the system's Jacobian
    int factor;  // another entry it is multiplied with; -1: none
  };
  std::vector<Contribution> contributions_;
  linear::Assembly assembly_;
  std::unique_ptr<linear::Factorization> factorization_;
  std::vector<double> rows_and_rates_, jacobian_, values_, solution_;
  RateDirections directions_;
};

// The reason why the constraints of this form cannot be met in this way, naming the equation; nothing if they can.
std::optional<std::string> not_projectable(const Problem& problem);

}  // namespace driftless
