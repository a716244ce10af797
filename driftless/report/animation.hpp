// The shapes of a mechanism along a run: their coordinates at some of its output points.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/compile/kernel.hpp"
#include "driftless/report/mechanism.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless::reporting {

class Animation {
 public:
  Animation(const Model& model, Mechanism mechanism);

  // Called when the columns of a run are known; again if the run starts over.
  void begin(const Solution& head);
  void row(double time, std::span<const double> series);

  // True if there is nothing to show: no mechanism, no points, or coordinates without a column.
  bool is_empty() const { return times_.empty() || values_.empty(); }
  const std::string& obstacle() const { return obstacle_; }  // why a declared animation cannot be shown
  const Mechanism& mechanism() const { return mechanism_; }
  std::size_t coordinates() const { return expressions_.size(); }                        // different ones
  const std::vector<int>& places_of(std::size_t shape) const { return places_[shape]; }  // of its numbers; -1: 0
  const std::vector<double>& times() const { return times_; }
  const std::vector<double>& values() const { return values_; }  // a row of coordinates for each time

  // Limits the numbers to `most_values` by dropping every second time.
  void shrink(std::size_t most_values);

  // Does the distance between the ends of a line change by more than a hundredth? A spring, or a guide.
  bool is_elastic(std::size_t shape) const;

 private:
  void leave_out_every_second();

  const Model& model_;
  Mechanism mechanism_;
  std::vector<NodeId> expressions_;
  std::vector<std::vector<int>> places_;
  std::shared_ptr<const Kernel> kernel_;
  std::vector<double> inputs_, work_, outputs_;
  struct Source {
    std::size_t input, series;
  };
  std::vector<Source> sources_;  // which inputs of the kernel come from which series
  std::vector<double> times_, values_;
  std::string obstacle_;
};

}  // namespace driftless::reporting
