#include "driftless/linear/transversal.hpp"

#include <utility>

namespace driftless::linear {
namespace {

class HopcroftKarp {
 public:
  explicit HopcroftKarp(const Pattern& pattern)
      : pattern_(pattern), column_of_(pattern.size, -1), is_matched_(pattern.size, false), level_(pattern.size) {}

  std::vector<int> run() {
    for (int j = 0; j < pattern_.size; ++j)
      for (int e = pattern_.starts[j]; e < pattern_.starts[j + 1] && !is_matched_[j]; ++e)
        if (column_of_[pattern_.rows[e]] < 0) {
          column_of_[pattern_.rows[e]] = j;
          is_matched_[j] = true;
        }
    while (find_levels()) {
      next_.assign(pattern_.starts.begin(), pattern_.starts.end() - 1);
      for (int j = 0; j < pattern_.size; ++j)
        if (!is_matched_[j] && level_[j] == 0) is_matched_[j] = augment(j);
    }
    return std::move(column_of_);
  }

 private:
  // Computes the distance of each column from one without a row, up to the first with an entry in a row without a
  // column. False if there is none.
  bool find_levels() {
    std::vector<int> queue;
    for (int j = 0; j < pattern_.size; ++j) {
      level_[j] = is_matched_[j] ? -1 : 0;
      if (!is_matched_[j]) queue.push_back(j);
    }
    last_level_ = -1;
    for (std::size_t k = 0; k < queue.size(); ++k) {
      const int j = queue[k];
      if (last_level_ >= 0 && level_[j] > last_level_) break;
      for (int e = pattern_.starts[j]; e < pattern_.starts[j + 1]; ++e) {
        const int next = column_of_[pattern_.rows[e]];
        if (next < 0) {
          last_level_ = level_[j];
        } else if (level_[next] < 0) {
          level_[next] = level_[j] + 1;
          queue.push_back(next);
        }
      }
    }
    return last_level_ >= 0;
  }

  // Along the levels from a column without a row to a row without a column. An entry that leads to a dead end is not
  // tried again.
  bool augment(int first) {
    way_.assign(1, first);
    while (!way_.empty()) {
      const int j = way_.back();
      if (next_[j] == pattern_.starts[j + 1]) {
        level_[j] = -1;
        way_.pop_back();
        if (!way_.empty()) ++next_[way_.back()];
        continue;
      }
      const int next = column_of_[pattern_.rows[next_[j]]];
      if (next < 0) {
        for (const int column : way_) column_of_[pattern_.rows[next_[column]]] = column;
        for (const int column : way_) level_[column] = -1;
        return true;
      }
      if (level_[j] < last_level_ && level_[next] == level_[j] + 1)
        way_.push_back(next);
      else
        ++next_[j];
    }
    return false;
  }

  const Pattern& pattern_;
  std::vector<int> column_of_;    // of each row
  std::vector<bool> is_matched_;  // each column
  std::vector<int> level_, next_;
  int last_level_ = -1;
  std::vector<int> way_;
};

}  // namespace

std::vector<int> maximum_transversal(const Pattern& pattern) { return HopcroftKarp(pattern).run(); }

}  // namespace driftless::linear
