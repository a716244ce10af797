#include "driftless/hybrid_run/delays.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/model/delay.hpp"

namespace driftless {
namespace {

// A kink becomes smoother each time it is repeated: for this many repetitions it counts as a break.
constexpr int most_generations = 10;

// In units of the tolerance: how far a moment that has just reached an end of its polynomial may lie beyond it.
constexpr double beside_end = 20.0;

double& number(std::span<double> parameters, ParamId id) { return parameters[static_cast<std::size_t>(index(id))]; }
double number(std::span<const double> parameters, ParamId id) {
  return parameters[static_cast<std::size_t>(index(id))];
}

// Does this relation become true at the event?
bool becomes_true(const EventIteration::Causes& causes, std::size_t place) {
  for (std::size_t k = 0; k < causes.held.size(); ++k)
    if (causes.held[k] == static_cast<int>(place)) return causes.values[k] != 0.0;
  return false;
}

}  // namespace

HybridDelays::HybridDelays(const Model& model, double tolerance) : model_(model), tolerance_(tolerance) {
  for (const Delay& delay : model.discrete.delays) {
    delays_.push_back({&delay, 0.0, History(tolerance)});
    moments_.push_back(moment_of(model, delay));
  }
}

bool HybridDelays::change() const {
  return std::ranges::any_of(delays_, [](const Memory& memory) { return memory.delay->longest.has_value(); });
}

void HybridDelays::begin(double t, std::span<double> parameters) {
  check_delays(model_, parameters);
  for (Memory& memory : delays_) {
    const Delay& delay = *memory.delay;
    memory.time = delay_time(model_, delay, parameters);
    memory.start = t;
    number(parameters, delay.until) = delay.longest ? t : t + memory.time;
    if (delay.from) number(parameters, *delay.from) = t - 2.0 * memory.time - 1.0;
  }
}

void HybridDelays::add_step(double from, double to, std::span<const Quantity> quantities, const Observe& observe) {
  quantities_.resize(quantities.size());
  for (Memory& memory : delays_) {
    const auto place = std::ranges::find(quantities, Quantity{memory.delay->source, 0}) - quantities.begin();
    memory.history.add(from, to, [&](double t) {
      return observe(t, quantities_) ? quantities_[static_cast<std::size_t>(place)]
                                     : std::numeric_limits<double>::quiet_NaN();
    });
    if (memory.delay->longest) memory.history.forget_before(to - (1.0 + tolerance_) * memory.time);
  }
}

bool HybridDelays::are_all(const EventIteration::Causes& causes) const {
  const auto is_end = [&](int held) {
    return std::ranges::any_of(delays_, [&](const Memory& memory) {
      const Delay& delay = *memory.delay;
      return static_cast<int>(delay.end) == held || (delay.begin && static_cast<int>(*delay.begin) == held);
    });
  };
  return causes.samplings.empty() && !causes.terminal && std::ranges::all_of(causes.held, is_end);
}

HybridDelays::Leaves HybridDelays::leaves(const Memory& memory, double t, const EventIteration::Causes& causes,
                                          std::span<const double> parameters) {
  const Delay& delay = *memory.delay;
  if (!delay.longest) return number(parameters, delay.until) <= t ? Leaves::AtEnd : Leaves::Nowhere;
  if (becomes_true(causes, delay.end)) return Leaves::AtEnd;
  return becomes_true(causes, *delay.begin) ? Leaves::AtBegin : Leaves::Nowhere;
}

std::optional<int> HybridDelays::break_at(double t, const EventIteration::Causes& causes,
                                          std::span<const double> parameters) const {
  if (!are_all(causes)) return 0;
  std::optional<int> generation;
  for (const Memory& memory : delays_) {
    const Leaves where = leaves(memory, t, causes, parameters);
    if (where == Leaves::Nowhere) continue;
    const std::optional<int> passed = where == Leaves::AtEnd ? memory.next_break : memory.break_before;
    if (passed && *passed < most_generations) generation = std::min(generation.value_or(most_generations), *passed + 1);
  }
  return generation;
}

void HybridDelays::pass_event(double t, const EventIteration::Causes& causes, std::span<double> parameters) {
  if (const auto generation = break_at(t, causes, parameters))
    for (Memory& memory : delays_) memory.history.add_break(*generation);
  for (Memory& memory : delays_) {
    const Leaves where = leaves(memory, t, causes, parameters);
    if (where == Leaves::Nowhere) continue;
    if (memory.delay->longest) {
      if (where == Leaves::AtEnd)
        take_from(memory, number(parameters, memory.delay->until), parameters);
      else
        take_to(memory, number(parameters, *memory.delay->from), parameters);
    } else {
      take_next(memory, parameters);
      join_with_others(memory, parameters);
    }
  }
}

void HybridDelays::take_next(Memory& memory, std::span<double> parameters) {
  History& history = memory.history;
  History::Polynomial next = history.repeated_from(memory.repeated.value_or(history.begin()));
  memory.repeated = next.to;
  history.forget_before(next.from);
  next.from += memory.time, next.to += memory.time, next.origin += memory.time;
  take(memory, next, parameters);
}

void HybridDelays::take(Memory& memory, const History::Polynomial& next, std::span<double> parameters) {
  const Delay& delay = *memory.delay;
  number(parameters, delay.origin) = next.origin;
  for (std::size_t k = 0; k < delay.c.size(); ++k) number(parameters, delay.c[k]) = next.c[k];
  number(parameters, delay.until) = next.to;
  if (delay.from) number(parameters, *delay.from) = next.from;
  memory.next_break = next.ends_at_break;
  memory.break_before = next.begins_at_break;
}

// Two polynomials that end at the same time up to rounding, as 1 + 0.4 + 0.4 and 0.4 + 0.4 + 1, end at one event.
void HybridDelays::join_with_others(const Memory& memory, std::span<double> parameters) const {
  double& end = number(parameters, memory.delay->until);
  for (const Memory& other : delays_)
    if (const double theirs = number(parameters, other.delay->until);
        !other.delay->longest && std::abs(end - theirs) <= 16 * std::numeric_limits<double>::epsilon() * std::abs(end))
      end = theirs;
}

// ---- a time that changes

// A moment that reaches the end of a piece lies there up to rounding and the error of solving the equations. The next
// piece overlaps by this amount, so that it does not end where it begins.
double HybridDelays::overlap(const History::Polynomial& piece) const {
  const double units = 64 * std::numeric_limits<double>::epsilon();
  return units * std::max(std::abs(piece.from), std::abs(piece.to)) + 0.01 * tolerance_ * (piece.to - piece.from);
}

// Before the start: the value at the start. The start is a break.
void HybridDelays::take_constant(Memory& memory, std::span<double> parameters) const {
  History::Polynomial constant{memory.start - 2.0 * memory.time - 1.0, memory.start, memory.start};
  constant.c[0] = memory.history.value(memory.start);
  constant.to += overlap(constant);
  constant.ends_at_break = 0;
  take(memory, constant, parameters);
}

// At the present end of the history there is nothing to repeat: the time of the delay would be 0, which an assertion
// excludes.
void HybridDelays::take_from(Memory& memory, double moment, std::span<double> parameters) const {
  if (!(moment < memory.history.end())) return;
  History::Polynomial next = memory.history.repeated_from(std::max(moment, memory.history.begin()));
  next.from -= overlap(next);
  next.begins_at_break = memory.next_break;
  take(memory, next, parameters);
}

void HybridDelays::take_to(Memory& memory, double moment, std::span<double> parameters) const {
  if (!(moment > memory.start)) return take_constant(memory, parameters);
  if (!(moment > memory.history.begin())) return;
  History::Polynomial next = memory.history.repeated_to(moment);
  const bool begins_at_start = next.from == memory.start;
  next.to += overlap(next);
  next.ends_at_break = memory.break_before;
  if (begins_at_start) next.begins_at_break = 0;
  take(memory, next, parameters);
}

HybridDelays::Followed HybridDelays::follow_jumps(double t, std::span<const Quantity> quantities,
                                                  std::span<const double> values, std::span<const double> behind,
                                                  std::span<double> parameters) {
  Followed followed;
  const auto value = [&](NodeId leaf) {
    const Node& node = (*model_.pool)[leaf];
    if (node.op == Op::Time) return t;
    if (node.op == Op::Parameter) return behind[node.a];
    const Quantity q{VarId{static_cast<int>(node.a)}, static_cast<int>(node.b)};
    const auto known = std::ranges::lower_bound(quantities, q);
    return known == quantities.end() || *known != q ? std::nan("")
                                                    : values[static_cast<std::size_t>(known - quantities.begin())];
  };
  for (std::size_t k = 0; k < delays_.size(); ++k) {
    Memory& memory = delays_[k];
    if (!memory.delay->longest) continue;
    const double moment = evaluate(*model_.pool, moments_[k], value);
    const double from = number(parameters, *memory.delay->from), until = number(parameters, memory.delay->until);
    const double slack = beside_end * tolerance_ * (std::abs(t - moment) + std::min(until - from, std::abs(t)));
    if (moment >= from - slack && moment <= until + slack) continue;
    memory.next_break = memory.break_before = 0;  // an event with other causes is a break
    if (moment < memory.start) {
      const bool is_constant_already = from < memory.start - slack;
      if (!is_constant_already) take_constant(memory, parameters), followed.any = true;
    } else if (moment < t && !(moment < memory.history.begin())) {
      take_from(memory, moment, parameters);
      followed.any = true;
    } else if (moment < t) {
      followed.failure =
          fmt::format("{} asks for a value at {}, before what is remembered", memory.delay->text, moment);
    }
  }
  return followed;
}

void HybridDelays::archive(Archive& archive) {
  for (Memory& memory : delays_) archive(memory);
}

}  // namespace driftless
