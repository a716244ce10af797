// The output points of a run as far as a picture needs them: some columns, and of a long run only so many points that
// memory stays bounded. When there are too many, of every few neighbours those stay at which some curve is largest or
// smallest, so no peak is lost.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "driftless/solution/solution.hpp"

namespace driftless {

class CurveRows {
 public:
  // Columns of `head` by name; "time" and parameters need no place.
  CurveRows(const Solution& head, const std::vector<std::string>& names);

  void row(double time, std::span<const double> series);

  // What is to be plotted: `run`, the solution without its points, with those that are kept here.
  Solution plotted(const Solution& run) const;

  std::size_t rows() const { return times_.size(); }

 private:
  void thin_out();

  std::vector<Column> columns_;
  std::vector<std::size_t> places_;  // of the columns among the series
  std::size_t most_rows_;
  std::vector<double> times_, values_;
};

}  // namespace driftless
