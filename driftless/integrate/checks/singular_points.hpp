// Singular points that a step passes over. At such a point the equations no longer determine the unknowns: solutions
// branch, end or go to infinity, and beyond it several continuations satisfy all equations.
//
// Holding the states, the rows determine everything else as long as their matrix is regular. It is looked at in its
// irreducible diagonal blocks, stage by stage: if the determinant of a block has another sign at the end of a step than
// at its beginning, the block was singular in between, however smooth the solution looks. The point is found by
// secants. A determinant that has become small is also looked at within the step: it may touch 0 and go back. At a kink
// it jumps: where abs(y) = abs(x) comes to y = 0 and goes back, it has kept its sign, and would have changed it behind
// the kink, so two solutions meet there as well. In a
// block of constraints that leave a choice of states it may be this choice that is singular there (the chart), and not
// the constraints: then the constraints have full rank with respect to all candidates.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/states/constraint_slopes.hpp"
#include "driftless/integrate/states/dependent_unknowns.hpp"
#include "driftless/integrate/states/nonlinear_blocks.hpp"
#include "driftless/integrate/system/problem.hpp"
#include "driftless/linear/determinant.hpp"

namespace driftless {

class SingularPoints {
 public:
  explicit SingularPoints(Problem& problem);

  // After a change of states: earlier determinants are not compared with new ones.
  void states_changed() { analysed_ = false; }
  // After a jump the matrix may be a different one.
  void forget() { known_ = false; }
  bool exist();  // is there a block that can become singular?

  // Gives the solved point of the step at a time; false if there is none.
  using Path = std::function<bool(double t, std::span<double> y, std::span<double> yp)>;
  struct Found {
    double t;
    std::string what;  // "x is not determined by line 7: ..."
    bool only_chart;
    std::vector<EqnId> equations = {};  // of the rows that are singular there
    bool is_leap = false;  // the determinant changes its sign at a jump: the step has left the solution it began with
  };
  // Examines the end of a step and stores it. `path` gives the points inside; `solved` gives those at which the
  // equations are solved. Without `solved`, determinants that touch 0 are not searched for. A point that `may_pass`
  // accepts is not reported.
  using MayPass = std::function<bool(const Found& found)>;
  std::optional<Found> examine(const System::Point& begin, const System::Point& end, const Path& path,
                               const Path& solved, const MayPass& may_pass = nullptr);

  // For blocks that do not depend on the choice of states: does a determinant vanish within this step without changing
  // its sign, or at its end, up to the rounding error of a double solution?
  std::optional<Found> find_touched_by_fixed(const System::Point& begin, const System::Point& end, const Path& path,
                                             const MayPass& may_pass);

  void archive(Archive& archive);  // with the states of the problem at that time

 private:
  // A block whose entries vary.
  struct Watched {
    std::vector<int> rows;
    std::vector<Unknown> unknowns;
    std::vector<int> sources;  // of its entries, among the evaluated values
    linear::RepeatedDeterminant determinant;
    // With exponentials or logarithms, where it changes by orders anyway, or with kinks. Not if its equations have one
    // solution.
    std::optional<OneSolution> steep = {};
    // Kinks that its unknowns can pass, by their places among the corners.
    std::vector<int> corners = {};
  };
  // Some rows and unknowns with their entries of the Jacobian.
  struct Part {
    std::vector<int> rows;
    std::vector<Unknown> unknowns;
    std::vector<int> entries;
    std::vector<linear::Coordinate> coordinates;
  };
  struct OfChoice {
    const Choice* choice;
    std::vector<int> entries;                     // of the Jacobian, by all candidates,
    std::vector<linear::Coordinate> coordinates;  // and their places in the matrix of the choice
    int twin = -1;                                // the first choice that has the same matrix
    std::vector<int> dependent;                   // candidates; of the states that `watched` belongs to
    bool is_again = false;                        // with these states its twin has the same blocks
    std::vector<Watched> watched;
  };

  void analyse();
  void take_apart();     // once
  void watch_choices();  // those whose states have changed
  Part whole() const;    // all rows, with all unknowns but the states
  std::vector<Watched> blocks_of(const Part& part);
  bool entry_varies(int entry);  // of the Jacobian: does it depend on anything that changes?
  bool entry_is_steep(int entry) const;
  void evaluate(const System::Point& at, std::vector<linear::Determinant>& found);
  bool evaluate(double t, const Path& path);  // into inside_
  struct Place {
    double t;
    bool is_zero;  // otherwise the sign changes at a jump
  };
  Place locate(std::size_t watched, double a, double b, const Path& path);
  std::optional<Found> find_touched(double a, double b, const Path& path, const MayPass& may_pass);
  std::vector<NodeId> kinks_of(const std::vector<int>& rows, const std::vector<Unknown>& unknowns) const;
  void find_corners();
  void evaluate_corners(const System::Point& at, std::vector<double>& found);
  std::optional<Found> find_touched_corner(const System::Point& end, double a, const Path& path,
                                           const MayPass& may_pass);
  std::optional<double> find_touch(std::size_t corner, double a, double b, const Path& path);
  bool changes_sign_behind(std::size_t watched, std::size_t corner, const System::Point& at);
  std::optional<double> find_zero(std::size_t watched, double a, double b, const Path& path);
  bool vanishes_by_rounding(std::size_t watched, double t);
  Found found_at(double t, const Watched& block, const Eigen::VectorXd& sizes) const;
  std::vector<EqnId> equations_of(const Watched& block) const;
  void differentiate(const System::Point& at);  // all entries of the Jacobian
  Eigen::MatrixXd slopes_by_candidates(const Watched& block) const;
  bool is_only_chart(const Watched& block, const Eigen::VectorXd& sizes) const;
  bool open_unknowns_have_rank(const Watched& block, const Eigen::MatrixXd& scaled) const;
  std::string describe(const Watched& block) const;

  Problem& problem_;
  std::shared_ptr<const ConstraintSlopes> slopes_;  // null until the first look
  std::vector<Watched> fixed_;                      // those independent of the states; or all, if rows cannot be split
  std::vector<OfChoice> choices_;
  std::vector<Watched*> watched_;                  // of the present states
  std::vector<std::optional<bool>> entry_varies_;  // computed so far
  std::vector<double> jacobian_, evaluated_, values_, y_, yp_;
  // Determinants of the watched blocks: at the beginning of the step, at its end, and where `path` was evaluated last.
  std::vector<linear::Determinant> before_, here_, inside_;
  std::vector<linear::Magnitude> largest_, oldest_;  // of all ends; at the beginning of the previous step
  double older_ = 0.0;                               // its time
  // Kinks in blocks with several solutions: a - b for max(a, b), min(a, b) and a < b, a for abs(a), at the same times.
  std::shared_ptr<const Kernel> corner_kernel_;  // a and b, of one after the other
  std::vector<bool> is_difference_;
  std::vector<double> corners_before_, corners_here_, corners_inside_, corners_oldest_, corners_largest_, operands_;
  bool analysed_ = false, known_ = false;
};

}  // namespace driftless
