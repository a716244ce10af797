#include "driftless/integrate/system/difference_quotients.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {

DifferenceQuotients::DifferenceQuotients(std::vector<Entry> entries, const std::vector<Slot>& slots, int rows)
    : entries_(std::move(entries)),
      y_(slots.size()),
      yp_(slots.size()),
      before_(static_cast<std::size_t>(rows)),
      after_(static_cast<std::size_t>(rows)) {
  for (const Slot& slot : slots) nominal_.push_back(slot.nominal);
  const std::size_t n = slots.size();
  std::vector<Column> columns(2 * n);
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const Entry& e = entries_[k];
    Column& column = columns[static_cast<std::size_t>(e.slot) + (e.rate ? n : 0)];
    column.slot = e.slot, column.rate = e.rate;
    column.entries.push_back(static_cast<int>(k));
  }
  // Greedy: a column joins the first group after all groups that one of its rows is part of.
  std::vector<std::vector<bool>> taken;  // per group, per row
  for (Column& column : columns) {
    if (column.entries.empty()) continue;
    std::size_t g = 0;
    const auto collides = [&](std::size_t group) {
      return std::ranges::any_of(column.entries, [&](int k) { return taken[group][entries_[k].row]; });
    };
    while (g < groups_.size() && collides(g)) ++g;
    if (g == groups_.size()) groups_.emplace_back(), taken.emplace_back(before_.size(), false);
    for (const int k : column.entries) taken[g][entries_[k].row] = true;
    groups_[g].push_back(std::move(column));
  }
}

void DifferenceQuotients::operator()(std::span<const double> y, std::span<const double> yp, const Evaluate& evaluate,
                                     std::span<double> values) {
  static const double root = std::sqrt(std::numeric_limits<double>::epsilon());
  evaluate(y, yp, before_);
  for (const std::vector<Column>& group : groups_) {
    std::ranges::copy(y, y_.begin());
    std::ranges::copy(yp, yp_.begin());
    for (const Column& column : group) {
      double& x = (column.rate ? yp_ : y_)[column.slot];
      x += root * (std::abs(x) + nominal_[column.slot]);
    }
    evaluate(y_, yp_, after_);
    for (const Column& column : group) {
      const double shift =
          column.rate ? yp_[column.slot] - yp[column.slot] : y_[column.slot] - y[column.slot];  // as represented
      for (const int k : column.entries) values[k] = (after_[entries_[k].row] - before_[entries_[k].row]) / shift;
    }
  }
}

}  // namespace driftless
