// Values of relations that agree with the equations, searched one combination after the other (branch_search.hpp).
#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/events/branch_search.hpp"
#include "driftless/events/iteration.hpp"
#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

constexpr int most_tried = 5000;       // combinations of the values of relations
constexpr int tried_beyond = 100;      // after one was found whose contradictions are below the tolerance
constexpr int most_solved = 20;        // equations, until discrete values follow from them
constexpr std::size_t most_named = 6;  // relations in a message

}  // namespace

// Relations of time alone are not free. Relations that caused the event come last.
std::vector<std::size_t> EventIteration::free_relations() const {
  std::vector<std::size_t> relations, last;
  for (std::size_t k = 0; k < part_.held.size(); ++k)
    if (is_relation(k) && !variables_of(*model_.pool, part_.held[k].expression).empty())
      (std::ranges::find(found_, static_cast<int>(k)) == found_.end() ? relations : last).push_back(k);
  relations.insert(relations.end(), last.begin(), last.end());
  return relations;
}

// Solves discrete variables and equations together with the present values of relations.
bool EventIteration::solve_with_values(double t, std::vector<double>& parameters, const ContinuousPoint& from,
                                       std::span<const SetQuantity> set, ContinuousPoint& to, Unsolved& why) {
  to = from;
  to.impulses.clear();
  loop_.begin();
  take_values(t, parameters, to);
  for (int k = 0; (k < most_solved || loop_.is_loop()) && !loop_.has_no_end(); ++k) {
    const bool solved = equations_.solve(t, parameters, from, set, to, why);
    if (!solved && !loop_.go_back(parameters)) return false;
    if (solved && !take_values(t, parameters, to)) return true;
  }
  why.reason = "discrete variables change again and again";
  return false;
}

// Have relations reached their bounds, but at the instant all of them still have the values from before?
bool EventIteration::is_unchanged(double t, const std::vector<double>& parameters, const ContinuousPoint& at) {
  if (found_.empty() || side_ != EventSearch::Side::AtInstant) return false;
  for (std::size_t k = 0; k < part_.held.size(); ++k)
    if (held_before_[k] != parameters[static_cast<std::size_t>(index(part_.held[k].held))]) return false;
  const std::vector<EventSearch::Doubt> doubts = equations_.doubts(t, parameters, at);
  return std::ranges::any_of(
      found_, [&](int k) { return doubts[static_cast<std::size_t>(k)].size != EventSearch::Doubt::None; });
}

// The relations whose values are not those at the solution. On its bound, up to rounding, a relation may have either
// value, but not all of them may keep those from before the event.
EventIteration::Contradictions EventIteration::contradictions(double t, const std::vector<double>& parameters,
                                                              const ContinuousPoint& at) {
  Contradictions result;
  evaluate_held(t, parameters, at);
  const std::vector<EventSearch::Doubt> doubts = equations_.doubts(t, parameters, at);
  const bool changes_nothing = is_unchanged(t, parameters, at);
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const double value = parameters[static_cast<std::size_t>(index(part_.held[k].held))];
    const auto found = std::ranges::find(found_, static_cast<int>(k));
    const bool is_found = found != found_.end();
    if (is_found && changes_nothing) held_[k] = found_values_[static_cast<std::size_t>(found - found_.begin())];
    if (value == held_[k]) continue;
    const bool slope_decides = side_ == EventSearch::Side::Behind && doubts[k].by_slope;
    const bool is_known = is_found && (changes_nothing || slope_decides);
    if (doubts[k].size == EventSearch::Doubt::Rounding && !is_known) continue;
    result.held.emplace_back(k, held_[k]);
    result.size += doubts[k].distance;
    if (doubts[k].size == EventSearch::Doubt::None || (is_found && slope_decides)) result.within_tolerance = false;
  }
  std::ranges::stable_sort(result.held, std::greater{}, [&](const auto& held) { return doubts[held.first].distance; });
  return result;
}

// Tries combinations of the values of relations until everything agrees. If rounding errors of the solution leave none,
// the one with the smallest contradictions is used, if they are smaller than the tolerance.
bool EventIteration::search(double t, std::vector<double>& parameters, const ContinuousPoint& from,
                            std::span<const SetQuantity> set, ContinuousPoint& to, Result& result) {
  const std::string reason = result.reason;
  const std::vector<double> before = parameters;
  BranchSearch::Values first;
  for (const Held& held : part_.held) first.push_back(value_of(parameters, held.held));
  const std::vector<std::size_t> relations = free_relations();
  BranchSearch combinations(std::move(first), relations, most_tried);
  struct Tolerable {
    double contradiction;
    std::vector<double> parameters;
    ContinuousPoint point;
  };
  std::optional<Tolerable> tolerable;
  std::optional<Contradictions> least;
  int last = most_tried;
  while (combinations.tried() < last) {
    const auto values = combinations.next();
    if (!values) break;
    parameters = before;
    for (std::size_t k = 0; k < values->size(); ++k) value_of(parameters, part_.held[k].held) = (*values)[k];
    ++result.iterations;
    Unsolved why;
    if (!solve_with_values(t, parameters, from, set, to, why)) {
      combinations.has_no_solution(why.excess, why.involved);
      continue;
    }
    const Contradictions found = contradictions(t, parameters, to);
    if (found.held.empty()) return true;
    if (found.within_tolerance && (!tolerable || found.size < tolerable->contradiction)) {
      if (!tolerable) last = std::min(last, combinations.tried() + tried_beyond);
      tolerable = {found.size, parameters, to};
    }
    if (!least || found.held.size() < least->held.size()) least = found;
    combinations.disagree(found.held);
  }
  if (tolerable) {
    parameters = std::move(tolerable->parameters);
    to = std::move(tolerable->point);
    return true;
  }
  parameters = before;
  if (side_ == EventSearch::Side::Behind) result.flipping.assign(found_.begin(), found_.end());
  if (!result.flipping.empty() && reason.empty()) {
    std::vector<std::string> names;
    for (const std::size_t k : result.flipping) names.push_back(part_.held[k].text);
    result.reason = fmt::format("both sides of {} lead back to it, so its truth would change infinitely often",
                                fmt::join(names, ", "));
    return false;
  }
  result.reason = relations.empty() || (!least && combinations.tried() == 1) ? reason
                  : least                                                    ? describe(*least)
                                                                             : fmt::format(
                                                                                   "no combination of the values of {} relations leaves the equations a "
                                                                                                                                      "solution ({} tried); with the present one: {}",
                                                                                   relations.size(), combinations.tried(), reason);
  return false;
}

std::string EventIteration::describe(const Contradictions& least) const {
  std::vector<std::string> named;
  for (const auto& [k, value] : least.held) {
    if (named.size() == most_named) {
      named.push_back(fmt::format("{} more", least.held.size() - most_named));
      break;
    }
    const std::string& text = part_.held[k].text;
    named.push_back(is_relation(k) ? fmt::format("{} is {} exactly if it is {}", text, value != 0.0, value == 0.0)
                                   : fmt::format("{} becomes {}", text, value));
  }
  return fmt::format("relations and equations contradict each other: {}", fmt::join(named, ", "));
}

}  // namespace driftless
