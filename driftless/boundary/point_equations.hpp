// The equations at one point of a boundary value problem.
//
// The unknowns of a point are all slots y, then the rates R that are quantities themselves: u = (y, R). The rows 0 =
// F(t, u) leave as many of them undetermined as there are states. Candidates are the slots that may be states: those
// with a kinematic relation, then those whose rate is an unknown. A chart is a list of candidates, as many as there are
// states, such that the rows determine everything else.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "driftless/integrate/states/selection.hpp"
#include "driftless/integrate/system/system.hpp"
#include "driftless/linear/dense.hpp"

namespace driftless::boundary {

using Chart = std::vector<int>;  // candidates, ascending

class PointEquations {
 public:
  explicit PointEquations(System& system);

  System& system() { return system_; }
  const Reduced& reduced() const { return system_.reduced(); }
  Eigen::Index unknowns() const { return static_cast<Eigen::Index>(system_.size() + rate_slots_.size()); }
  Eigen::Index rows() const { return system_.rows(); }
  Eigen::Index states() const { return unknowns() - rows(); }
  Eigen::Index candidates() const { return static_cast<Eigen::Index>(slots_.size()); }
  int slot_of(int candidate) const { return slots_[static_cast<std::size_t>(candidate)]; }
  // The place among the unknowns: of a slot it is its number.
  int place_of_rate(int slot) const { return place_of_rate_[static_cast<std::size_t>(slot)]; }
  double nominal(Eigen::Index unknown) const;
  std::string name(Eigen::Index unknown) const;

  // Splits u into y and y' of the system; rates that are no unknowns are 0.
  void split(const Eigen::VectorXd& u, std::vector<double>& y, std::vector<double>& yp) const;
  Eigen::VectorXd join(std::span<const double> y, std::span<const double> yp) const;

  // False if some value does not exist. The rates are those of all candidates.
  bool evaluate(double t, const Eigen::VectorXd& u, Eigen::VectorXd& rows, Eigen::VectorXd& rates);
  bool differentiate(double t, const Eigen::VectorXd& u, Eigen::MatrixXd& rows, Eigen::MatrixXd& rates);

  // Charts at points along the interval: a chart is kept as long as no other is much better conditioned. Nothing if the
  // rows of a stage are dependent on each other at a point: `dependent_row()` says which.
  std::optional<std::vector<Chart>> charts(const std::vector<double>& times,
                                           const std::vector<Eigen::VectorXd>& points);
  int dependent_row() const { return dependent_row_; }
  std::string name_of_row(int row) const;

 private:
  System& system_;
  std::vector<int> slots_, rate_slots_, place_of_rate_;
  std::vector<double> y_, yp_, values_;
  int dependent_row_ = -1;
};

// The rows at a point, linearized and solved for everything but the states of the chart: a change x of the states
// changes the unknowns by `by_states` x + change(residuals of the rows).
class LinearizedPoint {
 public:
  // False if the rows do not determine the rest, so that the chart is not valid here.
  bool make(PointEquations& equations, const Chart& chart, double t, const Eigen::VectorXd& u);

  Eigen::VectorXd change(const Eigen::VectorXd& rows) const;

  Eigen::MatrixXd by_states;        // of all unknowns
  Eigen::MatrixXd rates;            // derivatives of the rates of the chart by all unknowns
  Eigen::MatrixXd rates_by_states;  // the same along the rows

 private:
  std::vector<int> dependent_;
  Eigen::VectorXd row_scale_;
  linear::Lu lu_;
};

}  // namespace driftless::boundary
