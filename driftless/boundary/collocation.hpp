// Collocation of a boundary value problem on a mesh t_0 < ... < t_N, with the s stages of a tableau in every interval.
//
// Unknowns are those of all mesh points and of all stages (point_equations.hpp). Every interval has its own chart L:
//
//   0 = F(t, U_i),   L Y_i     = L y_k + h sum_j a_ij L rate(U_j)      at the stages,
//   0 = F(t, u_k),   L y_{k+1} = L y_k + h sum_j b_j  L rate(U_j)      at mesh points,
//
// and the conditions at both ends. F has the constraints of all levels: the point at the end of an interval is the
// result of the quadrature, moved onto the constraints with the states held. In the coordinates of the chart this is
// collocation of an ordinary differential equation, so the orders 2s - 1 (Radau) and 2s (Gauss) hold at mesh points for
// all unknowns (Ascher, Petzold 1991 for the projection of index 2).
#pragma once

#include <Eigen/Core>
#include <vector>

#include "driftless/boundary/almost_block_diagonal.hpp"
#include "driftless/boundary/conditions.hpp"
#include "driftless/boundary/point_equations.hpp"
#include "driftless/integrate/steppers/runge_kutta/tableau.hpp"
#include "driftless/linear/dense.hpp"

namespace driftless::boundary {

// Values of all unknowns, or changes of them.
struct Values {
  std::vector<Eigen::VectorXd> ends;    // at mesh points
  std::vector<Eigen::VectorXd> stages;  // interval by interval
};

struct Approximation {
  std::vector<double> mesh;
  std::vector<Chart> charts;  // of the intervals
  Values values;
  std::size_t intervals() const { return mesh.size() - 1; }
  double step(std::size_t interval) const { return mesh[interval + 1] - mesh[interval]; }
};

struct Residuals {
  std::vector<Eigen::VectorXd> rows_at_ends, rows_at_stages;
  std::vector<Eigen::VectorXd> stages;      // of the states, all stages of an interval one below the other
  std::vector<Eigen::VectorXd> quadrature;  // of the states at the end of an interval
  Eigen::VectorXd at_start, at_stop;        // conditions
};

class Collocation {
 public:
  Collocation(PointEquations& equations, const Conditions& conditions, Tableau tableau)
      : equations_(equations), conditions_(conditions), tableau_(std::move(tableau)) {}

  const Tableau& tableau() const { return tableau_; }
  PointEquations& equations() { return equations_; }
  const Conditions& conditions() const { return conditions_; }
  double time(const Approximation& at, std::size_t interval, int stage) const {
    return at.mesh[interval] + at.step(interval) * tableau_.c[static_cast<std::size_t>(stage)];
  }

  // False if some value does not exist; `failed_at()` is then the time.
  bool residuals(const Approximation& at, Residuals& result);

  // Why the linearized equations cannot be solved.
  enum class Linearized { Regular, Undefined, NoStates, Singular };
  // `sizes`: the units for changes of each unknown.
  Linearized linearize(const Approximation& at, const Eigen::VectorXd& sizes);
  Values correction(const Residuals& residuals) const;
  double failed_at() const { return failed_at_; }
  double conditioning() const { return blocks_.conditioning(); }

  // The largest residual relative to the contributions of the unknowns, as text: equation, time, value.
  std::string worst(const Approximation& at, const Residuals& residuals);

 private:
  struct Interval {
    std::vector<LinearizedPoint> stages;
    linear::Lu lu;                   // of the states at all stages
    Eigen::MatrixXd by_start;        // of the states at all stages, by those at the beginning
    Eigen::MatrixXd transition;      // of the states at the end, by those at the beginning
    Eigen::MatrixXd begin_by_chart;  // of the states at the beginning, by the coordinates of that mesh point
    double h = 0.0;
    Chart chart;
  };
  bool linearize(const Approximation& at, std::size_t k, Interval& interval);
  Eigen::VectorXd states_of(const Chart& chart, const Eigen::VectorXd& u) const;
  const Chart& chart_at(const Approximation& at, std::size_t mesh_point) const {
    return at.charts[mesh_point == 0 ? 0 : mesh_point - 1];
  }

  PointEquations& equations_;
  const Conditions& conditions_;
  Tableau tableau_;
  std::vector<LinearizedPoint> ends_;
  std::vector<Interval> intervals_;
  std::vector<Eigen::VectorXd> coordinate_sizes_;  // of the mesh points
  Eigen::MatrixXd start_gradient_, stop_gradient_;
  AlmostBlockDiagonal blocks_;
  double failed_at_ = 0.0;
};

}  // namespace driftless::boundary
