// The matrices that decide how stable a constrained problem is, at points of a trajectory.
//
// With x all differentiated variables at their highest level below the accelerations, and the constraints at that level
//
//   x' = ... + B y,   0 = C x + r,   F = B (CB)^-1,   H = I - F C,   R B = 0,   [R; C]^-1 = [S, F]
//
// (Ascher, Petzold 1993, Section 2). For mechanical systems C = G, B = ∓M^-1 G^T. The model need not have this form: F
// is the response of x' when the highest level of a constraint is changed by one, the solution of a linear system with
// the matrix of all highest derivatives and algebraic unknowns; y responds by (CB)^-1.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "driftless/integrate/states/highest_stage.hpp"
#include "driftless/integrate/states/level_propagation.hpp"

namespace driftless {

// The columns of F, for every stage of the reduction: how the slots of a stage must change together when one
// constraint is changed by one at its highest level. (The gradient of a constraint is the same at each of its levels,
// so the directions of one stage give those of the stage below through the kinematic relations.)
class ForceDirections {
 public:
  explicit ForceDirections(System& system);

  // False if the highest level of some constraint is missing, so that nothing can be computed.
  bool exist() const { return stage_.determined(); }

  // False if the matrix of the highest derivatives is singular at this point.
  bool evaluate(const System::Point& at);

  const std::vector<EqnId>& constraints() const { return constraints_; }  // equations that are differentiated
  const Eigen::MatrixXd& of_slots() const { return of_slots_; }           // slots x constraints
  std::span<const double> jacobian() const { return stage_.jacobian(); }  // as System gives it, at the last point

 private:
  HighestStage stage_;
  LevelPropagation propagation_;
  std::vector<EqnId> constraints_;
  std::vector<int> equations_;  // of the highest level of each constraint
  Eigen::MatrixXd of_slots_;
};

struct Essential {
  double t = 0.0;
  Eigen::MatrixXd C, C_dot;  // constraints x variables; C_dot = dC/dt along the trajectory
  Eigen::MatrixXd B, F, H;
  Eigen::MatrixXd CB_inverse;   // (CB)^-1; the identity if there are not as many multipliers as constraints
  Eigen::MatrixXd R, R_dot, S;  // R has orthonormal rows and turns as little as possible; R_dot: R' by differences

  double K1() const;                                    // |(CB)^-1|
  double K2() const;                                    // |[R; C]^-1|
  Eigen::MatrixXd FC_dot() const { return F * C_dot; }  // what an index-2 discretization treats explicitly
  Eigen::MatrixXd RS() const { return R_dot * S; }      // R'S: the variable part of the essential underlying equation
};

class EssentialForm {
 public:
  // The reason why there is no such form; nothing if there is one. All levels of all constraints must be rows: the base
  // of the formulations, dummy derivatives, state-space forms.
  static std::optional<std::string> not_applicable(const Reduced& reduced);

  // Precondition: not_applicable(system.reduced()) is empty.
  explicit EssentialForm(System& system);

  const std::vector<int>& slots() const { return slots_; }  // the slots of the variables x
  const std::vector<EqnId>& constraints() const { return directions_.constraints(); }

  // The matrices at a point of the solution; nothing if they are singular there. R is aligned with that of the previous
  // call (the orthogonal matrix nearest to R_before R^T), R_dot is the difference quotient between the two.
  std::optional<Essential> at(double t, std::span<const double> y, std::span<const double> yp);
  void forget() { before_.reset(); }  // begin another trajectory

 private:
  void find_multipliers();
  void compile_entries();
  bool continue_frame(Essential& e);

  System& system_;
  ForceDirections directions_;
  std::vector<int> slots_, position_;  // position_[slot]: which variable it is, or -1
  std::vector<int> constraint_of_row_;
  std::vector<VarId> multipliers_;  // or empty, if they are not as many as the constraints
  struct Position {
    int row, col;
  };
  std::vector<Position> dot_entries_;         // (constraint, variable)
  std::vector<Position> multiplier_entries_;  // (multiplier, slot): the gradient of its value
  std::shared_ptr<const Kernel> kernel_;      // the values of both
  std::vector<double> inputs_, values_, work_;
  struct Frame {
    double t;
    Eigen::MatrixXd R;
  };
  std::optional<Frame> before_;
};

}  // namespace driftless
