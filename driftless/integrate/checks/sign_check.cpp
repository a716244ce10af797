#include "driftless/integrate/checks/sign_check.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace driftless {
namespace {

constexpr double dependent = 1e-9;                  // rest of a row after elimination, relative to its largest entry
constexpr double nearby = 1e-3;                     // part of a step along which a tangent is taken
constexpr std::size_t largest_choice = 200;         // rows
constexpr int fewest_pieces = 2, most_pieces = 16;  // of a step that is searched closely

}  // namespace

SignCheck::SignCheck(System& system)
    : system_(system),
      slopes_(ConstraintSlopes::of(system)),
      y_(system.size()),
      yp_(system.size()),
      signs_(slopes_->blocks.size(), 0),
      applies_(slopes_->exist) {
  const std::size_t values = slopes_->kernel ? slopes_->kernel->outputs() : 0;
  for (std::vector<double>* list : {&values_, &from_, &here_, &next_}) list->resize(values);
  std::size_t lines = 0, table = 0;
  for (const ConstraintSlopes::Block& block : slopes_->blocks) {
    std::vector<linear::Coordinate> places;
    for (const auto& e : block.entries) places.push_back({e.row, e.column});
    blocks_.emplace_back(block.lines, std::move(places));
    of_block_.resize(std::max(of_block_.size(), block.entries.size()));
  }
  for (const Candidates& choice : slopes_->choices) {
    const auto rows = static_cast<std::size_t>(choice.rows), columns = static_cast<std::size_t>(choice.columns);
    if (rows > largest_choice) applies_ = false;
    lines = std::max(lines, rows), table = std::max(table, rows * columns);
    sets_.emplace_back().place.assign(columns, -1);
  }
  if (!applies_) return;
  matrix_ = linear::SmallMatrix(lines);
  table_.resize(table);
  largest_of_row_.resize(lines);
  pivots_.resize(lines);
  other_.place.reserve(table);
}

void SignCheck::evaluate(const System::Point& at, std::vector<double>& values) {
  system_.evaluate(*slopes_->kernel, at, values);
}

linear::Determinant SignCheck::of_block(std::size_t block, std::span<const double> values) {
  const auto& entries = slopes_->blocks[block].entries;
  for (std::size_t k = 0; k < entries.size(); ++k) of_block_[k] = values[entries[k].value];
  return blocks_[block](std::span(of_block_).first(entries.size()));
}

linear::Determinant SignCheck::in_set(const Candidates& choice, const Set& set, std::span<const double> values) {
  if (choice.rows == 1) {
    for (const auto& e : choice.entries)
      if (set.place[e.column] >= 0) return linear::determinant_of(values[e.value]);
    return {};
  }
  matrix_.clear(choice.rows);
  for (const auto& e : choice.entries)
    if (const int column = set.place[e.column]; column >= 0) matrix_.add(e.row, column, values[e.value]);
  return matrix_.determinant();
}

// Elimination by rows: the largest remaining entry of a row, in units of the candidates, is its pivot.
bool SignCheck::choose(const Candidates& choice, std::span<const double> values, Set& set) {
  const auto [m, n] = std::pair(static_cast<std::size_t>(choice.rows), static_cast<std::size_t>(choice.columns));
  std::fill_n(table_.begin(), m * n, 0.0);
  std::fill_n(largest_of_row_.begin(), m, 0.0);
  for (const auto& e : choice.entries) {
    double& entry = table_[e.row * n + e.column];
    entry += values[e.value] * choice.nominal[e.column];
    largest_of_row_[e.row] = std::fmax(largest_of_row_[e.row], std::abs(entry));
  }
  set.place.assign(n, -1);
  for (std::size_t i = 0; i < m; ++i) {
    double* const row = table_.data() + i * n;
    for (std::size_t k = 0; k < i; ++k) {
      const double* const above = table_.data() + k * n;
      if (row[pivots_[k]] == 0.0) continue;
      const double factor = row[pivots_[k]] / above[pivots_[k]];
      for (std::size_t j = 0; j < n; ++j) row[j] -= factor * above[j];
      row[pivots_[k]] = 0.0;
    }
    std::size_t best = 0;
    for (std::size_t j = 1; j < n; ++j)
      if (std::abs(row[j]) > std::abs(row[best])) best = j;
    if (!(std::abs(row[best]) > dependent * largest_of_row_[i])) return false;
    pivots_[i] = static_cast<int>(best);
    set.place[best] = 0;
  }
  int next = 0;
  for (int& place : set.place)
    if (place >= 0) place = next++;
  return true;
}

void SignCheck::begin(const System::Point& at) {
  is_open_ = false;
  if (!slopes_->kernel) return;
  evaluate(at, values_);
  for (std::size_t k = 0; k < signs_.size(); ++k) signs_[k] = of_block(k, values_).sign;
  for (std::size_t k = 0; k < sets_.size(); ++k) {
    sets_[k].sign = 0;
    if (!choose(slopes_->choices[k], values_, sets_[k])) continue;
    sets_[k].sign = in_set(slopes_->choices[k], sets_[k], values_).sign;
  }
}

// A nearly singular end or beginning decides nothing; the next end does.
bool SignCheck::holds_to(const System::Point& end) {
  if (!slopes_->kernel) return true;
  const bool was_open = std::exchange(is_open_, false);
  if (!was_open) std::swap(from_, values_);
  evaluate(end, values_);
  bool certain = true;
  for (std::size_t k = 0; k < signs_.size(); ++k) {
    const int sign = of_block(k, values_).sign;
    if (sign == 0) is_open_ = true;
    if (sign == 0 || sign == signs_[k]) continue;
    if (std::exchange(signs_[k], sign) != 0) certain = false;
  }
  for (std::size_t k = 0; k < sets_.size(); ++k)
    if (!follow(slopes_->choices[k], sets_[k], from_, values_)) certain = false;
  return certain;
}

bool SignCheck::may_touch_zero(double a, double b, const Path& path) {
  if (!slopes_->kernel || blocks_.empty()) return false;
  for (const bool at_begin : {true, false}) {
    const double t = at_begin ? std::lerp(a, b, nearby) : std::lerp(b, a, nearby);
    if (!path(t, y_, yp_)) return true;
    evaluate({t, y_, yp_}, here_);
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      const linear::Determinant end = of_block(k, at_begin ? from_ : values_), close = of_block(k, here_);
      if (end.sign == 0 || close.sign != end.sign || ratio(close.size, end.size) <= 1.0 - nearby) return true;
    }
  }
  return false;
}

// Finds the set for `to`. False if the ends have different signs in it.
bool SignCheck::follow(const Candidates& choice, Set& set, std::span<const double> from, std::span<const double> to) {
  if (set.sign != 0 && in_set(choice, set, to).sign == set.sign) return true;
  if (!choose(choice, to, other_)) {  // its rows are dependent at this end
    is_open_ = true;
    return true;
  }
  const int sign = in_set(choice, other_, to).sign;
  const bool stays = set.sign == 0 || in_set(choice, other_, from).sign == sign;
  set.place = other_.place;
  set.sign = sign;
  return stays;
}

// Compares two points, each with a sign. The sets are chosen anew.
bool SignCheck::compare(std::span<const double> from, std::span<const double> to) {
  for (std::size_t k = 0; k < blocks_.size(); ++k)
    if (const int sign = of_block(k, from).sign; sign == 0 || of_block(k, to).sign != sign) return false;
  return std::ranges::all_of(slopes_->choices, [&](const Candidates& choice) {
    if (!choose(choice, from, other_)) return false;
    const int sign = in_set(choice, other_, from).sign;
    return sign != 0 && in_set(choice, other_, to).sign == sign;
  });
}

std::vector<SignCheck::Piece> SignCheck::doubtful_pieces(double a, double b, const Path& path) {
  std::vector<Piece> doubtful;
  for (int pieces = fewest_pieces; pieces <= most_pieces; pieces *= 2) {
    doubtful.clear();
    here_ = from_;
    const auto time = [&](int k) { return k < pieces ? a + (b - a) * k / pieces : b; };
    for (int k = 1; k <= pieces; ++k) {
      if (k == pieces)
        next_ = values_;
      else if (path(time(k), y_, yp_))
        evaluate({time(k), y_, yp_}, next_);
      else
        return {{a, b}};
      if (!compare(here_, next_)) doubtful.push_back({time(k - 1), time(k)});
      std::swap(here_, next_);
    }
    if (doubtful.empty()) break;
  }
  return doubtful;
}

}  // namespace driftless
