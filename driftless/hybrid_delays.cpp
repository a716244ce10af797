#include "driftless/hybrid_delays.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/model/delay.hpp"

namespace driftless {
namespace {

// A kink that is repeated becomes smoother each time: so often the past has a break because of it.
constexpr int most_generations = 10;

double& number(std::span<double> parameters, ParamId id) { return parameters[static_cast<std::size_t>(index(id))]; }

}  // namespace

HybridDelays::HybridDelays(const Model& model, double tolerance) : model_(model) {
  for (const Delay& delay : model.discrete.delays) delays_.push_back({&delay, 0.0, History(tolerance)});
}

void HybridDelays::begin(double t, std::span<double> parameters) {
  check_delays(model_, parameters);
  for (Memory& memory : delays_) {
    memory.time = delay_time(model_, *memory.delay, parameters);
    number(parameters, memory.delay->until) = t + memory.time;
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
  }
}

bool HybridDelays::are_all(const EventIteration::Causes& causes) const {
  const auto is_end = [&](int held) {
    return std::ranges::any_of(delays_,
                               [&](const Memory& memory) { return static_cast<int>(memory.delay->end) == held; });
  };
  return causes.samplings.empty() && !causes.terminal && std::ranges::all_of(causes.held, is_end);
}

std::optional<int> HybridDelays::break_at(double t, const EventIteration::Causes& causes,
                                          std::span<const double> parameters) const {
  if (!are_all(causes)) return 0;
  std::optional<int> generation;
  for (const Memory& memory : delays_) {
    const bool ends = parameters[static_cast<std::size_t>(index(memory.delay->until))] <= t;
    if (ends && memory.next_break && *memory.next_break < most_generations)
      generation = std::min(generation.value_or(most_generations), *memory.next_break + 1);
  }
  return generation;
}

void HybridDelays::pass_event(double t, const EventIteration::Causes& causes, std::span<double> parameters) {
  if (const auto generation = break_at(t, causes, parameters))
    for (Memory& memory : delays_) memory.history.add_break(*generation);
  for (Memory& memory : delays_)
    if (number(parameters, memory.delay->until) <= t) {
      take_next(memory, parameters);
      join_with_others(memory, parameters);
    }
}

void HybridDelays::take_next(Memory& memory, std::span<double> parameters) {
  History& history = memory.history;
  const History::Polynomial next = history.repeated_from(memory.repeated.value_or(history.begin()));
  const Delay& delay = *memory.delay;
  number(parameters, delay.origin) = next.origin + memory.time;
  for (std::size_t k = 0; k < delay.c.size(); ++k) number(parameters, delay.c[k]) = next.c[k];
  number(parameters, delay.until) = next.to + memory.time;
  memory.next_break = next.ends_at_break;
  memory.repeated = next.to;
  history.forget_before(next.from);
}

// Two polynomials that end at the same time but for rounding, as 1 + 0.4 + 0.4 and 0.4 + 0.4 + 1, end at one event.
void HybridDelays::join_with_others(const Memory& memory, std::span<double> parameters) const {
  double& end = number(parameters, memory.delay->until);
  for (const Memory& other : delays_)
    if (const double theirs = number(parameters, other.delay->until);
        std::abs(end - theirs) <= 16 * std::numeric_limits<double>::epsilon() * std::abs(end))
      end = theirs;
}

void HybridDelays::archive(Archive& archive) {
  for (Memory& memory : delays_) archive(memory);
}

}  // namespace driftless
