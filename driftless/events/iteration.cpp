#include "driftless/events/iteration.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless {
namespace {

constexpr int most_rounds = 200;           // of pre(v) := v
constexpr std::size_t most_searched = 12;  // relations whose combinations are tried

DiscreteSystem::Point at_point(double t, std::span<const double> parameters, const ContinuousPoint& point) {
  return {t, parameters, point.quantities};
}

bool is_relation(const Model& model, const Held& held) {
  const Op op = (*model.pool)[held.expression].op;
  return op == Op::Less || op == Op::LessEqual;
}

}  // namespace

EventIteration::EventIteration(const Model& model, ContinuousEquations& equations)
    : model_(model),
      part_(model.discrete),
      equations_(equations),
      values_(part_.variables.size()),
      held_(part_.held.size()) {}

// True if a value changes.
bool EventIteration::take_values(double t, std::vector<double>& parameters, const ContinuousPoint& at) {
  equations_.discrete(at.mode).values(at_point(t, parameters, at), values_);
  bool changes = false;
  for (std::size_t v = 0; v < values_.size(); ++v) {
    double& value = value_of(parameters, part_.variables[v].value);
    changes = changes || value != values_[v];
    value = values_[v];
  }
  return changes;
}

// True if a value changes.
bool EventIteration::take_held(double t, std::vector<double>& parameters, const ContinuousPoint& at) {
  equations_.held(t, parameters, at, found_, side_, held_);
  changing_.clear();
  for (std::size_t k = 0; k < held_.size(); ++k) {
    double& value = value_of(parameters, part_.held[k].held);
    if (value == held_[k]) continue;
    value = held_[k];
    changing_.push_back(k);
  }
  return !changing_.empty();
}

void EventIteration::begin(const Causes& causes, std::vector<double>& parameters) {
  found_ = causes.held;
  for (std::size_t k = 0; k < causes.held.size(); ++k)
    value_of(parameters, part_.held[static_cast<std::size_t>(causes.held[k])].held) = causes.values[k];
  for (const int s : causes.samplings) value_of(parameters, part_.samplings[static_cast<std::size_t>(s)].now) = 1.0;
  if (causes.terminal && part_.terminal) value_of(parameters, *part_.terminal) = 1.0;
}

bool EventIteration::settle(double t, std::vector<double>& parameters, const ContinuousPoint& from,
                            std::span<const SetQuantity> set, ContinuousPoint& to, Result& result) {
  const std::vector<double> before = parameters;
  std::set<std::vector<double>> seen;
  to = from;
  to.impulses.clear();
  while (true) {
    ++result.iterations;
    take_values(t, parameters, to);
    if (!seen.insert(parameters).second) {  // round in a circle
      parameters = before;
      return search(t, parameters, from, set, to, result);
    }
    if (!equations_.solve(t, parameters, from, set, to, result.reason)) {
      parameters = before;
      return search(t, parameters, from, set, to, result);
    }
    const bool held_change = take_held(t, parameters, to);
    std::vector<double> next = parameters;
    if (!take_values(t, next, to) && !held_change) return true;
  }
}

// All combinations of the relations that differ on the way, in an order in which few change before many.
bool EventIteration::search(double t, std::vector<double>& parameters, const ContinuousPoint& from,
                            std::span<const SetQuantity> set, ContinuousPoint& to, Result& result) {
  std::vector<std::size_t> relations;
  for (std::size_t k = 0; k < part_.held.size(); ++k)
    if (is_relation(model_, part_.held[k]) && std::ranges::find(found_, static_cast<int>(k)) == found_.end())
      relations.push_back(k);
  const std::string reason = result.reason;
  if (relations.size() > most_searched) relations.resize(most_searched);
  std::vector<std::uint32_t> combinations(std::size_t{1} << relations.size());
  for (std::uint32_t c = 0; c < combinations.size(); ++c) combinations[c] = c;
  std::ranges::stable_sort(combinations, {}, [](std::uint32_t c) { return std::popcount(c); });
  const std::vector<double> before = parameters;
  for (const std::uint32_t combination : combinations) {
    parameters = before;
    for (std::size_t r = 0; r < relations.size(); ++r)
      if (combination >> r & 1u) {
        double& value = value_of(parameters, part_.held[relations[r]].held);
        value = value != 0.0 ? 0.0 : 1.0;
      }
    ++result.iterations;
    to = from;
    take_values(t, parameters, to);
    if (!equations_.solve(t, parameters, from, set, to, result.reason)) continue;
    std::vector<double> next = parameters;
    if (take_held(t, next, to) || take_values(t, next, to)) continue;
    return true;
  }
  parameters = before;
  if (side_ == EventSearch::Side::Behind) result.flipping.assign(found_.begin(), found_.end());
  result.reason = !reason.empty() && relations.empty()
                      ? reason
                      : "discrete variables, relations and equations contradict each other: no combination of values "
                        "satisfies all of them";
  return false;
}

bool EventIteration::take_pre_values(std::vector<double>& parameters) const {
  bool changes = false;
  for (const DiscreteVariable& variable : part_.variables) {
    double& pre = value_of(parameters, variable.pre);
    const double value = value_of(parameters, variable.value);
    changes = changes || pre != value;
    pre = value;
  }
  return changes;
}

std::string EventIteration::what_changes() const {
  std::vector<std::string> names;
  for (const std::size_t k : changing_) names.push_back(part_.held[k].text);
  return names.empty() ? "discrete variables" : fmt::format("{}", fmt::join(names, ", "));
}

EventIteration::Result EventIteration::operator()(double t, const Causes& causes, std::vector<double>& parameters,
                                                  ContinuousPoint& point) {
  Result result;
  begin(causes, parameters);
  for (int round = 0; round < most_rounds; ++round) {
    // First at the instant itself; when what follows from it is done, right behind it.
    side_ = round == 0 ? EventSearch::Side::AtInstant : EventSearch::Side::Behind;
    ContinuousPoint to;
    if (!settle(t, parameters, point, {}, to, result)) return result;
    equations_.discrete(to.mode).conditions(at_point(t, parameters, to), conditions_);
    std::vector<SetQuantity> set;
    for (std::size_t k = 0; k < part_.reinits.size(); ++k) {
      if (conditions_.reinit[k] == 0.0) continue;
      const Reinit& reinit = part_.reinits[k];
      set.push_back({{reinit.variable, reinit.order}, conditions_.reinit_value[k]});
      result.reinits.push_back(reinit.label);
    }
    for (std::size_t k = 0; k < part_.terminations.size(); ++k)
      if (conditions_.terminate[k] != 0.0 && !result.terminate) result.terminate = part_.terminations[k].message;
    for (std::size_t k = 0; k < part_.assertions.size(); ++k) {
      if (conditions_.assertion[k] != 0.0) continue;
      if (part_.assertions[k].is_warning)
        result.warnings.push_back(k);
      else if (!result.violated)
        result.violated = k;
    }
    const auto take = [&] {
      point = to;
      result.impulses.insert(result.impulses.end(), to.impulses.begin(), to.impulses.end());
    };
    take();
    if (!set.empty()) {
      if (!equations_.solve(t, parameters, point, set, to, result.reason)) return result;
      take();
    }
    for (const Sampling& sampling : part_.samplings) value_of(parameters, sampling.now) = 0.0;
    const bool pre_changes = take_pre_values(parameters);
    if (!pre_changes && set.empty()) {
      result.converged = true;
      return result;
    }
  }
  result.reason = fmt::format("after {} rounds {} still change: both sides of a relation lead back to it", most_rounds,
                              what_changes());
  result.flipping = changing_;
  return result;
}

bool EventIteration::update_start(double t, std::vector<double>& parameters, const ContinuousPoint& point) {
  const std::vector<double> before = parameters;
  DiscreteSystem& discrete = equations_.discrete(point.mode);
  std::vector<double> pre(values_.size());
  for (std::size_t v = 0; v < pre.size(); ++v) pre[v] = value_of(parameters, part_.variables[v].pre);
  discrete.values(at_point(t, parameters, point), values_);
  discrete.values_at_start(at_point(t, parameters, point), values_, pre);
  for (std::size_t v = 0; v < values_.size(); ++v) {
    value_of(parameters, part_.variables[v].value) = values_[v];
    // Nothing becomes true at the start: when clauses are active there only by initial().
    value_of(parameters, part_.variables[v].pre) = part_.variables[v].auxiliary ? values_[v] : pre[v];
  }
  found_.clear();
  take_held(t, parameters, point);
  return parameters != before;
}

}  // namespace driftless
