// The output points of a run that a picture needs: some columns, and of a long run a limited number of points, so that
// memory stays bounded. If there are too many, only those of every few neighbours are kept at which some curve is
// largest or smallest, so no peak is lost.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "driftless/solution/solution.hpp"

namespace driftless {

class CurveRows {
 public:
  // `names`: columns of `head`; "time" and parameters are not stored.
  CurveRows(const Solution& head, const std::vector<std::string>& names);

  void row(double time, std::span<const double> series);

  // The solution to be plotted: `run`, which has no points, with the points that this object keeps.
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
