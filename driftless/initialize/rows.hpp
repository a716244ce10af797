// The rows of an initial problem as functions of numbers, in parts that are evaluated separately. They are evaluated
// only a few times, so they are interpreted.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "driftless/compile/kernel.hpp"
#include "driftless/initialize/problem.hpp"

namespace driftless {

// What does not depend on the numbers of a run.
struct RowLayout {
  struct Entry {
    int row, col;  // of the problem
    double value = 0.0;
  };

  std::vector<std::vector<int>> parts;  // the rows of each
  std::vector<Quantity> unknowns;
  std::vector<NodeId> residuals;                // of the rows of all parts, in their order
  std::vector<int> first_residual;              // of each part, and behind the last one
  std::vector<int> first_entry;                 // the same
  std::vector<Entry> entries;                   // all derivatives of these rows
  std::vector<std::pair<int, NodeId>> of_size;  // terms of rows without unknowns, and the place of the row
  Kernels kernels;                              // two for each part: residuals and derivatives
  std::size_t work = 0, most_entries = 0;

  bool is_of(const InitialProblem& problem, const std::vector<std::vector<int>>& of_parts) const;

  // Of the values of all rows those of one part.
  template <class T>
  std::span<T> of_part(std::span<T> values, int part) const {
    return values.subspan(first_residual[part], first_residual[part + 1] - first_residual[part]);
  }
};

class InitialRows {
 public:
  // Each part is a list of rows. `numbers`: the model with the parameters of the run.
  InitialRows(const Model& numbers, const InitialProblem& problem, double t,
              const std::vector<std::vector<int>>& parts);

  using Entry = RowLayout::Entry;

  int parts() const { return static_cast<int>(layout_->parts.size()); }
  const std::vector<int>& rows(int part) const { return layout_->parts[part]; }

  // At these values of the unknowns, which the caller may change.
  double& value(int unknown) { return inputs_[offset_ + unknown]; }
  double value(int unknown) const { return inputs_[offset_ + unknown]; }
  std::vector<double> values() const { return {inputs_.begin() + offset_, inputs_.end()}; }
  void set_values(const std::vector<double>& values) {
    std::copy(values.begin(), values.end(), inputs_.begin() + offset_);
  }

  // Valid until the next call for the same part.
  std::span<const double> residual(int part);  // in the order of rows(part)
  std::span<const Entry> jacobian(int part);   // all derivatives of these rows
  // Of the rows without unknowns the size of their terms, of the others 0; in the order of rows(part).
  std::span<const double> sizes_without_unknowns(int part) const { return layout_->of_part(std::span(sizes_), part); }

 private:
  std::shared_ptr<const RowLayout> layout_;
  int offset_ = 0;
  std::vector<double> inputs_, work_, outputs_, residuals_, sizes_;
  std::vector<Entry> entries_;
};

}  // namespace driftless
