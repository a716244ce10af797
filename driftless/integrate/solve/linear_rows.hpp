// Rows that are linear in the unknowns they determine: with the states x,
//
//   A(t, x) z + b(t, x) = 0,   x' = rate(t, x, z).
//
// In mechanics these are the saddle-point equations [M Gᵀ; G 0] for accelerations and multipliers; where M is diagonal
// the reduction has expressed the accelerations by multipliers already, and A = G M⁻¹ Gᵀ. Rows that give an unknown as
// a function of the states, such as the distances in a force law, are substituted into the others first. A point costs
// one evaluation of A and b, one elimination with pivots that are chosen once (linear/elimination.hpp), and one
// evaluation of the rates. Constant entries of A are evaluated once. If there are few rows, they are solved by a single
// kernel instead, as soon as a point is known near which they will be solved (inlined_linear_solve.hpp).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "driftless/integrate/system/problem.hpp"
#include "driftless/integrate/system/block_copy.hpp"
#include "driftless/integrate/system/unknowns.hpp"
#include "driftless/integrate/solve/inlined_linear_solve.hpp"
#include "driftless/linear/elimination.hpp"

namespace driftless {

class LinearRows {
 public:
  // Null if a row is still not linear, or if the rows do not determine everything but the states.
  static std::unique_ptr<LinearRows> of(Problem& problem);

  // Compiles an elimination with the pivots that are good near this point, if there are few rows.
  void prepare(double t, std::span<const double> y);

  // From the states in y: every other slot and y'. False if A is singular here, or if a value does not exist.
  bool operator()(double t, std::span<double> y, std::span<double> yp);

  const std::vector<Unknown>& unknowns() const { return unknowns_; }  // z
  // Which of the equations A z + b = 0 a row is; -1 if the row was used to eliminate an unknown.
  int equation_of_row(int row) const { return equation_of_row_[row]; }

  // At the point of the last call: the inputs for kernels of the system; and the solution of A z = b, which replaces b.
  std::span<double> inputs() { return inputs_; }
  void solve(std::span<double> b) { went_straight_ ? straight_->solve(b) : elimination_.solve(b); }

  long evaluations() const { return evaluations_; }

  // Pivots and their kernels, but not the last point: `solve` needs another one first.
  void archive(Archive& archive);

 private:
  struct Draft;
  static std::optional<LinearRows> made_for(const Problem& problem);
  LinearRows(const CompiledSystem& system, Draft draft);
  void begin(const System& system);

  void load(double t, std::span<const double> y);
  void begin_straight();
  bool by_tables();

  const CompiledSystem* system_;
  const System* run_ = nullptr;  // the run whose parameters are in the inputs, in this version
  long version_ = 0;
  std::shared_ptr<Pool> pool_;  // of the expressions
  std::vector<Unknown> unknowns_;
  std::vector<int> equation_of_row_;
  std::size_t y_offset_, size_;
  BlockCopy z_to_y_, z_to_yp_, z_to_inputs_;
  BlockCopy rates_to_yp_, y_to_yp_;  // rates that are computed, rates that are the value of a slot
  BlockCopy given_to_y_, given_to_inputs_;
  std::shared_ptr<const Kernel> matrix_, rates_, constant_;
  linear::Elimination elimination_;
  InlinedLinearSolve::Expressions expressions_;
  std::optional<InlinedLinearSolve> straight_;  // none: too many rows, or no point is known
  std::vector<double> inputs_, work_, z_;
  std::vector<double> rate_values_;  // rates that are computed, unknowns that were eliminated
  std::vector<double> values_;       // b, the entries of A that vary, those that are constant
  bool went_straight_ = false;       // at the last point
  long evaluations_ = 0;
};

}  // namespace driftless
