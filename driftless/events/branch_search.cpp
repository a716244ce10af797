#include "driftless/events/branch_search.hpp"

#include <algorithm>
#include <bit>

namespace driftless {
namespace {

constexpr std::size_t most_enumerated = 12;  // relations all of whose combinations are tried

double other(double truth) { return truth != 0.0 ? 0.0 : 1.0; }

}  // namespace

BranchSearch::BranchSearch(Values first, std::vector<std::size_t> free, int most)
    : free_(std::move(free)), most_(most), first_(std::move(first)) {
  add(0, first_, 0, 0);
}

void BranchSearch::add(int measure, Values values, int disagreeing, int depth) {
  if (!known_.insert(values).second) return;
  queue_.push({measure, met_++, std::move(values), disagreeing, depth});
}

std::optional<BranchSearch::Values> BranchSearch::next() {
  if (tried_ >= most_) return {};
  while (queue_.empty())
    if (!take_remaining()) return {};
  last_ = queue_.top();
  queue_.pop();
  ++tried_;
  return last_.values;
}

// False if there are none.
bool BranchSearch::take_remaining() {
  if (!remaining_are_known_ && free_.size() <= most_enumerated) {
    remaining_.resize(std::size_t{1} << free_.size());
    for (std::uint32_t c = 0; c < remaining_.size(); ++c) remaining_[c] = c;
    std::ranges::stable_sort(remaining_, std::greater{}, [](std::uint32_t c) { return std::popcount(c); });
  }
  remaining_are_known_ = true;
  if (remaining_.empty()) {
    is_complete_ = free_.size() <= most_enumerated;
    return false;
  }
  Values values = first_;
  for (std::size_t r = 0; r < free_.size(); ++r)
    if (remaining_.back() >> r & 1u) values[free_[r]] = other(values[free_[r]]);
  remaining_.pop_back();
  add(0, std::move(values), 0, 0);
  return true;
}

void BranchSearch::disagree(std::span<const std::pair<std::size_t, double>> changes) {
  const int count = static_cast<int>(changes.size());
  Values all = last_.values;
  for (std::size_t k = changes.size(); k-- > 0;) {
    const auto& [place, value] = changes[k];
    all[place] = value;
    if (count == 1) break;
    Values one = last_.values;
    one[place] = value;
    add(count, std::move(one), count, 0);
  }
  add(count, std::move(all), count, 0);
}

void BranchSearch::has_no_solution(int excess, std::span<const std::size_t> involved) {
  const int disagreeing = last_.disagreeing, depth = last_.depth, measure = disagreeing + excess - 1 + depth;
  const Values here = last_.values;
  for (std::size_t k = free_.size(); k-- > 0;) {
    const bool is_involved = std::ranges::find(involved, free_[k]) != involved.end();
    Values one = here;
    one[free_[k]] = other(one[free_[k]]);
    add(is_involved || involved.empty() ? measure : measure + 1, std::move(one), disagreeing, depth + 1);
  }
}

}  // namespace driftless
