// Partial derivatives by difference quotients, as codes of the DASSL family take them if they are given a residual
// only:
//
//   ∂F/∂y_j ≈ (F(y + s e_j) - F(y)) / s,  s = sqrt(ε) (|y_j| + nominal_j)
//
// and the same with respect to y'. Columns that have no row in common are perturbed together (Curtis, Powell, Reid
// 1974), so the number of evaluations is that of groups, not of unknowns. Exact derivatives are the default; these are
// for comparisons, and they carry an error of about 1e-8 of the derivatives.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "driftless/reduce/reduced.hpp"

namespace driftless {

class DifferenceQuotients {
 public:
  // An entry of the Jacobian: ∂(row)/∂(slot), or with respect to the derivative of the slot.
  struct Entry {
    int row;
    int slot;
    bool rate;
  };
  DifferenceQuotients(std::vector<Entry> entries, const std::vector<Slot>& slots, int rows);

  using Evaluate = std::function<void(std::span<const double> y, std::span<const double> yp, std::span<double> out)>;

  // values[k] is that of entry k.
  void operator()(std::span<const double> y, std::span<const double> yp, const Evaluate& evaluate,
                  std::span<double> values);

  int groups() const { return static_cast<int>(groups_.size()); }

 private:
  struct Column {
    int slot = 0;
    bool rate = false;
    std::vector<int> entries = {};
  };
  std::vector<Entry> entries_;
  std::vector<double> nominal_;
  std::vector<std::vector<Column>> groups_;
  std::vector<double> y_, yp_, before_, after_;
};

}  // namespace driftless
