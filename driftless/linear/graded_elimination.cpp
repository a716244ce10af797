#include "driftless/linear/graded_elimination.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <memory_resource>
#include <numeric>
#include <set>
#include <utility>

namespace driftless::linear {
namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();

// A pivot is at least this large compared with the largest of its grade in the row: then a short column is preferred.
constexpr double comparable = 0.3;

// An entry up to a few times the bound of its error counts as zero.
constexpr double safety = 8.0;

// Longer rows are not updated pivot by pivot but once, at the end: a sum over all unknowns would be searched for each.
constexpr std::size_t long_row = 100;

// Grade by grade: the columns of one grade are eliminated among the rows that have no lower ones left. Columns of
// higher grades are not carried along: only for a row of which nothing is left in this grade the same steps are
// repeated on them.
//
// A small matrix has more lists than arithmetic: all of them lie in one piece of memory, which is given back at the
// end.
class GradedSearch {
 public:
  GradedSearch(const std::vector<std::vector<std::pair<int, double>>>& rows, std::span<const int> grade,
               std::span<const double> scale, double error)
      : grade_(grade),
        scale_(scale),
        rows_(rows.size(), &memory_),
        rest_(rows.size(), &memory_),
        steps_(rows.size(), &memory_),
        users_(grade.size(), &memory_),
        count_(grade.size(), 0, &memory_),
        place_(grade.size(), -1, &memory_),
        step_(grade.size(), -1, &memory_) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rest_[i].reserve(rows[i].size());
      for (const auto& [col, value] : rows[i])
        if (value != 0.0) rest_[i].push_back({col, value, error * std::abs(value)});
      sort_rest(static_cast<int>(i));
    }
  }

  GradedElimination run() {
    Numbers grades(grade_.begin(), grade_.end(), &memory_);
    std::ranges::sort(grades);
    grades.erase(std::unique(grades.begin(), grades.end()), grades.end());
    Numbers remaining(rows_.size(), &memory_), empty(&memory_);
    std::iota(remaining.begin(), remaining.end(), 0);
    result_.pivots.reserve(rows_.size());
    for (const int grade : grades) {
      empty.clear();
      for (const int row : remaining)
        if (!begin(row, grade)) empty.push_back(row);
      eliminate();
      for (const int row : vanished_) repeat_steps(row);
      empty.insert(empty.end(), vanished_.begin(), vanished_.end());
      std::ranges::sort(empty);
      vanished_.clear();
      std::swap(remaining, empty);
    }
    result_.dependent.assign(remaining.begin(), remaining.end());
    return std::move(result_);
  }

 private:
  struct Entry {
    int col;
    double value, error;
  };
  struct Step {
    int pivot;  // in the order of elimination
    double factor;
  };
  using Entries = std::pmr::vector<Entry>;
  using Numbers = std::pmr::vector<int>;
  using ByLength = std::pmr::set<std::pair<std::size_t, int>>;

  void sort_rest(int row) {
    std::ranges::sort(rest_[row], [&](const Entry& a, const Entry& b) {
      return grade_[a.col] != grade_[b.col] ? grade_[a.col] > grade_[b.col] : a.col < b.col;
    });
  }

  // The row's columns of this grade take part; false if there are none.
  bool begin(int row, int grade) {
    Entries& rest = rest_[row];
    rows_[row].reserve(rest.size());
    while (!rest.empty() && grade_[rest.back().col] == grade) {
      rows_[row].push_back(rest.back());
      rest.pop_back();
    }
    if (rows_[row].empty()) return false;
    const bool is_long = rows_[row].size() > long_row;
    (is_long ? long_ : waiting_).emplace(rows_[row].size(), row);
    for (const Entry& entry : rows_[row]) {
      ++count_[entry.col];
      if (!is_long) users_[entry.col].push_back(row);
    }
    return true;
  }

  void eliminate() {
    while (!waiting_.empty()) {
      const int row = waiting_.begin()->second;
      waiting_.erase(waiting_.begin());
      if (!take_pivot(row)) continue;
      const Entry pivot = *std::ranges::find(rows_[row], result_.pivots.back().col, &Entry::col);
      for (const int other : users_[pivot.col]) {
        auto node = waiting_.extract({rows_[other].size(), other});
        if (!node) continue;
        find_places(rows_[other]);
        subtract(row, pivot, other, [&](int col) { users_[col].push_back(other); });
        drop_cancelled(rows_[other]);
        node.value().first = rows_[other].size();
        waiting_.insert(std::move(node));
      }
    }
    for (const auto& [length, row] : long_) {
      reduce(row);
      take_pivot(row);
    }
    long_.clear();
  }

  // Applies the steps of a row to its columns of higher grades: sums over the original rows of the pivots.
  void repeat_steps(int row) {
    std::map<int, double, std::greater<>> weights;  // of pivots, the last ones first
    for (const Step& step : steps_[row]) weights[step.pivot] -= step.factor;
    std::map<int, Entry> sums;
    const auto add = [&](const Entry& entry, double weight) {
      Entry& sum = sums.try_emplace(entry.col, Entry{entry.col, 0.0, 0.0}).first->second;
      const double product = weight * entry.value;
      sum.value += product;
      sum.error += std::abs(weight) * entry.error + 4.0 * rounding * (std::abs(product) + std::abs(sum.value));
    };
    for (const Entry& entry : rest_[row]) add(entry, 1.0);
    while (!weights.empty()) {
      const auto [pivot, weight] = *weights.begin();
      weights.erase(weights.begin());
      const int other = result_.pivots[pivot].row;
      for (const Entry& entry : rest_[other]) add(entry, weight);
      for (const Step& step : steps_[other]) weights[step.pivot] -= weight * step.factor;
    }
    rest_[row].clear();
    for (const auto& [col, sum] : sums)
      if (!cancelled(sum)) rest_[row].push_back(sum);
    sort_rest(row);
    steps_[row].clear();
  }

  double size_of(const Entry& entry) const {
    return std::abs(entry.value) * (scale_.empty() ? 1.0 : scale_[entry.col]);
  }

  Entry pivot_of(const Entries& row) const {
    double largest = 0.0;
    for (const Entry& entry : row) largest = std::max(largest, size_of(entry));
    const Entry* best = nullptr;
    for (const Entry& entry : row) {
      if (size_of(entry) < comparable * largest) continue;
      if (!best || count_[entry.col] < count_[best->col] ||
          (count_[entry.col] == count_[best->col] && size_of(entry) > size_of(*best)))
        best = &entry;
    }
    return *best;
  }

  // False if the row has vanished.
  bool take_pivot(int row) {
    if (rows_[row].empty()) {
      vanished_.push_back(row);
      return false;
    }
    const int col = pivot_of(rows_[row]).col;
    step_[col] = static_cast<int>(result_.pivots.size());
    result_.pivots.push_back({row, col});
    for (const Entry& entry : rows_[row]) --count_[entry.col];
    return true;
  }

  // Eliminates all pivots of this grade so far, in their order, from a row that was not updated.
  void reduce(int row) {
    std::set<int> pivots;
    const auto note = [&](int col) {
      if (step_[col] >= 0) pivots.insert(step_[col]);
    };
    find_places(rows_[row]);
    for (const Entry& entry : rows_[row]) note(entry.col);
    while (!pivots.empty()) {
      const auto [other, col] = result_.pivots[*pivots.begin()];
      pivots.erase(pivots.begin());
      subtract(other, *std::ranges::find(rows_[other], col, &Entry::col), row, note);
    }
    drop_cancelled(rows_[row]);
  }

  void find_places(const Entries& target) {
    for (std::size_t k = 0; k < target.size(); ++k) place_[target[k].col] = static_cast<int>(k);
  }

  static bool cancelled(const Entry& entry) { return !(std::abs(entry.value) > safety * entry.error); }

  void drop_cancelled(Entries& target) {
    for (const Entry& entry : target) {
      place_[entry.col] = -1;
      count_[entry.col] -= cancelled(entry);
    }
    std::erase_if(target, cancelled);
  }

  // other <- other - (its entry / pivot) row, where the places of the other are known; `filled` is called for new
  // columns.
  template <class Filled>
  void subtract(int row, const Entry& pivot, int other, const Filled& filled) {
    Entries& target = rows_[other];
    if (place_[pivot.col] < 0) return;
    const Entry found = std::exchange(target[place_[pivot.col]], {pivot.col, 0.0, 0.0});
    if (cancelled(found)) return;
    const double factor = found.value / pivot.value;
    const double factor_error =
        (found.error + std::abs(factor) * pivot.error) / std::abs(pivot.value) + rounding * std::abs(factor);
    steps_[other].push_back({step_[pivot.col], factor});
    for (const Entry& entry : rows_[row]) {
      if (entry.col == pivot.col) continue;
      if (place_[entry.col] < 0) {
        place_[entry.col] = static_cast<int>(target.size());
        target.push_back({entry.col, 0.0, 0.0});
        ++count_[entry.col];
        filled(entry.col);
      }
      Entry& sum = target[place_[entry.col]];
      const double product = factor * entry.value;
      sum.value -= product;
      sum.error += std::abs(factor) * entry.error + std::abs(entry.value) * factor_error +
                   rounding * (std::abs(product) + std::abs(sum.value));
    }
  }

  std::array<std::byte, 8192> first_memory_;
  std::pmr::monotonic_buffer_resource memory_{first_memory_.data(), first_memory_.size()};
  std::span<const int> grade_;
  std::span<const double> scale_;
  std::pmr::vector<Entries> rows_;                  // the columns of the present grade
  std::pmr::vector<Entries> rest_;                  // those of higher grades, the highest first
  std::pmr::vector<std::pmr::vector<Step>> steps_;  // of each row, in the present grade
  std::pmr::vector<Numbers> users_;                 // rows in which a column occurs or has occurred
  Numbers count_;                                   // rows that wait and hold the column
  Numbers place_;                                   // of a column in the row at hand; -1: none
  Numbers step_;                                    // at which a column became a pivot; -1: not yet
  ByLength waiting_{&memory_}, long_{&memory_};     // rows by length
  Numbers vanished_{&memory_};                      // rows without a pivot in the present grade
  GradedElimination result_;
};

}  // namespace

GradedElimination eliminate_by_grade(const std::vector<std::vector<std::pair<int, double>>>& rows,
                                     std::span<const int> grade, std::span<const double> scale, double error) {
  return GradedSearch(rows, grade, scale, error).run();
}

}  // namespace driftless::linear
