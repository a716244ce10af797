#include "driftless/linear/largest_transversal.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace driftless::linear {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double smallest = 1e-60;  // entries below this part of the largest in their column cost as much as this

class Assignment {
 public:
  Assignment(const Pattern& pattern, std::span<const double> sizes)
      : pattern_(pattern),
        cost_(sizes.size()),
        row_of_(pattern.size, -1),
        column_of_(pattern.size, -1),
        row_price_(pattern.size, infinite),
        column_price_(pattern.size, infinite),
        distance_(pattern.size, infinite),
        from_(pattern.size, -1) {
    for (int j = 0; j < pattern.size; ++j) {
      double largest = 0.0;
      for (int e = pattern.starts[j]; e < pattern.starts[j + 1]; ++e) largest = std::max(largest, sizes[e]);
      for (int e = pattern.starts[j]; e < pattern.starts[j + 1]; ++e)
        cost_[e] = largest > 0.0 ? -std::log(std::max(sizes[e] / largest, smallest)) : 0.0;
    }
  }

  std::vector<int> run() {
    start();
    for (int j = 0; j < pattern_.size; ++j)
      if (row_of_[j] < 0 && !augment(j)) return {};
    return std::move(row_of_);
  }

 private:
  double reduced(int e, int j) const { return cost_[e] - row_price_[pattern_.rows[e]] - column_price_[j]; }

  // Prices such that every reduced cost is at least 0, and as many entries of reduced cost 0 as come first.
  void start() {
    for (std::size_t e = 0; e < cost_.size(); ++e) {
      double& price = row_price_[pattern_.rows[e]];
      price = std::min(price, cost_[e]);
    }
    for (int j = 0; j < pattern_.size; ++j) {
      for (int e = pattern_.starts[j]; e < pattern_.starts[j + 1]; ++e)
        column_price_[j] = std::min(column_price_[j], cost_[e] - row_price_[pattern_.rows[e]]);
      for (int e = pattern_.starts[j]; e < pattern_.starts[j + 1]; ++e)
        if (column_of_[pattern_.rows[e]] < 0 && reduced(e, j) <= 0.0) {
          match(pattern_.rows[e], j);
          break;
        }
    }
  }

  void match(int row, int column) {
    row_of_[column] = row;
    column_of_[row] = column;
  }

  // The shortest way from a column without a row to a row without a column (Dijkstra).
  bool augment(int first) {
    reached_.clear();
    done_.clear();
    std::priority_queue<std::pair<double, int>, std::vector<std::pair<double, int>>, std::greater<>> near;
    double length = infinite;
    int end = -1;
    for (int j = first, row = -1;;) {
      const double before = row < 0 ? 0.0 : distance_[row];
      for (int e = pattern_.starts[j]; e < pattern_.starts[j + 1]; ++e) {
        const int i = pattern_.rows[e];
        const double distance = before + std::max(0.0, reduced(e, j));
        if (i == row || distance >= distance_[i] || distance >= length) continue;
        if (distance_[i] == infinite) reached_.push_back(i);
        distance_[i] = distance;
        from_[i] = j;
        if (column_of_[i] < 0)
          length = distance, end = i;
        else
          near.push({distance, i});
      }
      while (!near.empty() && near.top().first > distance_[near.top().second]) near.pop();
      if (near.empty() || near.top().first >= length) break;
      row = near.top().second;
      near.pop();
      done_.push_back(row);
      j = column_of_[row];
    }
    if (end >= 0) {
      for (const int i : done_) {
        row_price_[i] -= length - distance_[i];
        column_price_[column_of_[i]] += length - distance_[i];
      }
      column_price_[first] += length;
      for (int i = end, j = -1; j != first;) {
        j = from_[i];
        const int next = row_of_[j];
        match(i, j);
        i = next;
      }
    }
    for (const int i : reached_) distance_[i] = infinite;
    return end >= 0;
  }

  const Pattern& pattern_;
  std::vector<double> cost_;
  std::vector<int> row_of_, column_of_;  // -1: none yet
  std::vector<double> row_price_, column_price_;
  std::vector<double> distance_;  // of rows that the present search has reached
  std::vector<int> from_;         // the column before such a row
  std::vector<int> reached_, done_;
};

}  // namespace

std::vector<int> largest_transversal(const Pattern& pattern, std::span<const double> sizes) {
  return Assignment(pattern, sizes).run();
}

}  // namespace driftless::linear
