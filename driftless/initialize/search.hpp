// Solves some rows of an initial problem for some of its unknowns, with all others held: damped Gauss-Newton iteration
// with smallest corrections, which for square regular systems is Newton's method.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "driftless/initialize/rows.hpp"
#include "driftless/initialize/strategy.hpp"

namespace driftless {

class NewtonCorrection;

struct Attempt {
  bool evaluated = true;  // false: some value does not exist at the start of the search already
  bool solved = false;
  bool regular = true;  // the slope at the solution determines the unknowns
  bool within = true;   // all unknowns lie between their min and max
  double missed = 0.0;  // the largest scaled residual
};

class Search {
 public:
  Search(InitialRows& rows, const InitialProblem& problem);
  ~Search();

  // Solves for the unknowns `cols` from their present values; on return they have those of the solution, or of the best
  // point.
  Attempt solve(std::span<const int> parts, std::span<const int> cols);

  // The same with all strategies for cases where the plain iteration fails: other guesses for the unknowns, first for
  // those without a given guess, and continuation from the guess.
  Attempt solve_with_effort(std::span<const int> parts, std::span<const int> cols);

  // The solution nearest to the guesses of the unknowns, in units of their reach.
  Attempt solve_nearest(std::span<const int> parts, std::span<const int> cols);

  // If the solution lies far from the given guesses: replaces it by one on the other side of them if that is closer.
  void prefer_nearer(std::span<const int> parts, std::span<const int> cols);

  // How well rows hold at the present values.
  Attempt judge(std::span<const int> parts);

  bool within_bounds(std::span<const int> cols) const;
  bool is_linear(std::span<const int> parts, std::span<const int> cols) const;

  const Trials& trials() const { return trials_; }

 private:
  struct Point;
  struct Scalar;
  struct Best;
  Attempt solve_together(std::span<const int> parts, std::span<const int> cols);
  std::optional<Attempt> solve_one(int part, int col);
  bool evaluate_one(int part, int col, Scalar& point);
  bool evaluate(std::span<const int> parts, std::span<const int> cols, Point& point);
  std::vector<double> save(std::span<const int> cols) const;
  void restore(std::span<const int> cols, const std::vector<double>& values);
  void load(std::span<const int> cols, const Point& point);
  bool is_determined(std::span<const int> cols, const Point& at);
  void compare(Best& best, std::span<const int> cols, Strategy strategy, Attempt next);
  void try_other_guesses(std::span<const int> parts, std::span<const int> cols, const std::vector<double>& begin,
                         Best& best);
  void try_between_bounds(std::span<const int> parts, std::span<const int> cols, const std::vector<double>& begin,
                          Best& best);
  Attempt continue_from_guess(std::span<const int> parts, std::span<const int> cols);
  void move_into_bounds(std::span<const int> cols, double part);

  InitialRows& rows_;
  const InitialProblem& problem_;
  std::vector<double> target_;  // of continuation: residuals to be reached; empty: zero
  std::vector<int> place_;      // of an unknown among the present columns
  bool bounded_ = false;        // corrections end at the bounds
  Trials trials_;
  std::unique_ptr<NewtonCorrection> correction_;
};

}  // namespace driftless
