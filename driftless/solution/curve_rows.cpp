#include "driftless/solution/curve_rows.hpp"

#include <algorithm>

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

// Of 4 n neighbours, for n curves, at most 2 n stay. The first and the last point of all stay as well.
void CurveRows::thin_out() {
  const std::size_t n = places_.size(), rows = times_.size(), group = 4 * std::max<std::size_t>(n, 1);
  std::size_t kept = 0;
  std::vector<std::size_t> stay;
  for (std::size_t begin = 0; begin < rows; begin += group) {
    const std::size_t end = std::min(begin + group, rows);
    stay.clear();
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t lowest = begin, highest = begin;
      for (std::size_t row = begin + 1; row < end; ++row) {
        if (values_[row * n + k] < values_[lowest * n + k]) lowest = row;
        if (values_[row * n + k] > values_[highest * n + k]) highest = row;
      }
      stay.push_back(lowest), stay.push_back(highest);
    }
    if (begin == 0 || n == 0) stay.push_back(begin);
    if (end == rows) stay.push_back(end - 1);
    std::ranges::sort(stay);
    stay.erase(std::ranges::unique(stay).begin(), stay.end());
    for (const std::size_t row : stay) {
      times_[kept] = times_[row];
      std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(row * n), n,
                  values_.begin() + static_cast<std::ptrdiff_t>(kept * n));
      ++kept;
    }
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
