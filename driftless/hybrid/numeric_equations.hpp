// Equations as functions of numbers, and Newton's iteration for some of them and some of their unknowns. They are
// evaluated only a few times at an event, so they are interpreted.
#pragma once

#include <memory>
#include <vector>

#include "driftless/compile/kernel.hpp"
#include "driftless/expr/pool.hpp"

namespace driftless {

struct NumericUnknown {
  NodeId leaf;
  double nominal = 1.0;
};

class NumericEquations {
 public:
  // 0 = residuals; the layout gives the places of leaves among the inputs.
  NumericEquations(const std::shared_ptr<Pool>& pool, const InputLayout& layout, std::vector<NodeId> residuals,
                   const std::vector<NumericUnknown>& unknowns);

  struct Entry {
    int row, col;
    double value = 0.0;
  };

  int rows() const { return static_cast<int>(residual_.size()); }
  int cols() const { return static_cast<int>(place_.size()); }
  int place(int col) const { return place_[col]; }  // of the unknown among the inputs
  // The size with which changes of an unknown are compared.
  double size(int col, const std::vector<double>& inputs) const;

  const std::vector<double>& residual(const std::vector<double>& inputs);
  const std::vector<Entry>& jacobian(const std::vector<double>& inputs);
  const std::vector<Entry>& entries() const { return entries_; }  // as they were computed last
  // The size of the terms of each row, by the entries of the Jacobian that were computed last.
  std::vector<double> sizes(const std::vector<double>& inputs) const;
  // Is the value of the unknown at this place within the rounding errors of the other terms of its equations, by the
  // entries computed last? True for a place that is no unknown.
  bool is_rounding(int place, const std::vector<double>& inputs) const;

 private:
  Kernels kernels_;  // residuals, Jacobian
  std::vector<int> place_;
  std::vector<double> nominal_, residual_, outputs_, work_;
  std::vector<Entry> entries_;
};

enum class NewtonOutcome { Converged, Singular, Diverged };

// Solves as many rows as columns, with everything else held. On return the inputs have the solution, or the last
// iterate.
NewtonOutcome solve(NumericEquations& equations, const std::vector<int>& rows, const std::vector<int>& cols,
                    std::vector<double>& inputs);

}  // namespace driftless
