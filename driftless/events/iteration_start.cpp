// The start of a model with events: discrete values, relations and equations that agree.
#include <fmt/format.h>

#include "driftless/events/branch_search.hpp"
#include "driftless/events/iteration.hpp"

namespace driftless {
namespace {

constexpr int most_combinations = 5000;  // of the values of relations
constexpr int most_solutions = 20;       // of the start, until discrete values follow from it

DiscreteSystem::Point at_point(double t, std::span<const double> parameters, const ContinuousPoint& point) {
  return {t, parameters, point.quantities};
}

}  // namespace

// True if a value or a left limit changes.
bool EventIteration::update_values_at_start(double t, std::vector<double>& parameters, const ContinuousPoint& point) {
  DiscreteSystem& discrete = equations_.discrete(point.mode);
  std::vector<double> pre(values_.size());
  for (std::size_t v = 0; v < pre.size(); ++v) pre[v] = value_of(parameters, part_.variables[v].pre);
  discrete.values(at_point(t, parameters, point), values_);
  discrete.values_at_start(at_point(t, parameters, point), values_, pre);
  bool changes = loop_.advance(parameters, values_);
  for (std::size_t v = 0; v < values_.size(); ++v) {
    // Nothing becomes true at the start: when clauses are active there only by initial().
    const double before = part_.variables[v].auxiliary ? value_of(parameters, part_.variables[v].value) : pre[v];
    double& present = value_of(parameters, part_.variables[v].pre);
    changes = changes || present != before;
    present = before;
  }
  return changes;
}

bool EventIteration::update_start(double t, std::vector<double>& parameters, const ContinuousPoint& point) {
  found_.clear();
  decided_.clear();
  postponed_.clear();
  const bool changes = update_values_at_start(t, parameters, point);
  const bool held_change = take_held(t, parameters, point);
  if (held_change) loop_.begin();
  return held_change || changes;
}

std::string EventIteration::search_start(double t, std::vector<double>& parameters, ContinuousPoint& point,
                                         const TryStart& try_start) {
  found_.clear();
  decided_.clear();
  postponed_.clear();
  const std::vector<double> before = parameters;
  BranchSearch::Values first;
  for (const Held& held : part_.held) first.push_back(value_of(parameters, held.held));
  BranchSearch combinations(first, free_relations(), most_combinations);
  std::optional<Contradictions> least;
  std::string reason;
  const ContinuousPoint from = point;
  while (const auto values = combinations.next()) {
    parameters = before;
    for (std::size_t k = 0; k < values->size(); ++k) value_of(parameters, part_.held[k].held) = (*values)[k];
    point = from;
    Unsolved why;
    bool has_start = true, is_stable = false;
    loop_.begin();
    for (int k = 0; (k < most_solutions || start_is_in_loop()) && has_start && !is_stable; ++k) {
      is_stable = !update_values_at_start(t, parameters, point) && k > 0;
      if (!is_stable) has_start = try_start(point, why);
    }
    if (!has_start || !is_stable) {
      if (reason.empty()) reason = why.reason;
      combinations.has_no_solution(why.excess, why.involved);
      continue;
    }
    const Contradictions found = contradictions(t, parameters, point);
    if (found.held.empty()) return {};
    if (!least || found.held.size() < least->held.size()) least = found;
    combinations.disagree(found.held);
  }
  if (least) return describe(*least);
  return fmt::format("no combination of the values of relations leaves the equations a start ({} tried): {}",
                     combinations.tried(), reason);
}

}  // namespace driftless
