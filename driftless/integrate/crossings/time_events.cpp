#include "driftless/integrate/crossings/time_events.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "driftless/expr/calculus.hpp"
#include "driftless/model/drive.hpp"

namespace driftless {
namespace {

// The difference allowed between instants that are equal in exact arithmetic.
double rounding(double t) { return 16 * std::numeric_limits<double>::epsilon() * std::abs(t); }

constexpr int most_corrections = 4;  // of a number of intervals that is computed by a quotient

}  // namespace

HeldFunction held_function(Pool& pool, NodeId expression) {
  const Node node = pool[expression];
  switch (node.op) {
    case Op::Less: return {pool.sub(node.operand(0), node.operand(1)), Crossings::Kind::Less};
    case Op::LessEqual: return {pool.sub(node.operand(0), node.operand(1)), Crossings::Kind::LessEqual};
    case Op::Floor: return {node.operand(0), Crossings::Kind::Floor};
    default: assert(node.op == Op::Ceil); return {node.operand(0), Crossings::Kind::Ceil};
  }
}

TimeEvents::TimeEvents(const Model& model, const std::shared_ptr<Pool>& pool, int parameters) {
  std::vector<LinearIn> lines;
  for (std::size_t k = 0; k < model.discrete.held.size(); ++k) {
    const Held& held = model.discrete.held[k];
    if (any_node(*pool, held.expression, [&](NodeId id) { return (*pool)[id].op == Op::Variable; })) continue;
    const HeldFunction function = held_function(*pool, held.expression);
    const auto linear = linear_in(*pool, function.g, pool->time());
    if (!linear) continue;
    relations_.push_back({static_cast<int>(k), function.kind, 0.0, 0.0, 0.0, held.held});
    lines.push_back(*linear);
  }
  samplings_.resize(model.discrete.samplings.size());
  if (!exist()) return;
  KernelSource source{"time events", {}};
  for (const LinearIn& line : lines) source.outputs.insert(source.outputs.end(), {line.coefficient, line.rest});
  for (const driftless::Sampling& sampling : model.discrete.samplings)
    source.outputs.insert(source.outputs.end(), {sampling.start, sampling.interval});
  InputLayout layout;
  layout.parameters = parameters;
  layout.inputs = 1 + parameters;
  layout.variable = [](VarId, int) { return -1; };
  numbers_.resize(source.outputs.size());
  kernel_ = compile(pool, {&source, 1}, layout, Backend::Interpreter).kernels.front();
  work_.resize(kernel_->work_size());
}

void TimeEvents::take_inputs(const Model& model) {
  input_instants_.clear();
  if (model.discrete.is_empty()) return;  // then the run is split at these instants
  double t = next_input_event(model, -HUGE_VAL);
  for (; t < HUGE_VAL; t = next_input_event(model, t)) input_instants_.push_back(t);
}

bool TimeEvents::takes(int held) const { return std::ranges::binary_search(relations_, held, {}, &Relation::held); }

void TimeEvents::take_parameters(std::span<const double> inputs) {
  if (!kernel_) return;
  (*kernel_)(inputs.data(), numbers_.data(), work_.data());
  const double* next = numbers_.data();
  for (Relation& r : relations_) {
    r.coefficient = *next++, r.rest = *next++;
    r.value = inputs[1 + index(r.parameter)];
  }
  for (Sampling& s : samplings_) s.start = *next++, s.interval = *next++;
}

double TimeEvents::number(std::size_t k, double t) const {
  const Relation& r = relations_[k];
  return r.coefficient != 0.0 && Crossings::is_relation(r.kind) && t == instant(r, 0.0)
             ? Crossings::value(r.kind, 0.0)
             : (Crossings::is_relation(r.kind) ? value(k, t) : Crossings::value(r.kind, r.coefficient * t + r.rest));
}

double TimeEvents::value(std::size_t k, double t) const {
  const Relation& r = relations_[k];
  if (r.coefficient == 0.0) return Crossings::value(r.kind, r.rest);
  const bool rises = r.coefficient > 0.0;
  if (Crossings::is_relation(r.kind)) return (t >= instant(r, 0.0)) != rises ? 1.0 : 0.0;
  // The last level reached at or before t.
  double level = std::floor(r.coefficient * t + r.rest) + (rises ? 0.0 : 1.0);
  const double up = rises ? 1.0 : -1.0;
  for (int i = 0; i < most_corrections && instant(r, level) > t; ++i) level -= up;
  for (int i = 0; i < most_corrections && instant(r, level + up) <= t; ++i) level += up;
  const double below = rises ? level : level - 1.0;
  return r.kind == Crossings::Kind::Floor ? below : below + 1.0;
}

std::optional<double> TimeEvents::leaves(const Relation& r) const {
  if (r.coefficient == 0.0) return {};
  const bool rises = r.coefficient > 0.0;
  switch (r.kind) {
    case Crossings::Kind::Less:
    case Crossings::Kind::LessEqual: return (r.value != 0.0) == rises ? std::optional(instant(r, 0.0)) : std::nullopt;
    case Crossings::Kind::Floor: return instant(r, rises ? r.value + 1.0 : r.value);
    case Crossings::Kind::Ceil: return instant(r, rises ? r.value : r.value - 1.0);
  }
  return {};
}

// Instants that differ by rounding, as 3*0.1 and 0.3, are one event: no step could lie between them.
bool TimeEvents::samples_at_end() const {
  for (std::size_t s = 0; s < samplings_.size(); ++s)
    if (samples_at(s, end_)) return true;
  return false;
}

std::optional<double> TimeEvents::next(double t) const {
  std::optional<double> first;
  for_next_instants(t, [&](double at) {
    if (!first || at < *first) first = at;
  });
  if (!first) return {};
  double last = *first;
  for_next_instants(t, [&](double at) {
    if (at <= *first + rounding(*first)) last = std::fmax(last, at);
  });
  if (!(t < end_ && last > end_)) return last;
  return *first <= end_ || samples_at_end() ? end_ : last;
}

template <class Take>
void TimeEvents::for_next_instants(double t, Take take) const {
  const auto take_finite = [&](double at) {
    if (std::isfinite(at)) take(at);
  };
  for (std::size_t k = 0; k < relations_.size(); ++k) {
    if (value(k, t) != relations_[k].value)
      take_finite(t);
    else if (const auto at = leaves(relations_[k]); at && *at > t)
      take_finite(*at);
  }
  for (const Sampling& s : samplings_) {
    if (!(s.interval > 0.0)) continue;
    double count = std::fmax(std::floor((t - s.start) / s.interval), 0.0);
    for (int i = 0; i < most_corrections && s.start + count * s.interval <= t; ++i) ++count;
    while (count > 0.0 && s.start + (count - 1.0) * s.interval > t) --count;
    if (const double at = s.start + count * s.interval; at > t) take_finite(at);
  }
  const auto begins = std::ranges::upper_bound(input_instants_, t);
  if (begins != input_instants_.end()) take_finite(*begins);
}

bool TimeEvents::samples_at(std::size_t k, double t) const {
  const Sampling& s = samplings_[k];
  if (!(s.interval > 0.0)) return false;
  const double count = std::round((t - s.start) / s.interval);
  const double at = s.start + count * s.interval;
  const double latest = t == end_ ? t + rounding(t) : t;
  return count >= 0.0 && at <= latest && t <= at + rounding(t);
}

}  // namespace driftless
