#include "driftless/linear/graded_basis.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "driftless/linear/graded_elimination.hpp"

namespace driftless::linear {
namespace {

constexpr double vanished = 1e-10;    // of a pivot, relative to the largest entry of its row
constexpr double influence = 1e-5;    // of a column of a lower grade on a row: more than rounding
constexpr double negligible = 1e-15;  // such an entry changes no choice
constexpr double only_present = 1e200;

// What counts as zero at a point depends on its accuracy; the numbers of columns show which choice is right.
constexpr double errors_of_points[] = {1e-15, 1e-13, 1e-11, 1e-9, 1e-7};

struct PlacedValue {
  int col;
  double value;
};

// The parity of the permutation that sorts them.
int parity(const std::vector<int>& pivots) {
  int sign = 1;
  std::vector<int> place = pivots, sorted = pivots;
  std::ranges::sort(sorted);
  for (int& col : place) col = static_cast<int>(std::ranges::lower_bound(sorted, col) - sorted.begin());
  for (std::size_t k = 0; k < place.size(); ++k)
    while (place[k] != static_cast<int>(k)) {
      std::swap(place[k], place[place[k]]);
      sign = -sign;
    }
  return sign;
}

}  // namespace

GradedBasis::GradedBasis(std::vector<int> grades, std::vector<int> numbers)
    : grades_(std::move(grades)), numbers_(std::move(numbers)) {}

bool GradedBasis::find_rows(const Rows& given, double error) {
  Rows rows = given;
  for (auto& row : rows) {
    double largest = 0.0;
    for (const auto& [col, v] : row) largest = std::max(largest, std::abs(v));
    std::erase_if(row, [&](const auto& entry) { return std::abs(entry.second) <= error * largest; });
  }
  const GradedElimination found = eliminate_by_grade(rows, grades_, {}, error);
  if (!found.dependent.empty()) return false;
  std::vector<int> numbers(numbers_.size(), 0), order, grade_of_row, pivots;
  for (const auto& [row, col] : found.pivots) {
    ++numbers[grades_[col]];
    order.push_back(row);
    grade_of_row.push_back(grades_[col]);
    pivots.push_back(col);
  }
  if (numbers != numbers_) return false;
  order_ = std::move(order), grade_of_row_ = std::move(grade_of_row);
  take(std::move(pivots));
  return true;
}

void GradedBasis::take(std::vector<int> pivots) {
  std::ranges::sort(pivots);
  basis_ = std::move(pivots);
}

bool GradedBasis::choose(const Rows& rows) {
  for (const double error : errors_of_points) {
    if (!find_rows(rows, error)) continue;
    Look look = eliminate(rows, 1.0);
    if (!look.regular) continue;
    take(std::move(look.pivots));
    return true;
  }
  order_.resize(rows.size());
  grade_of_row_.clear();
  basis_.clear();
  for (std::size_t k = 0; k < rows.size(); ++k) order_[k] = static_cast<int>(k);
  for (std::size_t grade = 0; grade < numbers_.size(); ++grade) {
    grade_of_row_.insert(grade_of_row_.end(), numbers_[grade], static_cast<int>(grade));
    int missing = numbers_[grade];
    for (std::size_t col = 0; col < grades_.size() && missing > 0; ++col)
      if (grades_[col] == static_cast<int>(grade)) basis_.push_back(static_cast<int>(col)), --missing;
  }
  std::ranges::sort(basis_);
  return false;
}

bool GradedBasis::improve(const Rows& rows, double favour) {
  Look look = eliminate(rows, favour);
  if (look.regular) {
    take(std::move(look.pivots));
    return true;
  }
  GradedBasis afresh = *this;
  if (!afresh.choose(rows)) return false;
  *this = std::move(afresh);
  return true;
}

int GradedBasis::sign(const Rows& rows) const {
  Look look = eliminate(rows, only_present);
  std::ranges::sort(look.pivots);
  return look.regular && look.pivots == basis_ ? look.sign : 0;
}

GradedBasis::Look GradedBasis::eliminate(const Rows& given, double favour) const {
  Look look;
  std::vector<std::vector<PlacedValue>> rows(given.size());  // along the order; the pivot comes first
  std::vector<int> step_of(grades_.size(), -1), pattern, heap;
  std::vector<double> value(grades_.size(), 0.0);
  std::vector<bool> known(grades_.size(), false), favoured(grades_.size(), false);
  for (const int col : basis_) favoured[col] = true;
  for (std::size_t step = 0; step < order_.size(); ++step) {
    pattern.clear();
    const auto touch = [&](int col) {
      if (known[col]) return;
      known[col] = true;
      pattern.push_back(col);
      if (step_of[col] >= 0) heap.push_back(step_of[col]), std::ranges::push_heap(heap, std::greater<>());
    };
    double largest = 0.0;
    for (const auto& [col, v] : given[order_[step]]) {
      touch(col);
      value[col] += v;
      largest = std::max(largest, std::abs(v));
    }
    while (!heap.empty()) {
      std::ranges::pop_heap(heap, std::greater<>());
      const std::vector<PlacedValue>& above = rows[heap.back()];
      heap.pop_back();
      const double factor = value[above[0].col] / above[0].value;
      value[above[0].col] = 0.0;
      if (std::abs(factor) <= negligible) continue;
      for (std::size_t k = 1; k < above.size(); ++k) {
        touch(above[k].col);
        value[above[k].col] -= factor * above[k].value;
      }
    }
    const int grade = grade_of_row_[step];
    int pivot = -1;
    const auto weighted = [&](int col) { return std::abs(value[col]) * (favoured[col] ? favour : 1.0); };
    for (const int col : pattern) {
      if (step_of[col] >= 0) continue;
      if (grades_[col] < grade && !(std::abs(value[col]) <= influence * largest)) look.regular = false;
      if (grades_[col] == grade && (pivot < 0 || weighted(col) > weighted(pivot))) pivot = col;
    }
    if (pivot >= 0 && std::abs(value[pivot]) > vanished * largest) {
      rows[step].push_back({pivot, value[pivot]});
      for (const int col : pattern)
        if (col != pivot && step_of[col] < 0 && grades_[col] >= grade && std::abs(value[col]) > negligible * largest)
          rows[step].push_back({col, value[col]});
      step_of[pivot] = static_cast<int>(step);
      look.pivots.push_back(pivot);
      if (value[pivot] < 0.0) look.sign = -look.sign;
    } else {
      look.regular = false;
    }
    for (const int col : pattern) value[col] = 0.0, known[col] = false;
    if (!look.regular) return look;
  }
  look.sign *= parity(look.pivots);
  return look;
}

}  // namespace driftless::linear
