// A point of a form of index 1 from a derivative array (array/kunkel_mehrmann.hpp), which a method satisfies only to
// the tolerance of its iteration. With the array A(t, x, w) = 0 and all equations E(t, x, x') = 0, including those that
// are not chosen as differential equations at present:
//
//   A(t, x, w) = 0                              x changes as little as possible, w follows,
//   Z2ᵀ (A_x x' + A_t) = 0,  E(t, x, x') = 0    determine x', by least squares: they agree with each other,
//
// with Z2ᵀ A_w = 0.
// x is on all hidden constraints to rounding, and x' satisfies the equations as they were written.
#pragma once

#include <memory>
#include <vector>

#include <Eigen/Core>

#include "driftless/compile/kernel.hpp"
#include "driftless/integrate/solve/point_solver.hpp"
#include "driftless/integrate/system/system.hpp"
#include "driftless/linear/dense.hpp"

namespace driftless {

class IndexOnePoint final : public PointSolver {
 public:
  explicit IndexOnePoint(System& system);  // Precondition: Reduced::equation_choice exists

  bool operator()(double t, std::span<double> y, std::span<double> yp) override;
  void archive(Archive&) override {}  // points do not depend on earlier ones

 private:
  struct ByTime;  // A_t
  bool evaluate(double t);
  void separate();
  Eigen::VectorXd rotated(std::span<const double> right) const;
  double move_values();  // the size of the correction, relative to that of the unknowns
  double move_rates();
  template <class Step>
  bool iterate(double t, Step&& step);
  int slot_of_equation(std::size_t k) const;
  double unit_of(int slot) const;  // the size of y
  void by_time(double t);

  System& system_;
  const EquationChoice& choice_;
  std::shared_ptr<const ByTime> time_;
  std::vector<int> slots_, column_of_slot_;  // x first, then w
  int array_rows_;
  std::vector<double> rows_, jacobian_, y_, yp_, by_time_, inputs_, work_;
  linear::PivotedQr qr_;  // of the columns of w
  Eigen::MatrixXd by_x_;
  Eigen::VectorXd row_scale_, of_w_;  // units
};

}  // namespace driftless
