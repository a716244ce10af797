#include "driftless/integrate/crossings/switches.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/interval.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/integrate/crossings/extremum.hpp"
#include "driftless/integrate/crossings/watched_operations.hpp"

namespace driftless {
namespace {

constexpr int points_of_oscillation = 64;  // in a step, for a function of time alone
constexpr double comes_near = 0.25;        // of the values around an extremum: then it is examined
constexpr int looks_at_extremum = 6;
constexpr double is_continuous = 1e-6;   // jump in units of the largest value of the expression in the step
constexpr double is_infinite = 1e6;      // the same for the value at a pole
constexpr double near_a_pole = 1e-6;     // distance in units of the step at which growth is measured
constexpr double least_ulps = 16.0;      // the same in units of the last place of the time
constexpr double growth_at_pole = 30.0;  // at that distance, relative to the values in the step
constexpr int most_changes = 50;         // kinks in one step that are skipped

}  // namespace

// Switches are collected and compiled once; every run has a copy with its own samples.
Switches::Switches(const System& system) : Switches(*known_for(system)) { take_parameters(system.parameters()); }

void Switches::take_parameters(std::span<const double> values) {
  if (kernel_) std::ranges::copy(values, inputs_.begin() + 1);
  instants_.clear();
  find_instants(values);
}

// Which denominators are bounded away from 0 may depend on the parameters of the run.
std::shared_ptr<const Switches> Switches::known_for(const System& system) {
  const CompiledSystem& compiled = system.compiled();
  const auto without = [&](const std::vector<int>& bounded) {
    return compiled.part<Switches>(bounded,
                                   [&] { return std::shared_ptr<const Switches>(new Switches(compiled, bounded)); });
  };
  const std::shared_ptr<const Switches> all = without({});
  const auto of_leaf = [&](const Node& leaf) {
    if (leaf.op != Op::Parameter) return Interval{};
    return Interval{system.parameters()[leaf.a], system.parameters()[leaf.a]};
  };
  std::vector<int> bounded;
  for (std::size_t k = 0; k < all->denominators_.size(); ++k)
    if (const Interval bounds = bounds_of(*all->pool_, all->denominators_[k], of_leaf);
        bounds.low > 0.0 || bounds.high < 0.0)
      bounded.push_back(static_cast<int>(k));
  return bounded.empty() ? all : without(bounded);
}

Switches::Switches(const CompiledSystem& system, std::vector<int> bounded)
    : reduced_(system.reduced()), pool_(growable(reduced_.model->pool)), bounded_(std::move(bounded)) {
  collect();
  if (!watched_.empty()) compile_kernel(system);
}

void Switches::find_instants(std::span<const double> parameters) {
  const auto value = [&](NodeId leaf) {
    return (*pool_)[leaf].op == Op::Parameter ? parameters[(*pool_)[leaf].a] : 0.0;
  };
  for (const InstantInParameters& instant : all_instants_) {
    const double coefficient = driftless::evaluate(*pool_, instant.coefficient, value);
    if (coefficient != 0.0)
      instants_.push_back({coefficient, driftless::evaluate(*pool_, instant.rest, value), instant.every_integer});
  }
}

void Switches::collect() {
  const Model& model = *reduced_.model;
  explicit_values_ = explicit_values(model);
  const std::unordered_map<NodeId, NodeId> used_where = conditions_of_use(*pool_, model);
  std::vector<bool> seen(model.pool->size(), false);
  for (std::size_t i = 0; i < model.equations.size(); ++i)
    for (const NodeId id : nodes_of(*model.pool, model.equations[i].residual)) {
      if (index(id) < seen.size() && seen[index(id)]) continue;
      if (index(id) < seen.size()) seen[index(id)] = true;
      const std::size_t before = watched_.size();
      watch_node(EqnId{static_cast<int>(i)}, id);
      for (std::size_t k = before; k < watched_.size(); ++k)  // a denominator in a branch that is not taken has no pole
        if (watched_[k].kind == Kind::Denominator && !pool_->is_constant(used_where.at(id), 1.0))
          indicators_[k] = pool_->if_else(used_where.at(id), indicators_[k], pool_->one());
    }
}

void Switches::watch_node(EqnId equation, NodeId id) {
  Pool& pool = *pool_;
  const Node node = pool[id];
  if (!may_be_watched(node.op)) return;
  const bool is_kink = node.op == Op::Abs || node.op == Op::Max || node.op == Op::Min;
  const auto is_op = [&](Op op) { return [&pool, op](NodeId n) { return pool[n].op == op; }; };
  const bool varies = any_node(pool, id, is_op(Op::Variable)), in_time = any_node(pool, id, is_op(Op::Time));
  if (!varies && !in_time) return;
  if (node.op == Op::IfElse) jumping_.insert(jumping_.end(), {id, node.operand(0)});
  if (node.op == Op::Div) watch_denominator(equation, id, node.operand(1));
  if (node.op == Op::Tan) {
    watched_.push_back({Kind::Denominator, equation, id, false});
    indicators_.push_back(pool.unary(Op::Cos, node.operand(0)));
  }
  if (node.op == Op::Pow && pool.is_constant(node.operand(1)) && pool.constant_value(node.operand(1)) < 0.0)
    watch_denominator(equation, id, node.operand(0));
  if (!is_discrete_operation(node.op) && !is_kink) return;
  const bool relation = node.op == Op::Less || node.op == Op::LessEqual || node.op == Op::Max || node.op == Op::Min;
  const NodeId argument = relation ? pool.sub(node.operand(0), node.operand(1)) : node.operand(0);
  if (!varies) {
    const auto linear = linear_in(pool, argument, pool.time());
    if (linear) {
      all_instants_.push_back({linear->coefficient, linear->rest, node.op == Op::Floor || node.op == Op::Ceil});
      return;
    }
    if (!is_kink) oscillates_ = true;
  }
  if (is_kink) return;  // kinks.hpp
  if (!relation) jumping_.insert(jumping_.end(), {id, id});
  watched_.push_back({Kind::Discrete, equation, id, !varies});
  indicators_.push_back(argument);
}

// A product has a pole where one of its factors vanishes, a power where its base does. Expressions that are never
// negative do not change their sign, and those bounded away from 0, like 1 + exp(x), do not vanish.
void Switches::watch_denominator(EqnId equation, NodeId whole, NodeId denominator) {
  const Pool& pool = *pool_;
  std::vector<NodeId> factors{denominator};
  while (!factors.empty()) {
    const NodeId id = factors.back();
    factors.pop_back();
    const Node node = pool[id];
    if (node.op == Op::Mul) {
      factors.push_back(node.operand(0));
      factors.push_back(node.operand(1));
    } else if (node.op == Op::Neg || (node.op == Op::Pow && pool.is_constant(node.operand(1)))) {
      factors.push_back(node.operand(0));
    } else if (varies(pool, id) && !is_never_negative(pool, explicit_values_, id)) {
      denominators_.push_back(id);
      if (std::ranges::binary_search(bounded_, static_cast<int>(denominators_.size()) - 1)) continue;
      watched_.push_back({Kind::Denominator, equation, whole, false});
      indicators_.push_back(id);
    }
  }
}

// An interpreted kernel of all quantities: values of the watched nodes, their indicators, and expressions that may
// jump.
void Switches::compile_kernel(const CompiledSystem& system) {
  KernelSource source{"switches", {}};
  for (const Watched& w : watched_) source.outputs.push_back(w.node);
  for (const NodeId id : indicators_) source.outputs.push_back(id);
  for (const NodeId id : jumping_) source.outputs.push_back(id);
  largest_.resize(source.outputs.size());
  const InputLayout layout = system.layout_of_quantities();
  kernel_ = compile(pool_, {&source, 1}, layout, Backend::Interpreter).kernels.front();
  inputs_.assign(layout.inputs, 0.0);
  work_.resize(kernel_->work_size());
  quantities_.resize(reduced_.quantities.size());
}

bool Switches::evaluate(double t, const Path& path, Sample& sample) {
  sample.t = t;
  sample.values.resize(largest_.size());
  sample.exists = path(t, quantities_);
  if (!sample.exists) return false;
  inputs_[0] = t;
  std::ranges::copy(quantities_, inputs_.end() - static_cast<std::ptrdiff_t>(quantities_.size()));
  (*kernel_)(inputs_.data(), sample.values.data(), work_.data());
  return true;
}

bool Switches::differs(const Sample& a, const Sample& b, std::size_t k) const {
  if (watched_[k].kind == Kind::Discrete) return discrete(a, k) != discrete(b, k);
  return (indicator(a, k) < 0.0) != (indicator(b, k) < 0.0);
}

bool Switches::any_differs(const Sample& a, const Sample& b) const {
  for (std::size_t k = 0; k < watched_.size(); ++k)
    if (differs(a, b, k)) return true;
  return false;
}

std::optional<double> Switches::next_instant(double t) const {
  std::optional<double> next;
  for (const Instant& i : instants_) {
    double at = -i.rest / i.coefficient;
    if (i.every_integer) {
      const double level = i.coefficient * t + i.rest;
      const double target = i.coefficient > 0.0 ? std::floor(level) + 1.0 : std::ceil(level) - 1.0;
      at = (target - i.rest) / i.coefficient;
      if (at <= t) at = (target + (i.coefficient > 0.0 ? 1.0 : -1.0) - i.rest) / i.coefficient;
    }
    if (at > t && (!next || at < *next)) next = at;
  }
  return next;
}

std::optional<Switches::Crossing> Switches::find(double a, double b, const Path& path, int points_between) {
  if (oscillates_) points_between = std::max(points_between, points_of_oscillation);
  // Room for the points between, and for the extrema that are examined.
  samples_.resize(std::max<std::size_t>(samples_.size(), static_cast<std::size_t>(points_between) + 2));
  used_ = 0;
  for (int i = 0; i <= points_between + 1; ++i) {
    const double t = i == 0 ? a : i > points_between ? b : a + (b - a) * i / (points_between + 1);
    if (evaluate(t, path, samples_[used_])) ++used_;
  }
  look_at_extrema(path);
  if (first_.empty() && used_ > 0)
    for (std::size_t k = 0; k < watched_.size(); ++k) first_.push_back(std::abs(discrete(samples_[0], k)));
  std::ranges::fill(largest_, 0.0);
  for (std::size_t s = 0; s < used_; ++s)
    for (std::size_t k = 0; k < largest_.size(); ++k)
      largest_[k] = std::fmax(largest_[k], std::abs(samples_[s].values[k]));
  samples_.resize(std::max(samples_.size(), used_ + 1));
  int changes = 0;
  for (std::size_t s = 1; s < used_; ++s) {
    Sample left = samples_[s - 1];
    const Sample& right = samples_[s];
    while (any_differs(left, right) && ++changes < most_changes) {
      if (auto crossing = bracket(left, right, path)) return crossing;
      if (!(samples_.back().t > left.t)) break;
      left = samples_.back();  // after a kink
    }
  }
  return {};
}

// Inserts samples where an indicator has an extremum between two samples that comes near 0.
void Switches::look_at_extrema(const Path& path) {
  for (std::size_t k = 0; k < watched_.size(); ++k)
    for (std::size_t s = 1; s + 1 < used_; ++s) {
      double t[3], g[3];
      for (int i = 0; i < 3; ++i) t[i] = samples_[s - 1 + i].t, g[i] = indicator(samples_[s - 1 + i], k);
      for (int look = 0; look < looks_at_extremum; ++look) {
        const auto vertex = extremum_near_zero(t, g, comes_near);
        if (!vertex) break;
        samples_.resize(std::max(samples_.size(), used_ + 2));
        Sample& extra = samples_[used_];
        if (!evaluate(*vertex, path, extra)) break;
        const double found = indicator(extra, k);
        const std::size_t place = *vertex < samples_[s].t ? s : s + 1;
        const bool differs_now = (found < 0.0) != (g[0] < 0.0);
        const bool improves = std::abs(found) < std::abs(g[1]);
        if (differs_now || improves) {
          std::rotate(samples_.begin() + static_cast<std::ptrdiff_t>(place),
                      samples_.begin() + static_cast<std::ptrdiff_t>(used_),
                      samples_.begin() + static_cast<std::ptrdiff_t>(used_) + 1);
          ++used_;
        }
        if (differs_now || !improves) break;
        s = place;
        if (s == 0 || s + 1 >= used_) break;
        for (int i = 0; i < 3; ++i) t[i] = samples_[s - 1 + i].t, g[i] = indicator(samples_[s - 1 + i], k);
      }
    }
}

// Bisection to two adjacent numbers. Nothing if the change is a kink, or a quotient that stays finite; then the last
// sample lies after it.
std::optional<Switches::Crossing> Switches::bracket(const Sample& left, const Sample& right, const Path& path) {
  Sample before = left, behind = right, middle;
  for (double t = std::midpoint(before.t, behind.t); t > before.t && t < behind.t;
       t = std::midpoint(before.t, behind.t)) {
    if (!evaluate(t, path, middle)) break;
    std::swap(any_differs(before, middle) ? behind : before, middle);
  }
  std::optional<Crossing> crossing;
  for (std::size_t k = 0; k < watched_.size() && !crossing; ++k) {
    if (!differs(before, behind, k)) continue;
    const Model& model = *reduced_.model;
    const Equation& equation = model[watched_[k].equation];
    const std::string what = fmt::format("{} in {}: {}", to_string(*model.pool, watched_[k].node, names_of(model)),
                                         equation.label, equation.text);
    if (watched_[k].kind == Kind::Denominator) {
      const double size = std::fmax(std::abs(discrete(before, k)), std::abs(discrete(behind, k)));
      const double usual = std::fmax(std::abs(discrete(left, k)), std::abs(discrete(right, k)));
      if (!(size <= is_infinite * (1.0 + usual)) || grows_towards(before.t, behind.t, left, right, k, path))
        crossing = Crossing{before.t, behind.t, what, true};
    } else if (jumps(before, behind)) {
      crossing = Crossing{before.t, behind.t, what, false};
    }
  }
  samples_.back() = std::move(behind);
  return crossing;
}

// A quotient whose numerator vanishes as well has a limit, or grows more slowly than at a pole: x' = x/(t - 1) has a
// solution beyond t = 1, x' = x/(2 (t - 1)) arrives there with x = 0 and without a slope. Its value at a small
// distance, where it still has correct digits, is compared with the rest of the step or, if steps have become too short
// for that, with the beginning of the run.
bool Switches::grows_towards(double before, double behind, const Sample& left, const Sample& right, std::size_t k,
                             const Path& path) {
  const double width = right.t - left.t, digits = std::nextafter(std::abs(behind), HUGE_VAL) - std::abs(behind);
  const double near = std::max(near_a_pole * width, least_ulps * digits);
  double usual = 1.0 + first_[k], found = 0.0;
  Sample sample;
  if (near == near_a_pole * width) {
    usual = std::fmax(std::abs(discrete(left, k)), std::abs(discrete(right, k)));
    for (const double t : {std::lerp(left.t, before, 0.75), std::lerp(right.t, behind, 0.75)})
      if (evaluate(t, path, sample)) usual = std::fmax(usual, std::abs(discrete(sample, k)));
  }
  for (const double t : {std::max(before - near, left.t), std::min(behind + near, right.t)})
    if (evaluate(t, path, sample)) found = std::fmax(found, std::abs(discrete(sample, k)));
  return found > growth_at_pole * usual;
}

// The values come in pairs: an expression that may jump, and the condition or step function that decides it. If the
// decision has not changed there is no jump, even if the value changes by rounding.
bool Switches::jumps(const Sample& before, const Sample& behind) const {
  for (std::size_t k = 2 * watched_.size(); k < largest_.size(); k += 2) {
    if (before.values[k + 1] == behind.values[k + 1]) continue;
    const double jump = std::abs(behind.values[k] - before.values[k]);
    if (!(jump <= is_continuous * largest_[k])) return true;
  }
  return false;
}

}  // namespace driftless
