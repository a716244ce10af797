// The linear equations of the sensitivities at one point of a trajectory, with some quantities chosen as states: they
// give the sensitivities of everything else, and the rates of those of the states.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "driftless/linear/factorization.hpp"
#include "driftless/sensitivity/small_lu.hpp"
#include "driftless/sensitivity/variational_array.hpp"

namespace driftless::sensitivity {

class Linearization {
 public:
  explicit Linearization(VariationalArray& array);

  VariationalArray& array() { return array_; }

  // Evaluates the partial derivatives at a point. False if one of them has no value.
  bool move_to(double t, std::span<const double> parameters, std::span<const double> quantities);
  const std::vector<double>& switches() const { return point_.switches; }
  // The same if only the states are those of the trajectory: the others are computed from the equations, by Newton's
  // iteration from approximate values. False if those that occur nonlinearly are not close. The matrix may already be
  // factorized.
  bool move_from_states(double t, std::span<const double> parameters, double tolerance,
                        std::vector<double>& quantities);

  // Chooses states among all quantities that are not the highest derivatives of their variables, by the partial
  // derivatives at the point; `rank`, one number for each quantity: those with the largest are preferred. False if the
  // equations are singular there.
  bool choose_states(std::span<const int> rank = {});
  void use_states(std::vector<int> states);
  bool has_states() const { return !unknown_of_.empty(); }
  const std::vector<int>& states() const { return states_; }

  // Must be called at each point before the functions below. False if the matrix is singular there.
  bool factorize();

  // All sensitivities (rows are quantities) from those of the states and those of all parameters.
  void complete(const Eigen::MatrixXd& of_states, const Eigen::MatrixXd& of_parameters, Eigen::MatrixXd& all) const;
  // The time derivatives of all quantities at this point, those of the highest derivatives included.
  Eigen::VectorXd rates(std::span<const double> quantities) const;

  // ds/dt = matrix s + offset, for the sensitivities s of the states.
  struct Dynamics {
    Eigen::MatrixXd matrix, offset;
  };
  void dynamics(const Eigen::MatrixXd& of_parameters, Dynamics& result) const;
  // The largest change, by a unit of a state, of a quantity that could be a state instead, in units of nominal values.
  double growth() const { return growth_; }

 private:
  // A correction of the others by Newton's iteration, relative: the largest, and the largest among quantities on which
  // the partial derivatives depend.
  struct Correction {
    double largest = 0.0, bending = 0.0;
  };
  Correction correct(std::vector<double>& quantities) const;
  void add_parameters(const Eigen::MatrixXd& of_parameters, Eigen::Index first) const;
  void add_states(const Eigen::MatrixXd& of_states) const;
  void solve() const;
  void take_solution(const Eigen::MatrixXd& of_states, Eigen::MatrixXd& all) const;

  VariationalArray& array_;
  VariationalArray::Point point_;
  std::vector<int> states_;        // columns
  std::vector<int> state_of_;      // by column: its place among the states, or -1
  std::vector<int> unknown_of_;    // by column: its place among the others, or -1
  std::vector<int> next_;          // by state: the column of its time derivative
  linear::Assembly assembly_;      // of the matrix of the others
  std::vector<std::size_t> used_;  // entries of the array in it
  std::unique_ptr<linear::Factorization> factorization_;
  SmallLu small_;  // used instead if there are few rows
  bool is_small_ = false;
  std::vector<double> values_;
  bool is_factorized_ = false;     // at the point
  mutable Eigen::MatrixXd right_;  // right-hand sides, then solutions
  mutable double growth_ = 0.0;
};

}  // namespace driftless::sensitivity
