// The coupled equations of a step of a partitioned method (partitioned.hpp). Unknown at each stage: the accelerations
// K_i and the other unknowns z_i; equations: K_i = a(t_i, Q_i, z_i), 0 = d(t_i, Q_i, z_i), and the constraints at the
// point P_i that belongs to the stage,
//
//   Q_i = q + h c_i v + h^2 sum_j n_ij K_j,   P_i = q + h C_i v + h^2 sum_j N_ij K_j,   0 = g(t + C_i h, P_i).
#pragma once

#include <span>
#include <vector>

#include "driftless/integrate/solve/mechanical_system.hpp"
#include "driftless/integrate/solve/newton.hpp"

namespace driftless {

// One line per stage of forces (c, n) and of constraints (C, N); the last P is the new position.
struct StagePoints {
  int stages = 0;
  std::vector<double> force_node, force_matrix;
  std::vector<double> constraint_node, constraint_matrix;
};

class PositionStages final : public Equations {
 public:
  PositionStages(System& system, const MechanicalSystem& mechanics, const StagePoints& points);

  void begin(double t, double h, std::span<const double> y, std::span<const double> v);

  int unknowns_per_stage() const { return n_ + z_; }
  int size() const { return points_.stages * unknowns_per_stage(); }
  std::span<const double> row_scale() const { return row_scale_; }  // scales constraints of order h^2 to order 1
  std::span<const double> column_scale() const { return column_scale_; }

  const linear::Pattern& pattern() const override { return assembly_.pattern; }
  bool residual(std::span<const double> x, std::span<double> out) override;
  bool matrix(std::span<const double> x, std::span<double> values) override;

  // Positions and other unknowns of point P_i into y.
  void load_constraint_point(std::span<const double> x, int i, std::span<double> y) const;

 private:
  struct Line {           // an entry of the Jacobian of the model and its equation of a stage
    int entry, equation;  // an entry of the Jacobian, or of the gradient of the invariants
    bool of_invariant;
    int coordinate;  // with respect to the position of this coordinate; -1: to an unknown of the stage itself,
    int unknown;     // namely this one, numbered within the stage
  };
  void load(std::span<const double> x, int i, const std::vector<double>& node, const std::vector<double>& matrix,
            std::span<double> y) const;
  void load_accelerations(std::span<const double> x, int i);
  template <class Visit>
  void visit_coordinates(Visit visit) const;

  System& system_;
  MechanicalSystem mechanics_;
  StagePoints points_;
  int n_, z_;                  // coordinates, other unknowns
  std::vector<int> explicit_;  // coordinates whose accelerations are expressions
  std::vector<Line> force_lines_, constraint_lines_;
  linear::Assembly assembly_;
  double t_ = 0.0, h_ = 0.0;
  std::vector<double> y_, v_, yp_, point_, rows_and_rates_, invariants_, jacobian_, gradient_;
  std::vector<double> row_scale_, column_scale_;
};

}  // namespace driftless
