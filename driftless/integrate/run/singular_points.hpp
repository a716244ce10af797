// Singular points that a step passes over: where the equations no longer determine the unknowns, solutions branch, end
// or go to infinity, and behind such a point several continuations satisfy all equations.
//
// Holding the states, the rows determine everything else as long as their matrix is regular. It is looked at in its
// irreducible diagonal blocks, stage by stage: if the determinant of a block has another sign at the end of a step than
// at its beginning, the block was singular in between, however smooth the solution looks. The point is found by
// secants. A determinant that has become small is also looked at within the step: it may touch 0 and go back. In a
// block of constraints that leave a choice of states it may be this choice that is singular there (the chart), and not
// the constraints: then the constraints have full rank with respect to all candidates.
#pragma once

#include <Eigen/Dense>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/states/dependent_unknowns.hpp"
#include "driftless/integrate/system/problem.hpp"
#include "driftless/linear/diagonal_blocks.hpp"

namespace driftless {

class SingularPoints {
 public:
  explicit SingularPoints(Problem& problem);

  // Other states: nothing is compared with what was seen before.
  void states_changed() { analysed_ = false; }
  // Has a determinant become much smaller at the last end than at some end since the states were chosen or kept? There
  // may be better ones.
  bool has_shrunk() const;
  void keep_states() { log_since_chosen_ = log_before_; }
  // Behind a jump the matrix may be another one.
  void forget() { known_ = false; }
  bool exist();  // is there a block that can become singular?

  // Solved point of the step at a time; false if there is none.
  using Path = std::function<bool(double t, std::span<double> y, std::span<double> yp)>;
  struct Found {
    double t;
    std::string what;  // "x is not determined by line 7: ..."
    bool only_chart;
  };
  // Looks at the end b of a step from a, and remembers it. `solved` has no point where the equations are not solved;
  // without it determinants that touch 0 are not looked for.
  std::optional<Found> examine(double a, double b, const Path& path, const Path& solved);

  void archive(Archive& archive);  // with the states of the problem at that time

 private:
  void analyse();
  bool entry_varies(int entry);  // of the Jacobian: does it depend on anything that changes?
  bool evaluate(double t, const Path& path, std::vector<int>& signs);
  double locate(std::size_t block, double a, double b, const Path& path);
  std::optional<Found> find_touched(double a, double b, const Path& path);
  Eigen::MatrixXd slopes_by_candidates(std::size_t block) const;
  bool is_only_chart(std::size_t block, const Eigen::VectorXd& sizes) const;
  bool open_unknowns_have_rank(std::size_t block, const Eigen::MatrixXd& scaled) const;
  std::string describe(std::size_t block) const;

  Problem& problem_;
  std::vector<Unknown> unknowns_;
  std::vector<int> entries_;  // of the system's Jacobian that take part
  linear::Assembly assembly_;
  std::optional<linear::DiagonalBlocks> blocks_;
  std::vector<bool> varies_;                       // per block
  std::vector<std::optional<bool>> entry_varies_;  // where it was asked for
  std::vector<double> values_, jacobian_, y_, yp_;
  std::vector<int> signs_, here_, middle_;
  std::vector<double> log_sizes_;                        // of the determinants, at the last evaluation
  std::vector<double> log_before_, log_here_, largest_;  // at the ends of the step; of all ends
  std::vector<double> log_older_;                        // at the beginning of the step before
  std::vector<double> log_since_chosen_;                 // the largest at the ends since then
  double older_ = 0.0;
  bool analysed_ = false, known_ = false;
};

}  // namespace driftless
