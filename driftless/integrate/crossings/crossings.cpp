#include "driftless/integrate/crossings/crossings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "driftless/integrate/crossings/cubic.hpp"

namespace driftless {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double units_of_terms = 4.0, units_of_time = 2.0;  // in the last place: the level of rounding
constexpr double contradiction = 10.0;                       // in units of the tolerance

// An extremum of the cubic is examined if its distance to 0 is less than this part of its distance to the chord.
constexpr double comes_near = 0.25;

// Of polynomials whose extrema are found directly, without interpolation.
constexpr std::size_t most_coefficients = 24;

}  // namespace

Crossings::Crossings(std::vector<Function> functions, double tolerance)
    : tolerance_(tolerance), functions_(std::move(functions)) {
  const std::size_t n = functions_.size();
  held_.resize(n), levels_.resize(n), sizes_.resize(2 * n), allowed_.resize(n), last_.resize(n);
  grid_.resize(Interpolant::highest_degree + 1);
  for (Sample& s : grid_) s.values.resize(2 * n);
  for (Sample* s : {&before_, &begin_, &end_, &here_}) s->values.resize(2 * n);
  bounds_.reserve(2 * n);
  crossed_.reserve(n);
}

void Crossings::Bound::archive(Archive& archive) {
  archive(function, sign, offset, contains_zero, armed, will_be_armed, waits_to);
}

void Crossings::archive(Archive& archive) {
  archive(held_, bounds_, is_fresh_, before_, begin_, end_, levels_, last_, crossed_);
}

double Crossings::value(Kind kind, double g) {
  switch (kind) {
    case Kind::Less: return g < 0.0 ? 1.0 : 0.0;
    case Kind::LessEqual: return g <= 0.0 ? 1.0 : 0.0;
    case Kind::Floor: return std::floor(g);
    case Kind::Ceil: return std::ceil(g);
  }
  return 0.0;
}

double Crossings::level(double size, double slope, double t) {
  return epsilon * (units_of_terms * size + units_of_time * std::abs(slope * t));
}

void Crossings::forget() {
  is_fresh_ = true;
  before_.exists = begin_.exists = end_.exists = false;
}

void Crossings::hold(std::span<const double> values) {
  std::ranges::copy(values, held_.begin());
  bounds_.clear();
  for (std::size_t f = 0; f < functions_.size(); ++f) add_bounds(static_cast<int>(f), values[f]);
  forget();
}

void Crossings::add_bounds(int f, double value) {
  const bool holds = value != 0.0;
  switch (functions_[f].kind) {
    case Kind::Less: bounds_.push_back({f, holds ? -1.0 : 1.0, 0.0, !holds}); break;
    case Kind::LessEqual: bounds_.push_back({f, holds ? -1.0 : 1.0, 0.0, holds}); break;
    case Kind::Floor:
      bounds_.push_back({f, 1.0, -value, true});
      bounds_.push_back({f, -1.0, value + 1.0, false});
      break;
    case Kind::Ceil:
      bounds_.push_back({f, 1.0, 1.0 - value, false});
      bounds_.push_back({f, -1.0, value, true});
      break;
  }
}

bool Crossings::evaluate(double t, const Course& course, Sample& sample) {
  sample.t = t;
  return sample.exists = course.values(t, sample.values);
}

// A step that is repeated reuses the sample at its beginning.
bool Crossings::take_ends(double a, double b, const Course& course) {
  if (end_.exists && end_.t == a) {
    std::swap(before_, begin_);
    std::swap(begin_, end_);
    for (Bound& bound : bounds_) bound.armed = bound.will_be_armed;
  } else if (!(begin_.exists && begin_.t == a)) {
    before_.exists = false;
    is_fresh_ = true;
    if (!evaluate(a, course, begin_)) return false;
  }
  if (!evaluate(b, course, end_)) return false;
  fill_slopes(course);
  return true;
}

// Where the model gives no slopes: those of the parabola through the ends and the beginning of the previous step, or,
// in the first step after an event, those of the cubic through the ends and two points between.
void Crossings::fill_slopes(const Course& course) {
  if (std::ranges::all_of(functions_, &Function::has_slope)) return;
  const std::size_t n = functions_.size();
  const double h = end_.t - begin_.t;
  const bool has_before = before_.exists && before_.t < begin_.t;
  Sample& third = grid_[0];
  Sample& two_thirds = grid_[1];
  const bool has_cubic = !has_before && evaluate(begin_.t + h / 3.0, course, third) &&
                         evaluate(begin_.t + 2.0 * h / 3.0, course, two_thirds);
  for (std::size_t f = 0; f < n; ++f) {
    if (functions_[f].has_slope) continue;
    double& slope0 = begin_.values[n + f];
    double& slope1 = end_.values[n + f];
    slope0 = slope1 = std::numeric_limits<double>::quiet_NaN();
    const double g0 = begin_.values[f], g1 = end_.values[f], second = (g1 - g0) / h;
    if (has_before) {
      const double first = (g0 - before_.values[f]) / (begin_.t - before_.t);
      const double bend = (second - first) / (end_.t - before_.t);
      slope0 = second - bend * h, slope1 = second + bend * h;
    } else if (has_cubic) {
      const double u = third.values[f] - g0, v = two_thirds.values[f] - g0;
      slope0 = (18.0 * u - 9.0 * v + 2.0 * (g1 - g0)) / (2.0 * h);
      slope1 = (9.0 * u - 18.0 * v + 11.0 * (g1 - g0)) / (2.0 * h);
    }
  }
}

void Crossings::find_levels(const Course& course) {
  if (levels_are_known_) return;
  levels_are_known_ = true;
  const std::size_t n = functions_.size();
  std::ranges::fill(levels_, 0.0);
  std::ranges::fill(allowed_, 0.0);
  const double t = std::fmax(std::abs(begin_.t), std::abs(end_.t)), h = end_.t - begin_.t;
  for (const Sample* s : {&begin_, &end_}) {
    course.sizes(s->t, sizes_);
    for (std::size_t f = 0; f < n; ++f) {
      const double chord = (end_.values[f] - begin_.values[f]) / h;
      const double slope = std::fmax(std::abs(s->values[n + f]), std::abs(chord));
      levels_[f] = std::fmax(levels_[f], level(sizes_[f], slope, t));
      allowed_[f] = std::fmax(allowed_[f], tolerance_ * sizes_[n + f]);
    }
  }
}

// Called in the first step after an event. The polynomial of the step may differ from the point at its beginning by
// some tolerances: crossings within this difference do not count.
std::optional<Crossings::Found> Crossings::arm(const Course& course) {
  find_levels(course);
  is_fresh_ = false;
  const auto is_near = [&](const Bound& bound) {
    return distance(bound, begin_) <= levels_[bound.function] + contradiction * allowed_[bound.function];
  };
  const bool looks_behind =
      std::ranges::any_of(bounds_, is_near) && evaluate(std::nextafter(begin_.t, end_.t), course, here_);
  for (Bound& bound : bounds_) {
    if (bound.is_away) continue;
    const double m = distance(bound, begin_), m_behind = looks_behind ? distance(bound, here_) : m;
    const double gap = std::fmin(std::abs(m_behind - m), contradiction * allowed_[bound.function]);
    const double least = std::fmin(m, m_behind), level = levels_[bound.function] + gap;
    bound.armed = bound.will_be_armed = least > level;
    bound.waits_to = -(level + 2.0 * std::fmax(-least, 0.0));
  }
  if (std::ranges::any_of(bounds_, [&](const Bound& bound) { return contradicts(bound); }))
    return Found{begin_.t, begin_.t};
  return {};
}

bool Crossings::contradicts(const Bound& bound) const {
  return -distance(bound, begin_) > levels_[bound.function] + contradiction * allowed_[bound.function];
}

// A bound that waits may be exceeded by more: twice its excess at the beginning.
std::optional<int> Crossings::contradicted(std::span<const double> values, std::span<const double> sizes) const {
  const std::size_t n = functions_.size();
  for (const Bound& bound : bounds_) {
    const auto f = static_cast<std::size_t>(bound.function);
    const double m = bound.sign * values[f] + bound.offset;
    const double allowed = epsilon * units_of_terms * sizes[f] + contradiction * tolerance_ * sizes[n + f];
    if (m < 0.0 && -m > 3.0 * allowed) return bound.function;
  }
  return {};
}

bool Crossings::any_is_beyond(std::span<const double> values) const {
  return std::ranges::any_of(bounds_, [&](const Bound& bound) {
    return bound.sign * values[static_cast<std::size_t>(bound.function)] + bound.offset < 0.0;
  });
}

bool Crossings::leaves_at_end(const Bound& bound, const Course& course) {
  const double m = distance(bound, end_);
  if (!bound.armed) return m < bound.waits_to;
  if (!is_out(bound, m)) return false;
  if (rate(bound, end_) < 0.0) return true;
  find_levels(course);
  return m < -levels_[bound.function];
}

// By the cubic p with the distances and rates of the ends; p' = A x^2 + 2 B x + d0.
bool Crossings::cubic_is_doubtful(const Bound& bound) const {
  const double h = end_.t - begin_.t, m0 = distance(bound, begin_), m1 = distance(bound, end_);
  const double d0 = h * rate(bound, begin_), d1 = h * rate(bound, end_);
  const double change = m1 - m0;
  // x (1 - x)^2 is at most 4/27, which bounds the distance of the cubic to its chord.
  const double deviation = 4.0 / 27.0 * (std::abs(d0 - change) + std::abs(d1 - change));
  if (bound.armed && std::fmin(m0, m1) > (1.0 + comes_near) * deviation) return false;
  const double A = 3.0 * (d0 + d1 - 2.0 * change), B = 3.0 * change - 2.0 * d0 - d1;
  if (!std::isfinite(A) || !std::isfinite(B)) return true;
  const double discriminant = B * B - A * d0;
  if (!(discriminant > 0.0)) return false;
  const double root = std::sqrt(discriminant), q = -(B + std::copysign(root, B));
  double places[2] = {A != 0.0 ? q / A : 2.0, q != 0.0 ? d0 / q : 2.0};
  if (places[0] > places[1]) std::swap(places[0], places[1]);
  bool was_out = false;
  int changes = 0;
  for (const double x : places) {
    if (!(x > 0.0 && x < 1.0)) continue;
    const double m = cubic(x, m0, m1, d0, d1);
    if (!bound.armed || std::abs(m) <= comes_near * std::abs(m - (m0 + x * change))) return true;
    changes += (m < 0.0) != was_out;
    was_out = m < 0.0;
  }
  return changes + (is_out(bound, m1) != was_out) > 1;
}

// Are the functions in the middle of the step far from 0, and close to the cubics through its ends?
bool Crossings::middle_is_as_expected(const Course& course) {
  if (!evaluate(std::midpoint(begin_.t, end_.t), course, here_)) return false;
  const double h = end_.t - begin_.t;
  return std::ranges::all_of(bounds_, [&](const Bound& bound) {
    const double m0 = distance(bound, begin_), m1 = distance(bound, end_), m = distance(bound, here_);
    const double expected = cubic(0.5, m0, m1, h * rate(bound, begin_), h * rate(bound, end_));
    const double line = std::midpoint(m0, m1), least = std::fmin(std::fmin(m0, m1), m);
    return bound.armed && std::fmax(std::abs(m - expected), std::abs(m - line)) <= comes_near * least;
  });
}

// After a step without event: which bounds are armed at the beginning of the next one. For bounds that were searched
// inside the step this is already known.
void Crossings::arm_behind(const Course& course) {
  for (Bound& bound : bounds_) {
    if (bound.armed) bound.will_be_armed = true;
    if (bound.armed || bound.will_be_armed || bound.is_doubtful) continue;
    find_levels(course);
    bound.will_be_armed = distance(bound, end_) > levels_[bound.function];
  }
}

bool Crossings::waits(std::size_t f, double held, double g) const {
  return held_[f] == held && std::ranges::any_of(bounds_, [&](const Bound& bound) {
           return bound.function == static_cast<int>(f) && !bound.will_be_armed &&
                  bound.sign * g + bound.offset >= bound.waits_to;
         });
}

std::optional<Crossings::Found> Crossings::find(double a, double b, const Course& course, Steps steps,
                                                std::span<const char> away, std::span<const AlongStep> along) {
  crossed_.clear();
  undecided_.reset();
  if (functions_.empty() || !take_ends(a, b, course)) return {};
  levels_are_known_ = false;
  for (Bound& bound : bounds_) {
    bound.is_away = !away.empty() && away[static_cast<std::size_t>(bound.function)] != 0;
    if (bound.is_away) bound.armed = true;
  }
  std::optional<Found> first;
  if (is_fresh_) first = arm(course);
  const bool contradicts_beginning = first.has_value();
  bool any = false;
  for (Bound& bound : bounds_) {
    bound.will_be_armed = bound.armed;
    bound.is_doubtful = !bound.is_away && (!away.empty() || steps == Steps::Long || steps == Steps::Oscillating ||
                                           cubic_is_doubtful(bound));
    any = any || bound.is_doubtful;
  }
  if (!first && away.empty() && steps == Steps::Medium && (any || !middle_is_as_expected(course))) {
    for (Bound& bound : bounds_) bound.is_doubtful = true;
    any = true;
  }
  const bool is_known = !along.empty() && std::ranges::all_of(bounds_, [&](const Bound& bound) {
    return !bound.is_doubtful || along[static_cast<std::size_t>(bound.function)].c.size() <= most_coefficients;
  });
  if (!first && any) first = is_known ? look_along(course, along) : look_inside(course, steps);
  for (const Bound& bound : bounds_)
    if (!bound.is_doubtful && !bound.is_away && leaves_at_end(bound, course)) {
      find_levels(course);
      take_first(first, bound, {{a, distance(bound, begin_)}, {b, distance(bound, end_)}}, course);
    }
  if (first)
    note_crossed(*first, contradicts_beginning, course);
  else
    arm_behind(course);
  for (std::size_t f = 0; f < functions_.size(); ++f)
    last_[f] = (first && (away.empty() || !away[f]) ? here_ : end_).values[f];
  return first;
}

}  // namespace driftless
