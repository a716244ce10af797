// In which coordinates the manifold of the constraints is described at present, and when they must change.
//
// For every choice of the reduction (m rows with the matrix C of partial derivatives, n candidates) the states are
// u = L x with n - m rows of L such that [L; C] is regular: x follows from u and the constraints.
//
//   Slots        unit rows; dummy pivoting exchanges them as soon as that improves the conditioning (selection.hpp)
//   Partition    unit rows by pivoted elimination (Wehage, Haug 1982)
//   Tangent      an orthonormal basis of ker C at a point of the trajectory (Potra, Rheinboldt 1991; Yen 1993)
//   TangentMass  the left inverse of that basis which vanishes on the directions F of the constraint forces:
//                [L; C] = [Q0, F]^-1, for mechanical systems L = (Q0^T M Q0)^-1 Q0^T M
//
// All but Slots are kept while they are good (Ascher, Petzold 1993, Section 3.3): until |[L; C]^-1| exceeds 5 times its
// value when the chart was chosen, or det [L; C] falls below 0.2 of it. A constraint whose gradient turns fast can
// become singular and regular again within one step, which its ends do not show. So the path of the next step is
// predicted, y + s y', and checked in pieces so short that C changes little in each; where the chart fails on it, one
// that is good there takes its place before the step is taken.
//
// Candidates are measured in their nominal values, rows by their largest entry.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/integrate/states/equation_selection.hpp"
#include "driftless/integrate/states/stability_matrices.hpp"
#include "driftless/integrate/system/problem.hpp"
#include "driftless/integrate/states/selection.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

class StateCoordinates {
 public:
  StateCoordinates(System& system, double hysteresis);

  // The first states. False if the rows of some choice are dependent on each other; `dependent_row()` is one of them.
  bool choose(const System::Point& at);
  int dependent_row() const { return selection_.dependent_row(); }

  // At the end of a step, with the size of the next one as far as it is known: what changed, and when on the predicted
  // path. Empty: the states stay.
  const std::vector<Pivot>& examine(const System::Point& at, double next_step);

  // Makes a new chart at this point because the present one failed: true if it is a different one.
  bool renew(const System::Point& at);

  // For a chart of tangents that is never changed, with values as from System::choices: if det [L; C] has changed its
  // sign since the chart was chosen, returns a description of what is no longer determined.
  std::optional<std::string> lost_at(std::span<const double> values);

  const std::vector<Combination>& states() const { return states_; }
  StateSelection& selection() { return selection_; }
  EquationSelection& equations() { return equations_; }

  void archive(Archive& archive);

 private:
  struct Piece {
    const Choice* choice = nullptr;
    const std::vector<System::ChoiceEntry>* entries = nullptr;
    std::size_t offset = 0;  // of its values
    Eigen::VectorXd nominal, row_scale;
    Eigen::MatrixXd L, C;
    double size = 0.0, determinant = 0.0;  // |[L; C]^-1| and det [L; C] when the chart was chosen
    Eigen::Index rows() const { return static_cast<Eigen::Index>(choice->rows.size()); }
    Eigen::Index candidates() const { return static_cast<Eigen::Index>(choice->kinematics.size()); }
    bool is_open() const { return candidates() > rows(); }
  };

  void load(Piece& piece) const;  // C from the values of the choices
  bool measure(Piece& piece, double& size, double& determinant) const;
  bool is_good();
  bool choose_here(const System::Point& at);
  void take_units(Piece& piece) const;
  void take_tangent(Piece& piece) const;
  bool follow_forces(Piece& piece) const;
  void collect();
  void look_ahead(const System::Point& at, double step);
  void change(const System::Point& at);
  void exchange_slots(const System::Point& at);
  void take_slots();
  std::string name(int candidate) const;

  System& system_;
  const Reduced& reduced_;
  StateSelection selection_;
  EquationSelection equations_;  // of a form of index 1 from a derivative array
  std::optional<ForceDirections> forces_;
  std::vector<Piece> pieces_;
  std::vector<double> values_, before_, y_;
  std::vector<Combination> states_;
  std::vector<Pivot> changes_;
};

}  // namespace driftless
