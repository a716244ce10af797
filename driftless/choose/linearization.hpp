// The underlying ordinary differential equation of a model at one point, linearized. With every constraint at its
// highest level the equations determine all derivatives of the differential slots x,
//
//   x' = J x + ...,    J = H A - F (C' ...),   H = I - F C,
//
// and the part H A is what remains when the highest levels of the constraints do not depend on x: the constraints are
// "frozen" at this point (Ascher, Petzold 1993).
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "driftless/integrate/system/system.hpp"
#include "driftless/linear/dense.hpp"

namespace driftless::choose {

class Linearization {
 public:
  // At one point no kernel has to be made; at many it pays.
  enum class Points { One, Many };

  // `system`: of a reduction with all levels of all constraints.
  explicit Linearization(System& system, Points points = Points::Many);

  int size() const { return static_cast<int>(differential_.size()); }

  // False if some value does not exist, or if the equations at their highest level do not determine the highest
  // derivatives.
  bool evaluate(const System::Point& at);

  const Eigen::MatrixXd& jacobian() const { return jacobian_; }
  Eigen::MatrixXd frozen() const;
  // The gradients of all levels below the highest, one in each row: motions that satisfy the constraints are normal to
  // them.
  const Eigen::MatrixXd& levels() const { return levels_; }

 private:
  void assemble();

  System& system_;
  const Points points_;
  std::vector<int> differential_;     // slots
  std::vector<int> column_;           // of each slot: among the differential ones, or -1
  std::vector<int> equation_of_row_;  // of the square system, or -1: a lower level
  std::vector<int> level_of_row_;     // row of levels(), or -1
  std::vector<int> constraints_;      // equations of the square system that are differentiated constraints
  int equations_ = 0, lower_ = 0;
  std::vector<double> values_;
  Eigen::MatrixXd by_unknowns_, by_states_, levels_, jacobian_;
  linear::Lu lu_;  // of by_unknowns_
};

}  // namespace driftless::choose
