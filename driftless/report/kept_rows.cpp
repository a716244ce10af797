#include "driftless/report/kept_rows.hpp"

#include <algorithm>
#include <unordered_set>

#include "driftless/solution/extreme_rows.hpp"

namespace driftless::reporting {
namespace {

constexpr std::size_t most_columns = 4'000;
constexpr std::size_t most_values_in_memory = 8'000'000;
constexpr std::size_t fewest_rows = 250;  // unless the run has fewer

// At most `most` elements of the list, evenly spaced.
std::vector<std::size_t> evenly(const std::vector<std::size_t>& list, std::size_t most) {
  if (list.size() <= most) return list;
  std::vector<std::size_t> some;
  for (std::size_t k = 0; k < most; ++k) some.push_back(list[k * list.size() / most]);
  return some;
}

// Requested columns first, then variables, then derivatives.
struct ChosenColumns {
  std::vector<std::size_t> wanted, others;
};

ChosenColumns choose_columns(const Solution& head, const std::vector<std::string>& wanted) {
  const std::unordered_set<std::string_view> asked(wanted.begin(), wanted.end());
  ChosenColumns chosen;
  std::vector<std::size_t> variables, derivatives;
  for (std::size_t k = 0; k < head.series(); ++k) {
    const Column& column = head.columns[k];
    if (asked.contains(column.name) && chosen.wanted.size() < most_columns)
      chosen.wanted.push_back(k);
    else
      (column.is_derivative ? derivatives : variables).push_back(k);
  }
  std::size_t left = most_columns - chosen.wanted.size();
  chosen.others = evenly(variables, left);
  left -= chosen.others.size();
  for (const std::size_t k : evenly(derivatives, left)) chosen.others.push_back(k);
  return chosen;
}

}  // namespace

KeptRows::KeptRows(const Solution& head, const std::vector<std::string>& wanted) : columns_in_all_(head.series()) {
  ChosenColumns chosen = choose_columns(head, wanted);
  wanted_ = chosen.wanted.size();
  places_ = std::move(chosen.wanted);
  places_.insert(places_.end(), chosen.others.begin(), chosen.others.end());
  for (const std::size_t place : places_) columns_.push_back(head.columns[place]);
}

void KeptRows::drift(std::span<const double> levels) { next_drift_.assign(levels.begin(), levels.end()); }

void KeptRows::row(double time, std::span<const double> series) {
  if (times_.size() > fewest_rows && times_.size() * width() > most_values_in_memory) thin_out();
  // Makes room for a mode with more levels than earlier ones, whose residuals there do not exist.
  if (next_drift_.size() > levels_) {
    std::vector<double> wide(times_.size() * next_drift_.size(), 0.0);
    for (std::size_t row = 0; row < times_.size(); ++row)
      std::copy_n(drift_.begin() + static_cast<std::ptrdiff_t>(row * levels_), levels_,
                  wide.begin() + static_cast<std::ptrdiff_t>(row * next_drift_.size()));
    drift_ = std::move(wide);
    levels_ = next_drift_.size();
  }
  next_drift_.resize(levels_, 0.0);
  ++rows_in_all_;
  times_.push_back(time);
  for (const std::size_t place : places_) values_.push_back(series[place]);
  drift_.insert(drift_.end(), next_drift_.begin(), next_drift_.end());
  next_drift_.clear();
}

std::vector<std::size_t> KeptRows::every_second() const {
  std::vector<std::size_t> stay;
  bool take = true;
  for (std::size_t row = 0; row < times_.size(); ++row) {
    const bool is_side =
        (row > 0 && times_[row] == times_[row - 1]) || (row + 1 < times_.size() && times_[row] == times_[row + 1]);
    if (is_side || take || row + 1 == times_.size()) stay.push_back(row);
    take = is_side || !take;
  }
  return stay;
}

void KeptRows::keep(std::span<const std::size_t> rows) {
  const std::size_t n = width();
  for (std::size_t to = 0; to < rows.size(); ++to) {
    const std::size_t from = rows[to];
    times_[to] = times_[from];
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(from * n), n,
                values_.begin() + static_cast<std::ptrdiff_t>(to * n));
    std::copy_n(drift_.begin() + static_cast<std::ptrdiff_t>(from * levels_), levels_,
                drift_.begin() + static_cast<std::ptrdiff_t>(to * levels_));
  }
  times_.resize(rows.size());
  values_.resize(rows.size() * n);
  drift_.resize(rows.size() * levels_);
}

// False if nothing could be left out.
bool KeptRows::thin_out() {
  const std::size_t before = times_.size();
  std::vector<std::size_t> stay = before >= 8 * width() ? extreme_rows(values_, before, width()) : every_second();
  if (stay.size() > before - before / 8) stay = extreme_rows(values_, before, width());
  if (stay.size() >= before) return false;
  keep(stay);
  return true;
}

void KeptRows::keep_columns(std::size_t most) {
  most = std::max(most, wanted_);
  if (most >= width()) return;
  std::vector<std::size_t> variables, derivatives, stay;
  for (std::size_t k = 0; k < width(); ++k)
    (k < wanted_ ? stay : columns_[k].is_derivative ? derivatives : variables).push_back(k);
  for (const auto* list : {&variables, &derivatives})
    for (const std::size_t k : evenly(*list, most - stay.size())) stay.push_back(k);
  std::vector<double> values;
  for (std::size_t row = 0; row < times_.size(); ++row)
    for (const std::size_t k : stay) values.push_back(values_[row * width() + k]);
  std::vector<Column> columns;
  std::vector<std::size_t> places;
  for (const std::size_t k : stay) columns.push_back(columns_[k]), places.push_back(places_[k]);
  columns_ = std::move(columns), places_ = std::move(places), values_ = std::move(values);
}

void KeptRows::shrink(std::size_t most_values) {
  while (times_.size() > 2 * fewest_rows - 1 && times_.size() * width() > most_values)
    if (!thin_out()) break;
  if (!times_.empty()) keep_columns(most_values / times_.size());
}

std::vector<double> KeptRows::values_of(std::size_t column) const {
  std::vector<double> values;
  values.reserve(times_.size());
  for (std::size_t row = 0; row < times_.size(); ++row) values.push_back(values_[row * width() + column]);
  return values;
}

std::vector<double> KeptRows::drift_of(std::size_t level) const {
  std::vector<double> values;
  for (std::size_t row = 0; row < times_.size(); ++row) values.push_back(drift_[row * levels_ + level]);
  return values;
}

}  // namespace driftless::reporting
