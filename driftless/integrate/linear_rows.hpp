// Rows that are linear in all that they determine: with the states x,
//
//   A(t, x) z + b(t, x) = 0,   x' = rate(t, x, z).
//
// In mechanics these are the saddle-point equations [M Gᵀ; G 0] for accelerations and multipliers; where M is diagonal
// the reduction has expressed the accelerations by multipliers already, and A = G M⁻¹ Gᵀ. A point costs one evaluation
// of A and b, one elimination with pivots that are chosen once (linear/elimination.hpp), and one evaluation of the
// rates. What is constant in A is evaluated once.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "driftless/integrate/problem.hpp"
#include "driftless/integrate/run_copy.hpp"
#include "driftless/linear/elimination.hpp"

namespace driftless {

class LinearRows {
 public:
  // Nothing if some row is not linear, or if the rows do not determine everything but the states.
  static std::unique_ptr<LinearRows> of(Problem& problem);

  // From the states in y: every other slot and y'. False if A is singular here, or if a value does not exist.
  bool operator()(double t, std::span<double> y, std::span<double> yp);

  struct Unknown {
    int slot;
    bool rate;
  };
  const std::vector<Unknown>& unknowns() const { return unknowns_; }

  // At the point of the last call: what kernels of the system read, and A z = b, b becomes z.
  std::span<double> inputs() { return inputs_; }
  void solve(std::span<double> b) { elimination_.solve(b); }

  long evaluations() const { return evaluations_; }

 private:
  struct Draft;
  LinearRows(System& system, Draft draft);

  std::vector<Unknown> unknowns_;
  std::size_t y_offset_, size_;
  RunCopy z_to_y_, z_to_yp_, z_to_inputs_;
  RunCopy rates_to_yp_, y_to_yp_;  // rates that are computed, rates that are the value of a slot
  std::unique_ptr<Kernel> matrix_, rates_;
  linear::Elimination elimination_;
  std::vector<double> inputs_, work_, z_, rate_values_;
  std::vector<double> values_;  // b, the entries of A that vary, those that are constant
  long evaluations_ = 0;
};

}  // namespace driftless
