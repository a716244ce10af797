#include "driftless/events/iteration.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless {
namespace {

constexpr std::size_t most_rounds = 600;   // of pre(v) := v
constexpr int usual_rounds = 3;            // beyond, circles are looked for
constexpr int rounds_of_collapse = 20;     // so many at least, of impacts that have no last one
constexpr std::size_t most_undecided = 5;  // relations on their bounds for which both values are tried

DiscreteSystem::Point at_point(double t, std::span<const double> parameters, const ContinuousPoint& point) {
  return {t, parameters, point.quantities};
}

}  // namespace

EventIteration::EventIteration(const Model& model, ContinuousEquations& equations)
    : model_(model),
      part_(model.discrete),
      equations_(equations),
      values_(part_.variables.size()),
      held_(part_.held.size()),
      loop_(part_) {}

bool EventIteration::is_relation(std::size_t held) const {
  const Op op = (*model_.pool)[part_.held[held].expression].op;
  return op == Op::Less || op == Op::LessEqual;
}

// True if a value changes.
bool EventIteration::take_values(double t, std::vector<double>& parameters, const ContinuousPoint& at) {
  equations_.discrete(at.mode).values(at_point(t, parameters, at), values_);
  return loop_.advance(parameters, values_);
}

void EventIteration::evaluate_held(double t, const std::vector<double>& parameters, const ContinuousPoint& at) {
  equations_.held(t, parameters, at, found_, side_, held_);
  for (const auto& [k, value] : postponed_) held_[k] = value;
  if (decided_.empty() || side_ == EventSearch::Side::AtInstant) return;
  const std::vector<EventSearch::Doubt> doubts = equations_.doubts(t, parameters, at);
  for (const auto& [k, value] : decided_)
    if (doubts[k].size != EventSearch::Doubt::None) held_[k] = value;
}

// True if a value changes.
bool EventIteration::take_held(double t, std::vector<double>& parameters, const ContinuousPoint& at) {
  evaluate_held(t, parameters, at);
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
  found_values_ = causes.values;
  held_before_.clear();
  for (const Held& held : part_.held) held_before_.push_back(value_of(parameters, held.held));
  for (std::size_t k = 0; k < causes.held.size(); ++k)
    value_of(parameters, part_.held[static_cast<std::size_t>(causes.held[k])].held) = causes.values[k];
  for (const int k : causes.on_bounds) {
    if (std::ranges::find(found_, k) != found_.end()) continue;
    found_.push_back(k);
    found_values_.push_back(value_of(parameters, part_.held[static_cast<std::size_t>(k)].held));
  }
  for (const int s : causes.samplings) value_of(parameters, part_.samplings[static_cast<std::size_t>(s)].now) = 1.0;
  if (causes.terminal && part_.terminal) value_of(parameters, *part_.terminal) = 1.0;
}

// True if the parameters differ from those of the first `rounds` rounds; they are then stored as the next. The memory
// is reused at the next event.
bool EventIteration::is_new(const std::vector<double>& parameters, std::size_t rounds) {
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  for (std::size_t k = 0; k < rounds; ++k)
    if (std::ranges::equal(seen_[k], parameters, same)) return false;
  if (seen_.size() == rounds) seen_.emplace_back();
  seen_[rounds] = parameters;
  return true;
}

bool EventIteration::settle(double t, std::vector<double>& parameters, const ContinuousPoint& from,
                            std::span<const SetQuantity> set, ContinuousPoint& to, Result& result) {
  settled_from_ = parameters;
  const std::vector<double>& before = settled_from_;
  std::size_t rounds = 0, seen = 0;
  to = from;
  to.impulses.clear();
  loop_.begin();
  const auto search_others = [&] {
    parameters = before;
    return !causes_come_first_ && search(t, parameters, from, set, to, result);
  };
  take_values(t, parameters, to);
  while (true) {
    ++result.iterations;
    const bool circles = !loop_.is_loop() && !is_new(parameters, seen++);
    if (circles || ++rounds > most_rounds) return search_others();
    Unsolved why;
    if (!equations_.solve(t, parameters, from, set, to, why)) {
      if (loop_.go_back(parameters)) continue;
      result.reason = why.reason;
      return search_others();
    }
    const bool held_change = !causes_come_first_ && take_held(t, parameters, to);
    if (held_change) loop_.begin();
    if (take_values(t, parameters, to) || held_change) {
      if (!loop_.has_no_end()) continue;
      result.reason = "discrete variables and the equations determine each other, and no values are found that agree";
      return search_others();
    }
    return causes_come_first_ || !is_unchanged(t, parameters, to) || search_others();
  }
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

// Does a relation that has just changed lead back to its old side? Then its motion there decides.
bool EventIteration::leads_back(double t, std::span<const double> parameters, const ContinuousPoint& at) {
  if (found_.empty()) return false;
  equations_.held(t, parameters, at, found_, EventSearch::Side::Behind, held_);
  return std::ranges::any_of(found_, [&](int k) {
    const auto place = static_cast<std::size_t>(k);
    return held_[place] != parameters[static_cast<std::size_t>(index(part_.held[place].held))];
  });
}

// Records the active reinits, assertions and terminations.
void EventIteration::note_conditions(Result& result) const {
  for (std::size_t k = 0; k < part_.reinits.size(); ++k)
    if (conditions_.reinit[k] != 0.0) result.reinits.push_back(part_.reinits[k].label);
  for (std::size_t k = 0; k < part_.terminations.size(); ++k)
    if (conditions_.terminate[k] != 0.0 && !result.terminate) result.terminate = part_.terminations[k].message;
  for (std::size_t k = 0; k < part_.assertions.size(); ++k) {
    if (conditions_.assertion[k] != 0.0) continue;
    if (part_.assertions[k].is_warning)
      result.warnings.push_back(k);
    else if (!result.violated)
      result.violated = k;
  }
}

EventIteration::Result EventIteration::attempt(double t, const Causes& causes, std::vector<double>& parameters,
                                               ContinuousPoint& point) {
  Result result;
  begin(causes, parameters);
  struck_.clear();
  largest_change_ = 0.0;
  std::set<std::vector<double>> seen;
  for (std::size_t round = 0; round < most_rounds; ++round) {
    // First at the instant itself; when what follows from it is done, right behind it.
    side_ = round == 0 ? EventSearch::Side::AtInstant : EventSearch::Side::Behind;
    ContinuousPoint& to = behind_;
    postponed_.clear();
    if (!settle(t, parameters, point, {}, to, result)) return result;
    std::vector<SetQuantity> set = values_of_reinits(t, parameters, to);
    if (are_set_twice(set) && postpone_impacts(parameters, round == 0)) {
      if (!take_one_after_the_other(t, parameters, point, to, result)) return result;
      set = values_of_reinits(t, parameters, to);
    }
    note_conditions(result);
    const auto take = [&] {
      point = to;
      result.impulses.insert(result.impulses.end(), to.impulses.begin(), to.impulses.end());
    };
    take();
    if (causes_come_first_ && round > 0 && !set.empty()) return result;  // an effect that causes further ones
    if (!set.empty()) {
      Unsolved why;
      if (!equations_.solve(t, parameters, point, set, to, why)) {
        result.reason = why.reason;
        return result;
      }
      if (round >= usual_rounds) note_struck(parameters);
      const bool is_limit = fades(point, to) && round >= rounds_of_collapse && struck_.size() > 1;
      take();
      if (is_limit) {
        collapse(t, parameters, point, result);
        return result;
      }
      note_impacts(t, parameters, point, round == 0);
    }
    for (const Sampling& sampling : part_.samplings) value_of(parameters, sampling.now) = 0.0;
    bool held_change = false;
    if (causes_come_first_) {
      side_ = EventSearch::Side::Behind;
      held_change = take_held(t, parameters, point);
    }
    const bool pre_changes = take_pre_values(parameters);
    if (!pre_changes && !held_change && set.empty() && !to.is_struck &&
        !(round == 0 && leads_back(t, parameters, point))) {
      result.converged = true;
      return result;
    }
    if (notes_ || round >= usual_rounds) note_undecided(t, parameters, point);
    if (round < usual_rounds) continue;
    if (set.empty() && !seen.insert(parameters).second) {
      result.goes_round = true;
      break;
    }
  }
  result.reason = fmt::format("{} change again and again: both sides of a relation lead back to it", what_changes());
  result.flipping = changing_;
  return result;
}

std::vector<SetQuantity> EventIteration::values_of_reinits(double t, std::span<const double> parameters,
                                                           const ContinuousPoint& at) {
  equations_.discrete(at.mode).conditions(at_point(t, parameters, at), conditions_);
  std::vector<SetQuantity> set;
  for (std::size_t k = 0; k < part_.reinits.size(); ++k)
    if (conditions_.reinit[k] != 0.0)
      set.push_back({{part_.reinits[k].variable, part_.reinits[k].order}, conditions_.reinit_value[k]});
  return set;
}

// Called at the end of a round.
void EventIteration::note_undecided(double t, const std::vector<double>& parameters, const ContinuousPoint& at) {
  const std::vector<EventSearch::Doubt> doubts = equations_.doubts(t, parameters, at);
  for (std::size_t k = 0; k < doubts.size(); ++k) {
    const bool is_found = std::ranges::find(found_, static_cast<int>(k)) != found_.end();
    if (doubts[k].size == EventSearch::Doubt::None || !is_relation(k)) continue;
    if (is_found && doubts[k].by_slope) continue;  // its slope has already decided
    // If it leaves its bound tangentially, its slope is a rounding error: the other value is tried after the one given
    // by the slope.
    for (const double value : {0.0, 1.0})
      (doubts[k].by_slope.value_or(value) == value ? undecided_ : unlikely_)[k].insert(value);
  }
}

// Has a relation been crossed although everything returned to its previous values?
bool EventIteration::nothing_happened(const Causes& causes, const Result& result, const std::vector<double>& before,
                                      const std::vector<double>& after) const {
  return result.converged && !causes.held.empty() && result.reinits.empty() && !result.terminate && before == after;
}

// Where the effect of a relation takes its truth away, no values of discrete variables and relations agree within one
// round: `when force > 25 then broken = true`, if there is no force in what is broken. Then causes come first: the
// relations that an event has found act in its first round whatever comes of it, and all of them have their values
// anew when it is over.
EventIteration::Result EventIteration::operator()(double t, const Causes& causes, std::vector<double>& parameters,
                                                  ContinuousPoint& point) {
  before_ = parameters;
  from_ = point;
  causes_come_first_ = false;
  Result result = decide(t, causes, parameters, point);
  if (result.converged && !nothing_happened(causes, result, before_, parameters)) return result;
  causes_come_first_ = true;
  decided_.clear();
  std::vector<double> values = before_;
  ContinuousPoint to = from_;
  Result other = attempt(t, causes, values, to);
  causes_come_first_ = false;
  result.iterations += other.iterations;
  if (!other.converged || nothing_happened(causes, other, before_, values)) return result;
  other.iterations = result.iterations;
  parameters = std::move(values);
  point = std::move(to);
  return other;
}

// A relation on its bound may have either value, or that of the side to which its slope points; one that caused the
// event may not go back to the value before it. Where discrete variables go round in a circle, or come back to what
// they were, values of one such relation after the other are decided beforehand, then those of two.
EventIteration::Result EventIteration::decide(double t, const Causes& causes, std::vector<double>& parameters,
                                              ContinuousPoint& point) {
  decided_.clear();
  undecided_.clear();
  unlikely_.clear();
  notes_ = false;
  const std::vector<double>& before = before_;
  const ContinuousPoint& from = from_;
  Result result = attempt(t, causes, parameters, point);
  const bool is_idle = nothing_happened(causes, result, before, parameters);
  if (!is_idle && (result.converged || !result.goes_round)) return result;
  if (is_idle) {
    notes_ = true;
    std::vector<double> values = before;
    ContinuousPoint to = from;
    attempt(t, causes, values, to);
  }
  for (const auto& decision : decisions(causes)) {
    decided_ = decision;
    std::vector<double> values = before;
    ContinuousPoint to = from;
    Result other = attempt(t, causes, values, to);
    result.iterations += other.iterations;
    if (!other.converged || nothing_happened(causes, other, before, values)) continue;
    other.iterations = result.iterations;
    parameters = std::move(values);
    point = std::move(to);
    return other;
  }
  return result;
}

std::vector<std::map<std::size_t, double>> EventIteration::decisions(const Causes& causes) const {
  std::vector<std::map<std::size_t, double>> all;
  for (const auto* decided : {&undecided_, &unlikely_})
    for (const auto& [k, values] : *decided) {
      if (all.size() >= 2 * most_undecided) break;
      const auto found = std::ranges::find(causes.held, static_cast<int>(k));
      const bool is_found = found != causes.held.end();
      for (const double value : values)
        if (!is_found || causes.values[static_cast<std::size_t>(found - causes.held.begin())] == value)
          all.push_back({{k, value}});
    }
  for (std::size_t a = 0, singles = all.size(); a < singles; ++a)
    for (std::size_t b = a + 1; b < singles; ++b)
      if (all[a].begin()->first != all[b].begin()->first) all.push_back({*all[a].begin(), *all[b].begin()});
  return all;
}

}  // namespace driftless
