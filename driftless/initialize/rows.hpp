// The rows of an initial problem as functions of numbers, in parts that are evaluated separately. They are evaluated
// only a few times, so they are interpreted.
#pragma once

#include <memory>
#include <vector>

#include "driftless/compile/kernel.hpp"
#include "driftless/initialize/problem.hpp"

namespace driftless {

class InitialRows {
 public:
  // Each part is a list of rows.
  InitialRows(const Reduced& reduced, const InitialProblem& problem, double t, std::vector<std::vector<int>> parts);

  struct Entry {
    int row, col;  // of the problem
    double value = 0.0;
  };

  int parts() const { return static_cast<int>(parts_.size()); }
  const std::vector<int>& rows(int part) const { return parts_[part].rows; }

  // At these values of the unknowns, which the caller may change.
  double& value(int unknown) { return inputs_[offset_ + unknown]; }
  double value(int unknown) const { return inputs_[offset_ + unknown]; }
  std::vector<double> values() const { return {inputs_.begin() + offset_, inputs_.end()}; }
  void set_values(const std::vector<double>& values) {
    std::copy(values.begin(), values.end(), inputs_.begin() + offset_);
  }

  const std::vector<double>& residual(int part);  // in the order of rows(part)
  const std::vector<Entry>& jacobian(int part);   // all derivatives of these rows
  // The size of the terms of rows without unknowns, 0 for others; in the order of rows(part).
  const std::vector<double>& sizes_without_unknowns(int part) const { return parts_[part].sizes; }

 private:
  struct Part {
    std::vector<int> rows;
    std::vector<double> residual, sizes;
    std::vector<Entry> entries;
  };
  std::vector<Part> parts_;
  int offset_ = 0;
  Kernels kernels_;  // two for each part
  std::vector<double> inputs_, work_, outputs_;
};

}  // namespace driftless
