// A point of a form of index 1 from a derivative array (array/kunkel_mehrmann.hpp), which a method satisfies as well as
// its iteration ends. With the array A(t, x, w) = 0 and all equations E(t, x, x') = 0, those included that are not the
// differential ones at present:
//
//   A(t, x, w) = 0                      x, w change as little as possible,
//   A_x x' + A_w w' = -A_t,  E(t, x, x') = 0   determine x', by least squares: they agree with each other.
//
// So x is on all hidden constraints to rounding, and x' satisfies the equations as they were written.
#pragma once

#include <memory>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Sparse>

#include "driftless/compile/kernel.hpp"
#include "driftless/integrate/solve/point_solver.hpp"
#include "driftless/integrate/system/system.hpp"

namespace driftless {

class IndexOnePoint final : public PointSolver {
 public:
  explicit IndexOnePoint(System& system);  // Precondition: Reduced::equation_choice exists

  bool operator()(double t, std::span<double> y, std::span<double> yp) override;
  void archive(Archive&) override {}  // every point is found without those before

 private:
  struct ByTime;  // A_t
  struct Linear {
    Eigen::SparseMatrix<double> matrix;
    Eigen::VectorXd right;
  };
  bool evaluate(double t);
  Linear of_values() const;  // in units of the unknowns
  Linear of_rates() const;
  double move_values(const Linear& equations);
  double move_rates(const Linear& equations);
  template <class Step>
  bool iterate(double t, Step&& step);
  int slot_of_equation(std::size_t k) const;
  double size_of(int slot) const;  // of a change of y that counts as 1
  void by_time(double t);

  System& system_;
  const EquationChoice& choice_;
  std::shared_ptr<const ByTime> time_;
  std::vector<int> slots_, column_of_slot_;  // x first, then w
  int array_rows_;
  std::vector<double> rows_, jacobian_, y_, yp_, by_time_, inputs_, work_;
};

}  // namespace driftless
