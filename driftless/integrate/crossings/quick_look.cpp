#include "driftless/integrate/crossings/quick_look.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

constexpr double least_distance = 8.0;  // in units of the last changes

// Allowance for rounding of a function and of its bound, and for the distance of points on the constraints from the
// polynomial: in units of the bound, and of the size of the terms.
constexpr double beyond_bound = 1.25, part_of_terms = 1e-3;

bool has_parameters_only(const Pool& pool, NodeId expression) {
  return !any_node(pool, expression, [&](NodeId id) { return pool[id].op == Op::Variable || pool[id].op == Op::Time; });
}

}  // namespace

QuickLook::QuickLook(const CompiledSystem& system, const std::shared_ptr<Pool>& shared_pool, std::span<const NodeId> g,
                     std::span<const Crossings::Function> functions) {
  Pool& pool = *shared_pool;
  const Reduced& reduced = system.reduced();
  std::vector<NodeId> rests, coefficients;
  for (std::size_t f = 0; f < g.size(); ++f) {
    NodeId rest = g[f];
    Line line{functions[f].kind, terms_.size(), terms_.size()};
    for (const NodeId leaf : variables_of(pool, g[f])) {
      const Reduced::Address& at = reduced.addresses[pool[leaf].a][pool[leaf].b];
      const auto linear = linear_in(pool, rest, leaf);
      if (at.place != Place::Slot || !linear || !has_parameters_only(pool, linear->coefficient)) return;
      rest = linear->rest;
      terms_.push_back({static_cast<std::size_t>(at.index)});
      coefficients.push_back(linear->coefficient);
      nominals_.push_back(std::abs((*reduced.model)[VarId{static_cast<int>(pool[leaf].a)}].nominal));
    }
    if (!has_parameters_only(pool, rest)) return;
    line.last = terms_.size();
    lines_.push_back(line);
    rests.push_back(rest);
  }
  if (lines_.empty()) return;
  KernelSource source{"lines of events", std::move(rests)};
  source.outputs.insert(source.outputs.end(), coefficients.begin(), coefficients.end());
  InputLayout layout;
  layout.parameters = system.layout().parameters;
  layout.inputs = 1 + layout.parameters;
  layout.variable = [](VarId, int) { return -1; };
  numbers_.resize(source.outputs.size());
  kernel_ = compile(shared_pool, {&source, 1}, layout, Backend::Interpreter).kernels.front();
  work_.resize(kernel_->work_size());
  last_.resize(lines_.size());
  changes_.resize(lines_.size());
}

void QuickLook::take_parameters(std::span<const double> inputs, std::span<const double> held) {
  if (!kernel_) return;
  (*kernel_)(inputs.data(), numbers_.data(), work_.data());
  for (std::size_t f = 0; f < lines_.size(); ++f) lines_[f].rest = numbers_[f], lines_[f].held = held[f];
  for (std::size_t k = 0; k < terms_.size(); ++k) terms_[k].weight = numbers_[lines_.size() + k];
  h_ = 0.0;
}

double QuickLook::value(const Line& line, std::span<const double> y) const {
  double g = line.rest;
  for (std::size_t k = line.first; k < line.last; ++k) g += terms_[k].weight * y[terms_[k].slot];
  return g;
}

double QuickLook::distance(const Line& line, double g) {
  switch (line.kind) {
    case Crossings::Kind::Floor: return std::fmin(g - line.held, line.held + 1.0 - g);
    case Crossings::Kind::Ceil: return std::fmin(line.held - g, g - line.held + 1.0);
    default: return line.held != 0.0 ? -g : g;
  }
}

bool QuickLook::take_polynomials(Stepper& stepper, std::span<const double> from, std::span<const double> to) {
  along_.resize(lines_.size());
  away_.resize(lines_.size());
  all_away_ = true;
  for (std::size_t f = 0; f < lines_.size(); ++f) {
    if (!stepper.along_step(terms(lines_[f]), along_[f])) return false;
    along_[f].c[0] += lines_[f].rest;
    away_[f] = stays_away(lines_[f], along_[f], from, to);
    all_away_ = all_away_ && away_[f];
  }
  return true;
}

bool QuickLook::stays_away(const Line& line, const AlongStep& along, std::span<const double> from,
                           std::span<const double> to) const {
  const double g0 = value(line, from), g1 = value(line, to);
  const double nearest = std::fmin(distance(line, g0), distance(line, g1));
  double size = std::abs(line.rest);
  for (const SlotWeight& term : terms(line))
    size += std::abs(term.weight) * std::fmax(std::abs(from[term.slot]), std::abs(to[term.slot]));
  return std::isfinite(g1) && nearest > beyond_bound * along.deviation() + part_of_terms * size;
}

void QuickLook::values(double t, std::span<double> values_and_slopes) const {
  for (std::size_t f = 0; f < lines_.size(); ++f) {
    if (away_[f]) continue;
    const auto [value, slope] = along_[f](t);
    values_and_slopes[f] = value, values_and_slopes[lines_.size() + f] = slope;
  }
}

void QuickLook::sizes(std::span<const double> y, std::span<double> sizes) const {
  for (std::size_t f = 0; f < lines_.size(); ++f) {
    double size = 0.0, with_nominal = 0.0;
    for (std::size_t k = lines_[f].first; k < lines_[f].last; ++k) {
      const double weight = std::abs(terms_[k].weight), term = weight * std::abs(y[terms_[k].slot]);
      size += term, with_nominal += term + weight * nominals_[k];
    }
    sizes[f] = size, sizes[lines_.size() + f] = with_nominal;
  }
}

bool QuickLook::is_far(double a, double b, std::span<const double> from, std::span<const double> to) {
  const bool follows = h_ > 0.0 && time_ == a;
  const double h = b - a, growth = follows && h > h_ ? (h / h_) * (h / h_) : 1.0;
  bool all_far = follows;
  for (std::size_t f = 0; f < lines_.size(); ++f) {
    const Line& line = lines_[f];
    const double g0 = follows ? last_[f] : value(line, from), g1 = value(line, to);
    const double change = std::abs(g1 - g0), most = least_distance * (change + growth * changes_[f]);
    const bool is_relation = Crossings::is_relation(line.kind);
    const double nearest = !is_relation       ? std::min(distance(line, g0), distance(line, g1))
                           : line.held != 0.0 ? -std::max(g0, g1)
                                              : std::min(g0, g1);
    all_far = all_far && nearest > most && std::isfinite(g1);
    last_[f] = g1;
    changes_[f] = change;
  }
  time_ = b;
  h_ = h;
  return all_far;
}

}  // namespace driftless
