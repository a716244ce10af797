#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "driftless/integrate/crossings/bracket.hpp"
#include "driftless/integrate/crossings/crossings.hpp"
#include "driftless/integrate/crossings/cubic.hpp"

namespace driftless {
namespace {

constexpr double converged = 1e-10;        // of the size of an interpolant: its last coefficients
constexpr double slopes_agree = 0.1;       // of its deviation from the mean: its slopes at the ends, and the known ones
constexpr double tails_in_error = 4.0;     // a bound of its error, in units of its last coefficients
constexpr double is_certain = 1e-6;        // of its size: this far from 0 its value has the sign of the function
constexpr double noise = 1e-13;            // of its size, in the coefficients of its derivative
constexpr double least_units = 256.0;      // of the last place of time: shorter pieces have no polynomial
constexpr int most_looks = 200;            // until two neighbours are found
constexpr double part_of_tolerance = 0.1;  // accuracy for very short pieces
constexpr int looks_at_cubic = 12;
constexpr double units_of_coincidence = 8.0;

// How often all pieces may be halved; some, where a function has a kink, may be halved more often.
int deepest(Crossings::Steps steps) { return steps == Crossings::Steps::Oscillating ? 8 : 4; }
int most_pieces(Crossings::Steps steps) { return steps == Crossings::Steps::Oscillating ? 768 : 192; }

double unit(double t) { return std::nextafter(std::abs(t), HUGE_VAL) - std::abs(t); }

}  // namespace

std::optional<Crossings::Found> Crossings::look_inside(const Course& course, Steps steps) {
  find_levels(course);
  for (Bound& bound : bounds_) bound.inside = {begin_.t, distance(bound, begin_)};
  pieces_.assign(1, {begin_.t, end_.t, 0});
  looked_at_ = 0;
  std::optional<Found> first;
  while (!pieces_.empty() && !first) {
    const Piece piece = pieces_.back();
    pieces_.pop_back();
    ++looked_at_;
    bool splits = false;
    const bool is_polynomial = describe(piece, course, steps, splits);
    if (splits) {
      const double middle = std::midpoint(piece.low, piece.high);
      pieces_.push_back({middle, piece.high, piece.depth + 1});
      pieces_.push_back({piece.low, middle, piece.depth + 1});
      continue;
    }
    for (Bound& bound : bounds_) {
      if (!bound.is_doubtful) continue;
      if (const auto in = walk(bound, piece, is_polynomial, course)) take_first(first, bound, *in, course);
    }
  }
  return first;
}

// The functions are known polynomials: nothing is interpolated.
std::optional<Crossings::Found> Crossings::look_along(const Course& course, std::span<const AlongStep> along) {
  find_levels(course);
  std::optional<Found> first;
  for (Bound& bound : bounds_) {
    if (!bound.is_doubtful) continue;
    bound.inside = {begin_.t, distance(bound, begin_)};
    if (const auto in = walk_along(bound, along[static_cast<std::size_t>(bound.function)]))
      take_first(first, bound, *in, course);
  }
  return first;
}

// From the left to the right, as `walk`: the ends of the interval in which the polynomial is valid, and its extrema
// between.
std::optional<Crossings::Interval> Crossings::walk_along(Bound& bound, const AlongStep& along) {
  std::optional<Interval> found;
  const auto goes_to = [&](double t, double m) {
    const Place from = bound.inside;
    if (!found && passes(bound, t, m)) found = Interval{from, {t, m}};
    return !found;
  };
  const auto value = [&](double t) { return bound.sign * along(t).value + bound.offset; };
  const double size = take_polynomial(bound, along), least = *std::ranges::min_element(bernstein_);
  const double low = std::nextafter(begin_.t, end_.t), high = std::nextafter(end_.t, begin_.t);
  // A polynomial is at least the smallest of its coefficients in the Bernstein basis.
  if (!(bound.will_be_armed && least > levels_[bound.function] + noise * size) && low < high) {
    goes_to(low, value(low));
    const std::size_t n = bernstein_.size() - 1;
    for (std::size_t i = 0; i < n; ++i) bernstein_[i] = static_cast<double>(n) * (bernstein_[i + 1] - bernstein_[i]);
    bernstein_.pop_back();
    if (n > 0 && !found)
      for (const double x : roots_.find(bernstein_, noise * size)) {
        const double t = begin_.t + x * (end_.t - begin_.t);
        if (!found && t > bound.inside.t && t < high) goes_to(t, value(t));
      }
    goes_to(high, value(high));
  }
  goes_to(end_.t, distance(bound, end_));
  return found;
}

// Computes its distance in the Bernstein basis of the step. Returns a bound of its size.
double Crossings::take_polynomial(const Bound& bound, const AlongStep& along) {
  const std::size_t count = along.c.size();
  const double from = (begin_.t - along.origin) / along.h, width = (end_.t - begin_.t) / along.h;
  polynomial_.resize(count);
  for (std::size_t k = 0; k < count; ++k) polynomial_[k] = bound.sign * along.c[k];
  polynomial_[0] += bound.offset;
  for (std::size_t first = 0; from != 0.0 && first + 1 < count; ++first)  // about the beginning
    for (std::size_t k = count - 1; k-- > first;) polynomial_[k] += from * polynomial_[k + 1];
  double size = 0.0, power = 1.0;
  for (double& c : polynomial_) {
    c *= power;
    power *= width;
    size += std::abs(c);
  }
  // b_i = sum_k (i over k)/(n over k) c_k: n passes turn differences into values.
  bernstein_ = polynomial_;
  double binomial = 1.0;
  for (std::size_t k = 1; k < count; ++k) {
    binomial *= static_cast<double>(count - k) / static_cast<double>(k);
    bernstein_[k] /= binomial;
  }
  for (std::size_t pass = 1; pass < count; ++pass)
    for (std::size_t i = count - 1; i >= pass; --i) bernstein_[i] += bernstein_[i - 1];
  return size;
}

// Samples the functions in the piece. False where there is no polynomial: it is too short, or some values do not exist.
bool Crossings::describe(const Piece& piece, const Course& course, Steps steps, bool& splits) {
  if (piece.high - piece.low < least_units * unit(std::fmax(std::abs(piece.low), std::abs(piece.high)))) return false;
  const int lowest = steps == Steps::Oscillating ? Interpolant::highest_degree : 4;
  for (int degree = lowest; degree <= Interpolant::highest_degree; degree *= 2) {
    if (!sample(piece, degree, degree > lowest, course)) {
      splits = piece.depth < deepest(steps);
      return false;
    }
    degree_ = degree;
    const Bound* open = nullptr;
    for (Bound& bound : bounds_)
      if (bound.is_doubtful && !is_described(bound, piece, degree, steps)) open = &bound;
    if (!open) return true;
    splits = degree == Interpolant::highest_degree && may_split(piece, steps);
    if (degree == Interpolant::highest_degree && !splits) undecided_ = open->function;
  }
  return true;
}

bool Crossings::may_split(const Piece& piece, Steps steps) const {
  return piece.depth < deepest(steps) || looked_at_ + static_cast<int>(pieces_.size()) < most_pieces(steps);
}

// At the ends of the step, the polynomial of the method may differ a little from the solved points: the samples are
// taken inside.
bool Crossings::sample(const Piece& piece, int degree, bool has_half, const Course& course) {
  const double middle = std::midpoint(piece.low, piece.high), half = 0.5 * (piece.high - piece.low);
  const int stride = Interpolant::highest_degree / degree;
  for (int j = 0; j <= degree; ++j) {
    if (has_half && j % 2 == 0) continue;
    double t = middle + half * Interpolant::point(j, degree);
    if (j == 0) t = piece.high == end_.t ? std::nextafter(piece.high, piece.low) : piece.high;
    if (j == degree) t = piece.low == begin_.t ? std::nextafter(piece.low, piece.high) : piece.low;
    if (!evaluate(t, course, grid_[j * stride])) return false;
  }
  return true;
}

void Crossings::interpolate(const Bound& bound, int degree) {
  std::array<double, Interpolant::highest_degree + 1> m;
  const int stride = Interpolant::highest_degree / degree;
  for (int j = 0; j <= degree; ++j) m[j] = distance(bound, grid_[j * stride]);
  interpolant_.take({m.data(), static_cast<std::size_t>(degree) + 1}, degree);
}

// Many short pieces resolve an oscillation: in them the slopes need not agree, and details below the tolerance are not
// resolved.
bool Crossings::is_described(Bound& bound, const Piece& piece, int degree, Steps steps) {
  interpolate(bound, degree);
  const double half = 0.5 * (piece.high - piece.low), tail = interpolant_.tail();
  double mismatch = 0.0;
  if (functions_[bound.function].has_slope)
    for (const auto& [end, s] : {std::pair(1, &grid_.front()), std::pair(-1, &grid_.back())})
      mismatch = std::fmax(mismatch, std::abs(interpolant_.slope(end) - half * rate(bound, *s)));
  const double margin = interpolant_.mean() - interpolant_.deviation();
  bound.is_clear = bound.will_be_armed && margin > tails_in_error * tail + mismatch / degree;
  if (piece.depth >= deepest(steps) && degree == Interpolant::highest_degree &&
      tail <= part_of_tolerance * allowed_[bound.function])
    return true;
  return bound.is_clear || (tail <= std::fmax(converged * interpolant_.size(), levels_[bound.function]) &&
                            mismatch <= slopes_agree * interpolant_.deviation() + levels_[bound.function]);
}

// Checks from left to right: the low end of the piece, the extrema, its high end; at last the end of the step.
std::optional<Crossings::Interval> Crossings::walk(Bound& bound, const Piece& piece, bool is_polynomial,
                                                   const Course& course) {
  std::optional<Interval> found;
  const auto goes_to = [&](double t, double m) {
    const Place from = bound.inside;
    if (!found && passes(bound, t, m)) found = Interval{from, {t, m}};
    return !found;
  };
  if (is_polynomial && !bound.is_clear) {
    goes_to(grid_.back().t, distance(bound, grid_.back()));
    interpolate(bound, degree_);
    const double size = interpolant_.size(), width = piece.high - piece.low;
    for (const double x : roots_.find(interpolant_.derivative(), noise * size)) {
      const double t = piece.low + x * width;
      if (found || !(t > bound.inside.t && t < grid_.front().t)) continue;
      double m = interpolant_(2.0 * x - 1.0);
      if (!(std::abs(m) > is_certain * size)) {
        if (!evaluate(t, course, here_)) continue;
        m = distance(bound, here_);
      }
      goes_to(t, m);
    }
  }
  if (is_polynomial) goes_to(grid_.front().t, distance(bound, grid_.front()));
  if (piece.high == end_.t)
    goes_to(end_.t, distance(bound, end_));
  else if (!is_polynomial && evaluate(piece.high, course, here_))
    goes_to(piece.high, distance(bound, here_));
  return found;
}

// Is the bound left at this point? Points must be given in ascending order.
bool Crossings::passes(Bound& bound, double t, double m) {
  const double level = levels_[bound.function];
  if (!bound.will_be_armed) {
    if (m < bound.waits_to) return true;
    bound.will_be_armed = m > level;
  } else if (is_out(bound, m)) {
    return m < -level || (t == end_.t && rate(bound, end_) < 0.0);
  }
  bound.inside = {t, m};
  return false;
}

void Crossings::take_first(std::optional<Found>& first, const Bound& bound, Interval in, const Course& course) {
  if (first) {
    if (!(in.low.t < first->at)) return;
    if (first->at < in.high.t) {
      if (!evaluate(first->at, course, here_) || !is_left(bound, distance(bound, here_))) return;
      in.high = {first->at, distance(bound, here_)};
    }
  }
  const Found found = locate(bound, in, course);
  if (first && !(found.at < first->at)) return;
  first = found;
  first_bound_ = &bound - bounds_.data();
}

// Newton's iteration where there are slopes, regula falsi otherwise; where values are rounding errors, adjacent points.
Crossings::Found Crossings::locate(const Bound& bound, Interval in, const Course& course) {
  const double from = bound.will_be_armed ? 0.0 : bound.waits_to, level = levels_[bound.function];
  const bool has_slope = functions_[bound.function].has_slope;
  const auto signed_distance = [&](double m) {
    const double size = std::fmax(std::abs(m - from), std::numeric_limits<double>::min());
    return is_left(bound, m) ? -size : size;
  };
  Bracket bracket{in.low.t, in.high.t, signed_distance(in.low.m), signed_distance(in.high.m)};
  std::optional<double> next =
      in.low.t == begin_.t && in.high.t == end_.t ? zero_of_cubic(bound, from) : bracket.next();
  double last = HUGE_VAL;
  double near = 0.0;  // step from a value that is a rounding error to the next point tried
  for (int look = 0; look < most_looks; ++look) {
    if (!next || !(*next > bracket.before && *next < bracket.behind)) next = bracket.next(true);
    if (!next || !evaluate(*next, course, here_)) break;
    const double t = *next, m = signed_distance(distance(bound, here_));
    bracket.take(t, m);
    const bool creeps = bracket.creeps(), improves = std::abs(m) <= 0.5 * last;
    last = std::abs(m);
    if (std::abs(m) <= level) {
      near = near > 0.0 ? 2.0 * near : unit(t);
      next = m < 0.0 ? t - near : t + near;
    } else if (has_slope && improves) {
      next = t - (distance(bound, here_) - from) / rate(bound, here_);
    } else {
      next = bracket.next(creeps);
    }
  }
  return {bracket.before, bracket.behind};
}

std::optional<double> Crossings::zero_of_cubic(const Bound& bound, double from) const {
  const double h = end_.t - begin_.t, m0 = distance(bound, begin_) - from, m1 = distance(bound, end_) - from,
               d0 = h * rate(bound, begin_), d1 = h * rate(bound, end_);
  double low = 0.0, high = 1.0;
  for (int i = 0; i < looks_at_cubic; ++i) {
    const double x = std::midpoint(low, high);
    (cubic(x, m0, m1, d0, d1) > 0.0 ? low : high) = x;
  }
  return begin_.t + std::midpoint(low, high) * h;
}

// Functions that cross within a few units in the last place of the time belong to the same event.
void Crossings::note_crossed(const Found& found, bool contradicts_beginning, const Course& course) {
  const double probe = std::min(found.at + units_of_coincidence * unit(found.at), end_.t);
  if (contradicts_beginning || !evaluate(probe, course, here_)) here_ = begin_;
  for (std::size_t k = 0; k < bounds_.size(); ++k)
    if (contradicts_beginning ? contradicts(bounds_[k])
                              : k == first_bound_ || (!bounds_[k].is_away && leaves(bounds_[k], here_)))
      note(bounds_[k], here_);
}

void Crossings::note_leaving_at_end(const Course& course) {
  crossed_.clear();
  find_levels(course);
  for (const Bound& bound : bounds_)
    if (leaves(bound, end_)) note(bound, end_);
}

// At the bound up to rounding, and on its way out; or beyond.
bool Crossings::leaves(const Bound& bound, const Sample& s) const {
  const double m = distance(bound, s), level = levels_[bound.function];
  if (!bound.will_be_armed) return m < bound.waits_to;
  return m < -level || (m <= level && rate(bound, s) < 0.0) ||
         (is_out(bound, m) && !functions_[bound.function].has_slope);
}

void Crossings::note(const Bound& bound, const Sample& s) {
  if (!crossed_.empty() && crossed_.back().function == bound.function) return;
  const Kind kind = functions_[bound.function].kind;
  const double held = held_[bound.function];
  double next = value(kind, s.values[bound.function]);
  if (next == held) next = is_relation(kind) ? 1.0 - held : held - bound.sign;
  crossed_.push_back({bound.function, next, !bound.will_be_armed});
}

}  // namespace driftless
