#include "driftless/linear/markowitz.hpp"

#include <algorithm>
#include <cassert>

#include "driftless/linear/number.hpp"
#include "driftless/linear/parts.hpp"

namespace driftless::linear {
namespace {

constexpr int lines_searched = 4;    // with candidates that are searched before the best is taken
constexpr double dense_from = 0.85;  // part of the remainder that is nonzero
constexpr int smallest_dense_block = 4;

// The search ends and fronts take over when lines of the remainder have this many entries on average, pivots could have
// filled this many places, in units of the entries of the matrix, and this many lines are left. In chains lines do not
// grow; in lattices they do, and the search would have to compare long lines.
constexpr double long_lines = 16.0, most_effort = 1.0;
constexpr int smallest_for_fronts = 1000;

// Rows or columns in lists by their number of entries.
class Lists {
 public:
  explicit Lists(int lines) : first_(lines + 1, -1), next_(lines, -1), before_(lines, -1), count_(lines, -1) {}

  int first(int count) const { return first_[count]; }
  int next(int line) const { return next_[line]; }

  void remove(int line) {
    if (before_[line] >= 0)
      next_[before_[line]] = next_[line];
    else
      first_[count_[line]] = next_[line];
    if (next_[line] >= 0) before_[next_[line]] = before_[line];
    count_[line] = -1;
  }
  void put(int line, std::size_t count) {
    if (count_[line] == static_cast<int>(count)) return;
    if (count_[line] >= 0) remove(line);
    count_[line] = static_cast<int>(count);
    next_[line] = first_[count];
    before_[line] = -1;
    if (next_[line] >= 0) before_[next_[line]] = line;
    first_[count] = line;
  }

 private:
  std::vector<int> first_, next_, before_, count_;
};

template <class Number>
class Markowitz {
 public:
  Markowitz(const Pattern& pattern, std::span<const Number> values, double threshold)
      : n_(pattern.size),
        threshold_(threshold),
        parts_(pattern),
        parts_left_(parts_.lines.size()),
        columns_(n_),
        rows_(n_),
        columns_by_count_(n_),
        rows_by_count_(n_),
        place_in_column_(n_, -1),
        row_is_left_(n_, true),
        column_is_left_(n_, true) {
    std::vector<std::size_t> count(n_, 0);
    for (const int row : pattern.rows) ++count[row];
    for (int i = 0; i < n_; ++i) rows_[i].reserve(count[i] + 4);
    for (int j = 0; j < n_; ++j) {
      const int begin = pattern.starts[j], end = pattern.starts[j + 1];
      columns_[j].reserve(end - begin + 4);
      for (int k = begin; k < end; ++k) {
        columns_[j].push_back({pattern.rows[k], values[k]});
        rows_[pattern.rows[k]].push_back(j);
      }
    }
    for (int j = n_ - 1; j >= 0; --j) columns_by_count_.put(j, columns_[j].size());
    for (int i = n_ - 1; i >= 0; --i) rows_by_count_.put(i, rows_[i].size());
    entries_ = entries_left_ = pattern.rows.size();
  }

  std::optional<PivotOrder> run() {
    if (!parts_.regular) return std::nullopt;
    while (!is_dense() && !is_for_fronts()) {
      if (columns_by_count_.first(0) >= 0 || rows_by_count_.first(0) >= 0 || !search()) return std::nullopt;
      eliminate();
    }
    const bool in_fronts = !is_dense();
    number_lines();
    if (in_fronts && !choose_fronts_of_rest()) return std::nullopt;
    list_fill();
    return std::move(order_);
  }

 private:
  struct Entry {
    int row;
    Number value;
  };
  struct Candidate {
    int row = -1, col = -1;
    long fill = 0;
    double size = 0.0;  // in units of the largest of its column
  };

  int lines_left() const { return n_ - static_cast<int>(order_.columns.size()); }

  bool is_dense() const {
    const double lines = lines_left();
    return lines == 0.0 || (parts_left_ == 1 && lines >= smallest_dense_block &&
                            static_cast<double>(entries_left_) >= dense_from * lines * lines);
  }

  bool is_for_fronts() const {
    return lines_left() >= smallest_for_fronts && effort_ > most_effort * static_cast<double>(entries_) &&
           static_cast<double>(entries_left_) >= long_lines * lines_left();
  }

  // ---- the next pivot

  bool search() {
    best_ = {};
    int searched = 0;
    for (int count = 1; count <= lines_left(); ++count) {
      const auto is_best = [&](long others) { return best_.row >= 0 && best_.fill <= others * (count - 1); };
      if (is_best(count - 1)) return true;
      for (int j = columns_by_count_.first(count); j >= 0; j = columns_by_count_.next(j)) {
        search_column(j);
        if (is_best(count - 1) || (++searched >= lines_searched && best_.row >= 0)) return true;
      }
      if (is_best(count)) return true;
      for (int i = rows_by_count_.first(count); i >= 0; i = rows_by_count_.next(i)) {
        search_row(i);
        if (is_best(count) || (++searched >= lines_searched && best_.row >= 0)) return true;
      }
    }
    return best_.row >= 0;
  }

  bool may_be_pivot(int row, int column) const { return parts_.of_row[row] == parts_.of_column[column]; }

  double largest_in(int column) const {
    double largest = 0.0;
    for (const Entry& e : columns_[column])
      if (may_be_pivot(e.row, column)) largest = std::max(largest, size_of(e.value));
    return largest;
  }

  void consider(int row, int col, double size, double largest) {
    if (!(size > 0.0) || size < threshold_ * largest) return;
    const Candidate candidate{row, col,
                              static_cast<long>(rows_[row].size() - 1) * static_cast<long>(columns_[col].size() - 1),
                              size / largest};
    if (best_.row < 0 || candidate.fill < best_.fill || (candidate.fill == best_.fill && candidate.size > best_.size))
      best_ = candidate;
  }

  void search_column(int j) {
    const double largest = largest_in(j);
    for (const Entry& e : columns_[j])
      if (may_be_pivot(e.row, j)) consider(e.row, j, size_of(e.value), largest);
  }

  void search_row(int i) {
    for (const int j : rows_[i]) {
      if (!may_be_pivot(i, j)) continue;
      if (best_.row >= 0 &&
          static_cast<long>(rows_[i].size() - 1) * static_cast<long>(columns_[j].size() - 1) > best_.fill)
        continue;
      consider(i, j, size_of(std::ranges::find(columns_[j], i, &Entry::row)->value), largest_in(j));
    }
  }

  // ---- its elimination

  void eliminate() {
    const auto [row, col, fill, size] = best_;
    effort_ += static_cast<double>(fill);
    order_.rows.push_back(row);
    order_.columns.push_back(col);
    columns_by_count_.remove(col);
    rows_by_count_.remove(row);
    row_is_left_[row] = column_is_left_[col] = false;
    if (--parts_.lines[parts_.of_row[row]] == 0) --parts_left_;

    std::vector<Entry>& below = columns_[col];
    entries_left_ -= below.size() + rows_[row].size() - 1;
    const auto pivot = std::ranges::find(below, row, &Entry::row);
    const Number inverse = reciprocal(pivot->value);
    take_out(below, pivot);
    for (Entry& e : below) {
      e.value = product(e.value, inverse);
      take_out(rows_[e.row], std::ranges::find(rows_[e.row], col));
    }
    take_out(rows_[row], std::ranges::find(rows_[row], col));
    for (const int j : rows_[row]) {
      subtract(below, row, j);
      columns_by_count_.put(j, columns_[j].size());
    }
    for (const Entry& e : below) rows_by_count_.put(e.row, rows_[e.row].size());
  }

  void subtract(const std::vector<Entry>& below, int row, int j) {
    std::vector<Entry>& column = columns_[j];
    const auto above = std::ranges::find(column, row, &Entry::row);
    const Number factor = above->value;
    take_out(column, above);
    for (std::size_t k = 0; k < column.size(); ++k) place_in_column_[column[k].row] = static_cast<int>(k);
    const std::size_t before = column.size();
    for (const Entry& e : below) {
      const int place = place_in_column_[e.row];
      if (place >= 0) {
        column[place].value -= product(e.value, factor);
      } else {
        column.push_back({e.row, -product(e.value, factor)});
        rows_[e.row].push_back(j);
      }
    }
    entries_left_ += column.size() - before;
    for (const Entry& e : column) place_in_column_[e.row] = -1;
  }

  template <class Items, class Place>
  static void take_out(Items& items, Place place) {
    assert(place != items.end());
    *place = items.back();
    items.pop_back();
  }

  // ---- the result

  void number_lines() {
    order_.sparse = static_cast<int>(order_.rows.size());
    for (int i = 0; i < n_; ++i)
      if (row_is_left_[i]) order_.rows.push_back(i);
    for (int j = 0; j < n_; ++j)
      if (column_is_left_[j]) order_.columns.push_back(j);
    place_of_row_.resize(n_);
    place_of_column_.resize(n_);
    for (int k = 0; k < n_; ++k) place_of_row_[order_.rows[k]] = place_of_column_[order_.columns[k]] = k;
  }

  bool choose_fronts_of_rest() {
    Pattern& rest = order_.rest;
    rest.size = n_ - order_.sparse;
    rest.starts.assign(1, 0);
    std::vector<Number> values;
    for (int k = order_.sparse; k < n_; ++k) {
      std::vector<Entry>& column = columns_[order_.columns[k]];
      std::ranges::sort(column, {}, [&](const Entry& e) { return place_of_row_[e.row]; });
      for (const Entry& e : column) {
        rest.rows.push_back(place_of_row_[e.row] - order_.sparse);
        values.push_back(e.value);
      }
      rest.starts.push_back(static_cast<int>(rest.rows.size()));
    }
    std::optional<FrontOrder> fronts = choose_fronts<Number>(rest, values, threshold_);
    if (!fronts) return false;
    order_.fronts = std::make_shared<const FrontOrder>(*std::move(fronts));
    return true;
  }

  void list_fill() {
    for (int k = 0; k < order_.sparse; ++k) {
      for (const Entry& e : columns_[order_.columns[k]]) order_.lower.rows.push_back(place_of_row_[e.row]);
      std::sort(order_.lower.rows.begin() + order_.lower.starts.back(), order_.lower.rows.end());
      order_.lower.starts.push_back(static_cast<int>(order_.lower.rows.size()));
    }
    // Row k of U, for all k in turn: each column gets its rows in ascending order.
    std::vector<int>& starts = order_.upper.starts;
    starts.assign(n_ + 1, 0);
    for (int k = 0; k < order_.sparse; ++k)
      for (const int j : rows_[order_.rows[k]]) ++starts[place_of_column_[j] + 1];
    for (int k = 0; k < n_; ++k) starts[k + 1] += starts[k];
    order_.upper.rows.resize(starts.back());
    std::vector<int> next(starts.begin(), starts.end() - 1);
    for (int k = 0; k < order_.sparse; ++k)
      for (const int j : rows_[order_.rows[k]]) order_.upper.rows[next[place_of_column_[j]]++] = k;
  }

  int n_;
  double threshold_;
  Parts parts_;  // with the remaining lines of each
  std::size_t parts_left_;
  std::vector<std::vector<Entry>> columns_;  // of the remainder, unordered; then the multipliers below the pivot
  std::vector<std::vector<int>> rows_;       // their columns; then those to the right of the pivot
  Lists columns_by_count_, rows_by_count_;
  std::vector<int> place_in_column_;
  std::vector<bool> row_is_left_, column_is_left_;
  std::size_t entries_ = 0, entries_left_ = 0;
  double effort_ = 0.0;  // the total of places that pivots could have filled
  Candidate best_;
  PivotOrder order_;
  std::vector<int> place_of_row_, place_of_column_;  // in the order
};

}  // namespace

template <class Number>
std::optional<PivotOrder> choose_pivots(const Pattern& pattern, std::span<const Number> values, double threshold) {
  return Markowitz<Number>(pattern, values, threshold).run();
}

template std::optional<PivotOrder> choose_pivots(const Pattern&, std::span<const double>, double);
template std::optional<PivotOrder> choose_pivots(const Pattern&, std::span<const std::complex<double>>, double);

}  // namespace driftless::linear
