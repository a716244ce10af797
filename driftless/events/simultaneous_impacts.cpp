// Impacts at one instant: of several bodies that touch each other, one after the other, and infinitely many.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "driftless/events/iteration.hpp"

namespace driftless {
namespace {

constexpr double units_of_rounding = 4.0;  // in the last place of a state: a smaller change counts as none

}  // namespace

// An impact may move a touching body by rounding errors beyond a surface, and so cause another impact. Then the slope
// shows whether the two approach each other, as for the relations that caused the event.
void EventIteration::note_impacts(double t, const std::vector<double>& parameters, const ContinuousPoint& at,
                                  bool is_first_round) {
  std::vector<int> further;
  for (std::size_t k = 0; k < part_.held.size(); ++k) {
    const auto value = static_cast<std::size_t>(index(part_.held[k].held));
    const double before = is_first_round ? held_before_[k] : settled_from_[value];
    const bool is_known = parameters[value] == before || std::ranges::find(found_, static_cast<int>(k)) != found_.end();
    if (!is_known && is_relation(k) && equations_.leads_back(k)) further.push_back(static_cast<int>(k));
  }
  if (further.empty()) return;
  const std::vector<EventSearch::Doubt> doubts = equations_.doubts(t, parameters, at);
  for (const int k : further) {
    if (doubts[static_cast<std::size_t>(k)].size == EventSearch::Doubt::None) continue;
    found_.push_back(k);
    found_values_.push_back(parameters[static_cast<std::size_t>(index(part_.held[static_cast<std::size_t>(k)].held))]);
  }
}

// Is a state set to different values, by two impacts at one instant on one body?
bool EventIteration::are_set_twice(std::span<const SetQuantity> set) {
  if (set.size() < 2) return false;
  std::vector<const SetQuantity*> sorted;
  for (const SetQuantity& one : set) sorted.push_back(&one);
  std::ranges::stable_sort(sorted, {}, [](const SetQuantity* one) { return one->quantity; });
  return std::ranges::adjacent_find(sorted, [](const SetQuantity* a, const SetQuantity* b) {
           return a->quantity == b->quantity && a->value != b->value;
         }) != sorted.end();
}

// Postpones relations on their bounds that have changed in this round; `parameters`: those before it. False if there
// are fewer than two.
bool EventIteration::postpone_impacts(std::vector<double>& parameters, bool is_first_round) {
  impacts_.clear();
  for (const int held : found_) {
    const auto k = static_cast<std::size_t>(held);
    const double value = value_of(parameters, part_.held[k].held);
    const double old = is_first_round ? held_before_[k] : value_of(settled_from_, part_.held[k].held);
    if (value != old) impacts_[k] = value, postponed_[k] = old;
  }
  if (impacts_.size() < 2) {
    postponed_.clear();
    return false;
  }
  parameters = settled_from_;
  for (const auto& [k, old] : postponed_) value_of(parameters, part_.held[k].held) = old;
  return true;
}

// In their order, impacts whose reinits do not contradict each other happen together. The others follow in later
// rounds, in which their slopes decide.
bool EventIteration::take_one_after_the_other(double t, std::vector<double>& parameters, const ContinuousPoint& point,
                                              ContinuousPoint& to, Result& result) {
  const std::vector<double> before = parameters;
  std::vector<double> taken = before;
  for (const auto& [k, value] : impacts_) {
    double& held = value_of(taken, part_.held[k].held);
    const double old = std::exchange(held, value);
    postponed_.erase(k);
    parameters = taken;
    if (!settle(t, parameters, point, {}, to, result)) return false;
    if (!are_set_twice(values_of_reinits(t, parameters, to))) continue;
    held = old;
    postponed_[k] = old;
  }
  parameters = taken;
  return settle(t, parameters, point, {}, to, result);
}

void EventIteration::note_struck(const std::vector<double>& parameters) {
  for (const int held : found_) {
    const auto k = static_cast<std::size_t>(held);
    const auto value = static_cast<std::size_t>(index(part_.held[k].held));
    if (is_relation(k) && parameters[value] != 0.0 && settled_from_[value] == 0.0) struck_.insert(k);
  }
}

// Are the changes by these reinits rounding errors of the states, or of the largest change so far?
bool EventIteration::fades(const ContinuousPoint& from, const ContinuousPoint& to) {
  if (from.mode != to.mode) return false;
  constexpr double unit = std::numeric_limits<double>::epsilon();
  const double largest = largest_change_;
  bool all = true;
  for (std::size_t k = 0; k < to.y.size(); ++k) {
    const double change = std::abs(to.y[k] - from.y[k]);
    largest_change_ = std::max(largest_change_, change);
    all = all && (change <= units_of_rounding * unit * std::abs(from.y[k]) || change <= unit * largest);
  }
  return all;
}

// Bodies that touch each other hit one after the other, infinitely often at one instant, with ever less speed: a ball
// that falls on another one at rest. In the limit none of them approaches any other.
void EventIteration::collapse(double t, std::vector<double>& parameters, const ContinuousPoint& at, Result& result) {
  for (const std::size_t k : struck_) value_of(parameters, part_.held[k].held) = 0.0;
  for (const Sampling& sampling : part_.samplings) value_of(parameters, sampling.now) = 0.0;
  take_values(t, parameters, at);
  take_pre_values(parameters);
  result.collapsed.assign(struck_.begin(), struck_.end());
  result.converged = true;
}

}  // namespace driftless
