// Sensitivities along a trajectory between two events: the linear differential equations of those of the states, solved
// by collocation at the points of Radau IIA with a separate step size.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "driftless/sensitivity/directions.hpp"
#include "driftless/sensitivity/linearization.hpp"
#include "driftless/sensitivity/radau_basis.hpp"
#include "driftless/sensitivity/stage_equations.hpp"

namespace driftless::sensitivity {

// The quantities of the array at a time.
struct Trajectory {
  std::function<void(double t, std::vector<double>& quantities)> exact;  // as delivered by the run
  // Approximately, without solving equations; false if unknown.
  std::function<bool(double t, std::vector<double>& quantities)> between_outputs;
  // These states by the polynomials of the run, the others approximately. False if unknown.
  std::function<bool(double t, const std::vector<int>& states, std::vector<double>& quantities)> states;
};

// The sensitivities of the states within a step: start + length * sum of coefficients_j ∫ P_j, with Legendre's
// polynomials P_j.
struct PathStep {
  double begin = 0.0, length = 0.0;
  std::vector<int> states;
  Eigen::MatrixXd start;         // rows are states, columns directions
  Eigen::MatrixXd coefficients;  // of the slopes, one below the other
  int stages = 0;
  void at(double t, Eigen::MatrixXd& value) const;
};

class Follower {
 public:
  struct Settings {
    double tolerance = 1e-6;
    Eigen::VectorXd sizes;  // of the directions
  };
  // `parameters`: values that are constant between the events; `of_parameters`: their sensitivities.
  Follower(Linearization& linearization, const Trajectory& trajectory, std::span<const double> parameters,
           const Eigen::MatrixXd& of_parameters, const Settings& settings);

  // From the sensitivities of all quantities at `from` to those at `to`. Throws NotAvailable.
  Eigen::MatrixXd operator()(double from, double to, double first_step, const Eigen::MatrixXd& start,
                             std::vector<PathStep>& steps);

 private:
  void begin(double from, const Eigen::MatrixXd& start);
  Eigen::MatrixXd all_at(double t);
  bool is_at(double t);
  bool evaluate_stages(double t, double h, double end);
  bool solve_stages(double h);
  double error(double h) const;
  double step_factor(double missed) const;
  void choose_states(double t);
  void change_states(double t);
  void take_states(const Eigen::MatrixXd& all);
  bool switches_are_those_of_the_step();
  double reach_switch(double begin, double behind);
  void pass_switch(double before);
  Eigen::RowVectorXd time_of_switch(double t, const std::vector<double>& left, const std::vector<double>& behind);

  Linearization& linearization_;
  const Trajectory& trajectory_;
  std::span<const double> parameters_;
  const Eigen::MatrixXd& of_parameters_;
  const Settings& settings_;
  const RadauBasis* basis_ = nullptr;
  std::vector<Linearization::Dynamics> dynamics_;  // at the stages
  StageEquations stage_equations_;
  Eigen::MatrixXd states_, end_;  // at the beginning and at the end of the step
  Eigen::MatrixXd slopes_;        // at the stages, one below the other
  Eigen::MatrixXd coefficients_;  // of Legendre's polynomials in them
  std::vector<double> quantities_, switches_;
  std::optional<double> switched_;  // a stage point after a change of switches
  double behind_switch_ = 0.0;      // right after one
  double largest_growth_ = 0.0;     // of the chosen states: beyond it others are chosen
  std::optional<double> outgrown_;  // the length of a step that ends before the growth is too large
  bool exact_ = false;              // use exact points of the trajectory, since a step failed or a switch is near
  int fruitless_ = 0;  // points at which solving from the states failed more often than it succeeded; beyond a limit it
                       // is not tried for as many points
  int pause_ = 10;
};

// From 3 to 10 stages.
const RadauBasis& basis_of(int stages);
// The number of stages with the least cost per unit of time, for this many states and directions, if an evaluation at a
// point costs `point` operations: steps with s stages are proportional to the (s+1)-th root of the tolerance, and their
// linear system has s n unknowns.
int cheapest_stages(double tolerance, Eigen::Index states, Eigen::Index directions, double point);

// All sensitivities at a time of a path.
void sensitivities_at(double t, std::span<const double> quantities, std::span<const double> parameters,
                      const Eigen::MatrixXd& of_parameters, const std::vector<PathStep>& steps,
                      Linearization& linearization, Eigen::MatrixXd& all);

}  // namespace driftless::sensitivity
