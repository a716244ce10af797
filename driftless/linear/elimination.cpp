#include "driftless/linear/elimination.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <set>

#include <amd.h>
#include <klu.h>

namespace driftless::linear {
namespace {

// A pivot may shrink to this part of its value when it was chosen: this bounds the loss of digits.
constexpr double shrinks_to = 1e-3;
constexpr double singular = 1e-17;  // ratio of the pivots

// Along a chain: how much larger than a diagonal entry the amount subtracted from it may be, and how small the
// difference. (In a symmetric definite matrix it is never larger.)
constexpr double most_growth = 1e3, least_rest = 1e-10;

// A matrix of at least this many unknowns has much fill if L has this many entries for each given one.
constexpr int large = 1000;
constexpr double much_fill = 2.0;

}  // namespace

Elimination::Elimination(int size, std::vector<Coordinate> entries)
    : size_(size), entries_(std::move(entries)), row_(size, 0.0) {
  find_chain();
  if (size_ >= large && !is_chain()) see_whether_it_fills();
}

// Estimates the fill with the order of AMD for the pattern of A + A^T.
void Elimination::see_whether_it_fills() {
  Assembly assembly = assemble(size_, entries_);
  std::vector<int> order(size_);
  double info[AMD_INFO];
  const Pattern& pattern = assembly.pattern;
  if (pattern.rows.empty() ||
      amd_order(size_, pattern.starts.data(), pattern.rows.data(), order.data(), nullptr, info) != AMD_OK)
    return;
  if (info[AMD_LNZ] <= much_fill * static_cast<double>(entries_.size())) return;
  filling_ = make_sparse(pattern);
  positions_ = std::move(assembly.position);
  by_columns_.resize(entries_.size());
}

bool Elimination::factorize(std::span<const double> values) {
  assert(values.size() == entries_.size());
  if (size_ == 0) return true;
  if (filling_) {
    for (std::size_t k = 0; k < values.size(); ++k) by_columns_[positions_[k]] = values[k];
    return filling_->factorize(by_columns_);
  }
  by_chain_ = is_chain() && eliminate_chain(values);
  if (by_chain_ || (choices_ > 0 && eliminate(values))) return true;
  return choose_pivots(values) && eliminate(values);
}

bool Elimination::choose_pivots(std::span<const double> values) {
  if (size_ == 0) return true;
  if (!std::ranges::all_of(values, [](double v) { return std::isfinite(v); })) return false;
  Assembly assembly = assemble(size_, entries_);
  assert(assembly.pattern.rows.size() == entries_.size());
  std::vector<double> by_columns(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) by_columns[assembly.position[k]] = values[k];

  klu_common common;
  klu_defaults(&common);
  common.scale = 2;  // by the largest entry of each row
  common.tol = 0.1;  // an entry of the diagonal is preferred only if it is not much smaller
  int *starts = assembly.pattern.starts.data(), *rows = assembly.pattern.rows.data();
  klu_symbolic* symbolic = klu_analyze(size_, starts, rows, &common);
  klu_numeric* numeric = symbolic ? klu_factor(starts, rows, by_columns.data(), symbolic, &common) : nullptr;
  const bool regular =
      numeric && common.status == KLU_OK && klu_rcond(symbolic, numeric, &common) && common.rcond > singular;
  if (regular) {
    order_.row_of.assign(numeric->Pnum, numeric->Pnum + size_);
    order_.column_of.assign(symbolic->Q, symbolic->Q + size_);
  }
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
  if (!regular) return false;
  find_fill();
  least_.assign(size_, 0.0);
  by_chain_ = false;
  ++choices_;
  if (!eliminate(values)) return false;
  for (int k = 0; k < size_; ++k) least_[k] = shrinks_to / std::abs(factors_[order_.pivots[k]]);
  return true;
}

bool Elimination::pivots_serve(std::span<const double> factors) const {
  for (int k = 0; k < size_; ++k)
    if (!(least_[k] * std::abs(factors[order_.pivots[k]]) <= 1.0)) return false;
  return true;
}

void Elimination::take_factors(std::span<const double> factors) {
  std::ranges::copy(factors, factors_.begin());
  by_chain_ = false;
}

// The pattern of row k of the factors is that of row k of the matrix, and of the rows of U that are subtracted.
void Elimination::find_fill() {
  std::vector<int> place_of_row(size_), place_of_column(size_);
  for (int k = 0; k < size_; ++k) place_of_row[order_.row_of[k]] = place_of_column[order_.column_of[k]] = k;
  struct Entry {
    int column, source;
  };
  std::vector<std::vector<Entry>> given(size_);
  for (std::size_t e = 0; e < entries_.size(); ++e)
    given[place_of_row[entries_[e].row]].push_back({place_of_column[entries_[e].col], static_cast<int>(e)});

  order_.starts.assign(1, 0);
  order_.pivots.clear();
  order_.columns.clear();
  order_.sources.clear();
  std::vector<int> source_of(size_, -1);
  for (int k = 0; k < size_; ++k) {
    std::set<int> pattern{k};
    for (const Entry& e : given[k]) pattern.insert(e.column), source_of[e.column] = e.source;
    for (auto j = pattern.begin(); *j < k; ++j)
      pattern.insert(order_.columns.begin() + order_.pivots[*j] + 1, order_.columns.begin() + order_.starts[*j + 1]);
    for (const int column : pattern) {
      if (column == k) order_.pivots.push_back(static_cast<int>(order_.columns.size()));
      order_.columns.push_back(column);
      order_.sources.push_back(source_of[column]);
    }
    order_.starts.push_back(static_cast<int>(order_.columns.size()));
    for (const Entry& e : given[k]) source_of[e.column] = -1;
  }
  factors_.assign(order_.columns.size(), 0.0);
}

bool Elimination::eliminate(std::span<const double> values) {
  double* const row = row_.data();
  const auto& [row_of, column_of, starts, pivots, columns, sources] = order_;
  for (int k = 0; k < size_; ++k) {
    const int begin = starts[k], pivot = pivots[k], end = starts[k + 1];
    for (int e = begin; e < end; ++e) row[columns[e]] = sources[e] < 0 ? 0.0 : values[sources[e]];
    for (int e = begin; e < pivot; ++e) {
      const int j = columns[e], first = pivots[j];
      const double factor = row[j] * factors_[first];
      factors_[e] = factor;
      for (int u = first + 1; u < starts[j + 1]; ++u) row[columns[u]] -= factor * factors_[u];
    }
    const double size = std::abs(row[k]);
    if (!(size > 0.0 && size >= least_[k] && std::isfinite(size))) return false;
    factors_[pivot] = 1.0 / row[k];
    for (int e = pivot + 1; e < end; ++e) factors_[e] = row[columns[e]];
  }
  return true;
}

void Elimination::solve(std::span<double> b) {
  if (filling_)
    filling_->solve(b);
  else if (by_chain_)
    solve_chain(b);
  else
    solve_by_rows(b);
}

void Elimination::solve_by_rows(std::span<double> b) {
  double* const x = row_.data();
  const auto& [row_of, column_of, starts, pivots, columns, sources] = order_;
  for (int k = 0; k < size_; ++k) {
    double sum = b[row_of[k]];
    for (int e = starts[k]; e < pivots[k]; ++e) sum -= factors_[e] * x[columns[e]];
    x[k] = sum;
  }
  for (int k = size_ - 1; k >= 0; --k) {
    double sum = x[k];
    for (int e = pivots[k] + 1; e < starts[k + 1]; ++e) sum -= factors_[e] * x[columns[e]];
    x[k] = sum * factors_[pivots[k]];
    b[column_of[k]] = x[k];
  }
}

void Elimination::archive(Archive& archive) {
  archive.expect(size_, "size of a matrix");
  archive(choices_, by_chain_);
  if (choices_ > 0) {
    archive(order_.row_of, order_.column_of);
    if (archive.is_reading()) find_fill();
    archive(factors_, least_);
  }
  archive(chain_.factor, chain_.inverse, chain_.towards_middle, chain_.right_factor);
  if (filling_) archive(*filling_);
}

// ---- chains

// A chain: each unknown has at most two neighbours and there is no cycle, so the unknowns form paths, one after the
// other.
void Elimination::find_chain() {
  struct Link {
    int to, entry;
  };
  std::vector<std::vector<Link>> links(size_);
  std::vector<int> diagonal(size_, -1);
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    const auto& [row, col] = entries_[e];
    if (row == col) diagonal[row] = static_cast<int>(e);
    if (row != col) links[row].push_back({col, static_cast<int>(e)});
    if (links[row].size() > 2) return;
  }
  const auto entry_at = [&](int row, int col) {
    for (const Link& link : links[row])
      if (link.to == col) return link.entry;
    return -1;
  };
  for (int row = 0; row < size_; ++row)
    if (diagonal[row] < 0 ||
        std::ranges::any_of(links[row], [&](const Link& link) { return entry_at(link.to, row) < 0; }))
      return;
  std::vector<int> order;
  std::vector<bool> seen(size_, false);
  for (int first = 0; first < size_; ++first) {
    if (seen[first] || links[first].size() == 2) continue;
    for (int k = first; k >= 0;) {
      seen[k] = true;
      order.push_back(k);
      const auto next = std::ranges::find_if(links[k], [&](const Link& link) { return !seen[link.to]; });
      k = next == links[k].end() ? -1 : next->to;
    }
  }
  if (static_cast<int>(order.size()) < size_) return;  // a cycle
  for (int k = 0; k < size_; ++k) {
    chain_.lower.push_back(k > 0 ? entry_at(order[k], order[k - 1]) : -1);
    chain_.diagonal.push_back(diagonal[order[k]]);
    chain_.upper.push_back(k + 1 < size_ ? entry_at(order[k], order[k + 1]) : -1);
  }
  chain_.order = std::move(order);
  chain_.factor.resize(size_);
  chain_.inverse.resize(size_);
  chain_.towards_middle.resize(size_);
  chain_.middle = size_ / 2;
}

bool Elimination::eliminate_chain(std::span<const double> values) {
  Chain& c = chain_;
  const auto value = [&](int entry) { return entry < 0 ? 0.0 : values[entry]; };
  // The pivot of row k, after the row at its outer side, towards which it has the entry `outwards`.
  struct Side {
    double inverse = 0.0, inwards = 0.0;  // of the outer row
  };
  const auto pass = [&](int k, double outwards, double inwards, Side& side) {
    const double factor = outwards * side.inverse, subtracted = factor * side.inwards, diagonal = value(c.diagonal[k]);
    const double pivot = diagonal - subtracted;
    c.factor[k] = factor;
    c.towards_middle[k] = side.inwards = inwards;
    c.inverse[k] = side.inverse = 1.0 / pivot;
    return std::abs(subtracted) <= most_growth * std::abs(diagonal) &&
           std::abs(pivot) > least_rest * std::abs(diagonal);
  };
  Side left, right;
  const int pairs = size_ - 1 - c.middle;
  for (int k = 0; k < pairs; ++k) {
    const int other = size_ - 1 - k;
    const bool good = pass(k, value(c.lower[k]), value(c.upper[k]), left);
    if (!pass(other, value(c.upper[other]), value(c.lower[other]), right) || !good) return false;
  }
  for (int k = pairs; k < c.middle; ++k)
    if (!pass(k, value(c.lower[k]), value(c.upper[k]), left)) return false;
  c.right_factor = value(c.upper[c.middle]) * right.inverse;
  const double from_right = c.right_factor * right.inwards, diagonal = value(c.diagonal[c.middle]);
  if (!pass(c.middle, value(c.lower[c.middle]), 0.0, left)) return false;
  const double pivot = 1.0 / left.inverse - from_right;
  c.inverse[c.middle] = 1.0 / pivot;
  return std::abs(from_right) <= most_growth * std::abs(diagonal) && std::abs(pivot) > least_rest * std::abs(diagonal);
}

void Elimination::solve_chain(std::span<double> b) {
  const Chain& c = chain_;
  double* const x = row_.data();
  double left = 0.0, right = 0.0;
  const int pairs = size_ - 1 - c.middle;
  for (int k = 0; k < pairs; ++k) {
    const int other = size_ - 1 - k;
    x[k] = left = b[c.order[k]] - c.factor[k] * left;
    x[other] = right = b[c.order[other]] - c.factor[other] * right;
  }
  for (int k = pairs; k < c.middle; ++k) x[k] = left = b[c.order[k]] - c.factor[k] * left;
  left = right = (b[c.order[c.middle]] - c.factor[c.middle] * left - c.right_factor * right) * c.inverse[c.middle];
  b[c.order[c.middle]] = left;
  for (int k = c.middle - 1; k >= pairs; --k) b[c.order[k]] = left = (x[k] - c.towards_middle[k] * left) * c.inverse[k];
  for (int k = pairs - 1; k >= 0; --k) {
    const int other = size_ - 1 - k;
    b[c.order[k]] = left = (x[k] - c.towards_middle[k] * left) * c.inverse[k];
    b[c.order[other]] = right = (x[other] - c.towards_middle[other] * right) * c.inverse[other];
  }
}

}  // namespace driftless::linear
