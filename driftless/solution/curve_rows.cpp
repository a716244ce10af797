#include "driftless/solution/curve_rows.hpp"

#include <algorithm>

#include "driftless/solution/extreme_rows.hpp"

namespace driftless {
namespace {

constexpr std::size_t most_values = 4'000'000;

}  // namespace

CurveRows::CurveRows(const Solution& head, const std::vector<std::string>& names) {
  const std::size_t series = head.series();
  for (std::size_t k = 0; k < series; ++k)
    if (std::ranges::find(names, head.columns[k].name) != names.end()) {
      columns_.push_back(head.columns[k]);
      places_.push_back(k);
    }
  columns_.insert(columns_.end(), head.columns.begin() + static_cast<std::ptrdiff_t>(series), head.columns.end());
  // At least a few groups of neighbours.
  most_rows_ = std::max(most_values / (1 + places_.size()), 32 * (1 + places_.size()));
}

void CurveRows::row(double time, std::span<const double> series) {
  if (times_.size() >= most_rows_) thin_out();
  times_.push_back(time);
  for (const std::size_t place : places_) values_.push_back(series[place]);
}

void CurveRows::thin_out() {
  const std::size_t n = places_.size();
  std::size_t kept = 0;
  for (const std::size_t row : extreme_rows(values_, times_.size(), n)) {
    times_[kept] = times_[row];
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(row * n), n,
                values_.begin() + static_cast<std::ptrdiff_t>(kept * n));
    ++kept;
  }
  times_.resize(kept);
  values_.resize(kept * n);
}

Solution CurveRows::plotted(const Solution& run) const {
  Solution solution;
  solution.model = run.model;
  solution.pivots = run.pivots;
  solution.events = run.events;
  solution.columns = columns_;
  solution.times = times_;
  solution.values = values_;
  return solution;
}

}  // namespace driftless
