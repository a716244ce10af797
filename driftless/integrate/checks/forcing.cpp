#include "driftless/integrate/checks/forcing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "driftless/expr/calculus.hpp"
#include "driftless/integrate/checks/forcing_terms.hpp"

namespace driftless {
namespace {

// Beyond the values at the ends of a step: a part of what their slopes would make of it, of their difference, of the
// tolerance, and of the last digits.
constexpr double of_slopes = 0.5, of_difference = 0.25, of_tolerance = 0.01, of_digits = 1e-12;
constexpr int most_pieces = 120;
constexpr int longest_rest = 64;         // steps
constexpr double shortest_part = 1e-10;  // of the time

}  // namespace

// Collected once; every run has its own numbers.
Forcing::Forcing(const System& system, double tolerance, double begin, double end)
    : Forcing(*system.compiled().part<Forcing>(
          {}, [&] { return std::shared_ptr<const Forcing>(new Forcing(system.compiled())); })) {
  tolerance_ = tolerance, begin_ = begin, end_ = end;
  if (exist()) take_parameters(system.parameters());
}

Forcing::Forcing(const CompiledSystem& system) {
  const std::shared_ptr<const Reduced> reduced = growable(system.shared_reduced());
  Pool& pool = *reduced->model->pool;
  for (const NodeId term : forcing_terms(*reduced->model)) {
    const NodeId slope = partial(pool, term, pool.time());
    const bool jumps = any_node(pool, term, [&](NodeId id) { return is_piecewise_constant(pool[id].op); });
    terms_.push_back({jumps, BoundsInTime(pool, term), BoundsInTime(pool, slope)});
  }
}

void Forcing::take_parameters(std::span<const double> values) {
  for (Term& term : terms_) {
    term.value.take_parameters(values);
    term.slope.take_parameters(values);
    const Interval whole = term.value(begin_, end_);
    const double width = whole.high - whole.low;
    term.usual = std::isfinite(width) ? width : 0.0;
    term.at = std::numeric_limits<double>::quiet_NaN();
  }
}

double Forcing::Explained::distance(double value) const { return std::max({low - value, value - high, 0.0}); }

double Forcing::Explained::excess(Interval bounds) const {
  return std::max({low - bounds.low, bounds.high - high, 0.0});
}

double Forcing::value_at(Term& term, double t) const {
  if (term.at != t) term.at = t, term.value_there = term.value.value(t);
  return term.value_there;
}

Forcing::Explained Forcing::explained(const Term& term, double from, double to, double by_slopes) const {
  const double reach = by_slopes + of_difference * std::abs(to - from) + of_tolerance * tolerance_ * term.usual +
                       of_digits * (std::abs(from) + std::abs(to));
  return {std::min(from, to) - reach, std::max(from, to) + reach};
}

// By how much the term may leave what is explained. In short pieces the mean value theorem gives narrower bounds than
// the term itself, in which time occurs several times: f(middle) + f'(piece) (t - middle).
double Forcing::excess(Term& term, const Explained& by_ends, double from, double to) const {
  Interval bounds = term.value(from, to);
  const double natural = by_ends.excess(bounds);
  if (!(natural > 0.0) || term.jumps) return natural;
  const Interval slope = term.slope(from, to);
  const double middle = term.value.value(std::midpoint(from, to));
  const double change = 0.5 * (to - from) * std::fmax(std::abs(slope.low), std::abs(slope.high));
  bounds.low = std::fmax(bounds.low, middle - change), bounds.high = std::fmin(bounds.high, middle + change);
  return by_ends.excess(bounds);
}

std::optional<Forcing::Pulse> Forcing::find(double a, double b, const std::function<bool(double peak)>& matters) {
  for (Term& term : terms_) {
    if (term.idle > 0) {
      --term.idle;
      continue;
    }
    const double from = value_at(term, a), to = value_at(term, b);
    if (!(explained(term, from, to, 0.0).excess(term.value(a, b)) > 0.0)) continue;
    const double slope = std::fmax(std::abs(term.slope.value(a)), std::abs(term.slope.value(b)));
    const Explained by_ends = explained(term, from, to, of_slopes * slope * (b - a));
    if (!(excess(term, by_ends, a, b) > 0.0)) continue;
    const std::optional<double> peak = find_peak(term, by_ends, a, b);
    if (!peak)
      term.idle = term.rests = std::min(longest_rest, 2 * term.rests + 1);
    else
      term.rests = 0;
    if (peak && matters(*peak)) return Pulse{begin_of(term, by_ends, a, *peak), *peak};
  }
  return {};
}

// The place whose value is farthest from what the ends explain, to a factor of two.
std::optional<double> Forcing::find_peak(Term& term, const Explained& by_ends, double a, double b) {
  double farthest = 0.0, peak = a;
  pieces_.clear();
  const auto smaller = [](const Piece& p, const Piece& q) { return p.excess < q.excess; };
  const auto add = [&](double from, double to) {
    const double beyond = excess(term, by_ends, from, to);
    if (!(beyond > 2.0 * farthest)) return;
    pieces_.push_back({from, to, beyond});
    std::ranges::push_heap(pieces_, smaller);
  };
  add(a, b);
  for (int k = 0; k < most_pieces && !pieces_.empty() && pieces_.front().excess > 2.0 * farthest; ++k) {
    std::ranges::pop_heap(pieces_, smaller);
    const Piece piece = pieces_.back();
    pieces_.pop_back();
    const double middle = std::midpoint(piece.begin, piece.end);
    if (!(middle - piece.begin > shortest_part * std::abs(middle))) continue;
    const double distance = by_ends.distance(term.value.value(middle));
    if (distance > farthest) farthest = distance, peak = middle;
    add(piece.begin, middle);
    add(middle, piece.end);
  }
  return farthest > 0.0 ? std::optional(peak) : std::nullopt;
}

double Forcing::begin_of(Term& term, const Explained& by_ends, double a, double peak) const {
  const double rises = of_tolerance * tolerance_ * by_ends.distance(term.value.value(peak));
  double before = a, behind = peak;
  for (double t; (t = std::midpoint(before, behind)) > before && behind - before > shortest_part * (peak - a);)
    (by_ends.distance(term.value.value(t)) > rises ? behind : before) = t;
  return behind;
}

void Forcing::archive(Archive& archive) { archive(terms_); }

}  // namespace driftless
