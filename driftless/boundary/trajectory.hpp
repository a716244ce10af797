// An approximation between its points: polynomials of the intervals, and points on the constraints.
//
// In interval k, with the nodes 0, c_1, ..., c_s, 1 in units of its length, the states are
//
//   x_k + h sum_i rate_i * integral of the i-th Lagrange polynomial,
//
// which meets x_{k+1} at the end. All other slots are interpolated, and then solved for. Meshes are chosen by the
// defect, the difference between the slopes of the states and the rates from the equations.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "driftless/boundary/collocation.hpp"
#include "driftless/integrate/solve/algebraic.hpp"
#include "driftless/integrate/system/problem.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless::boundary {

// Powers of (t - end) / h.
class IntervalPolynomials {
 public:
  explicit IntervalPolynomials(const Tableau& tableau);

  // Values at the nodes 0, c, 1; the last stage of Radau is the end.
  const std::vector<double>& nodes() const { return nodes_; }
  const Eigen::MatrixXd& interpolation() const { return interpolation_; }  // a row for each node
  const Eigen::MatrixXd& integrals() const { return integrals_; }          // of its Lagrange polynomial

 private:
  std::vector<double> nodes_;
  Eigen::MatrixXd interpolation_, integrals_;
};

class Trajectory {
 public:
  Trajectory(Collocation& collocation, Approximation at);

  const Approximation& approximation() const { return at_; }
  const std::vector<Segment>& segments() const { return segments_; }
  std::size_t interval_at(double t) const;

  // All unknowns by the polynomials: the initial guess of the next iteration.
  Eigen::VectorXd interpolated(double t) const;

  // y and y' that satisfy all equations, with the states from the polynomials. False if the equations cannot be solved
  // there.
  bool point(double t, std::vector<double>& y, std::vector<double>& yp);

  // Per interval: the largest difference, halfway between its nodes and at even distances over the whole, of a state's
  // slope and its rate, times the length of the interval, in units of |x| + nominal. 1 or more if a point cannot be
  // solved.
  std::vector<double> defects();
  // The largest difference of any slot from those of another trajectory at its mesh points.
  double distance_to_mesh_points_of(const Trajectory& other);

 private:
  void make_segment(std::size_t k);
  std::vector<double> probes(std::size_t k) const;
  double defect(std::size_t k);

  Collocation& collocation_;
  Approximation at_;
  IntervalPolynomials polynomials_;
  std::vector<Segment> segments_;
  Problem problem_;
  AlgebraicSolve on_constraints_;
};

}  // namespace driftless::boundary
