#include "driftless/interpolate/piecewise.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace driftless {

double Polynomial::operator()(double x) const {
  const double s = x - origin;
  return c[0] + s * (c[1] + s * (c[2] + s * c[3]));
}

int Polynomial::degree() const {
  for (int k = 3; k > 0; --k)
    if (c[static_cast<std::size_t>(k)] != 0.0) return k;
  return 0;
}

double Piecewise::operator()(double x) const {
  const auto above = std::ranges::upper_bound(breaks, x);
  return pieces[static_cast<std::size_t>(above - breaks.begin())](x);
}

namespace {

std::vector<double> divided_differences(std::span<const double> x, std::span<const double> y) {
  std::vector<double> d(x.size() - 1);
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
  return d;
}

// Akima (1970): the slope at a point is a weighted mean of the two adjacent chords; the chord that differs less from
// its other neighbour has the larger weight. Two further chords on each side continue the parabola of the last ones.
// The modified form adds half of the sums of neighbours to the weights, which keeps flat parts flat.
std::vector<double> akima_slopes(std::span<const double> x, std::span<const double> y, bool modified) {
  const std::vector<double> inner = divided_differences(x, y);
  const std::size_t n = x.size();
  if (n == 2) return {inner[0], inner[0]};
  std::vector<double> d(n + 3);
  std::ranges::copy(inner, d.begin() + 2);
  d[1] = 2 * d[2] - d[3];
  d[0] = 2 * d[1] - d[2];
  d[n + 1] = 2 * d[n] - d[n - 1];
  d[n + 2] = 2 * d[n + 1] - d[n];
  const auto weight = [&](double a, double b) { return std::abs(a - b) + (modified ? std::abs(a + b) / 2 : 0.0); };
  std::vector<double> slope(n);
  for (std::size_t i = 0; i < n; ++i) {  // the chords beside point i are d[i + 1] and d[i + 2]
    const double left = weight(d[i + 3], d[i + 2]), right = weight(d[i + 1], d[i]);
    if (left + right > 0.0)
      slope[i] = (left * d[i + 1] + right * d[i + 2]) / (left + right);
    else
      slope[i] = modified ? 0.0 : (d[i + 1] + d[i + 2]) / 2;
  }
  return slope;
}

// Fritsch and Butland (1984): a weighted harmonic mean of the chords, and 0 where they change their sign. Steffen
// (1990): the slope of the parabola through three points, bounded by twice the smaller chord. Both end with the
// outermost chord.
std::vector<double> monotone_slopes(std::span<const double> x, std::span<const double> y, bool steffen) {
  const std::vector<double> d = divided_differences(x, y);
  std::vector<double> slope(x.size(), 0.0);
  slope.front() = d.front();
  slope.back() = d.back();
  for (std::size_t i = 1; i + 1 < x.size(); ++i) {
    const double a = d[i - 1], b = d[i], h = x[i] - x[i - 1], k = x[i + 1] - x[i];
    if (!(a * b > 0.0)) continue;
    if (steffen) {
      const double bound = 2 * std::min(std::abs(a), std::abs(b));
      slope[i] = std::copysign(std::min(std::abs((a * k + b * h) / (h + k)), bound), a);
    } else {
      slope[i] = 3 * (h + k) / ((h + 2 * k) / a + (k + 2 * h) / b);
    }
  }
  return slope;
}

// The cubic with values y0, y1 and slopes s0, s1 at x0 and x1.
Polynomial hermite(double x0, double x1, double y0, double y1, double s0, double s1) {
  const double h = x1 - x0, d = (y1 - y0) / h;
  return {x0, {y0, s0, (3 * d - 2 * s0 - s1) / h, (s0 + s1 - 2 * d) / (h * h)}};
}

// The continuation outside the points: polynomials, or nothing if the outermost pieces continue.
struct Outside {
  Polynomial before, behind;
  bool break_before = true, break_behind = true;
};

Outside outside(const Piecewise& inside, std::span<const double> x, std::span<const double> y, bool by_slope) {
  const double first_slope = inside.pieces.front().c[1];
  const Polynomial& last = inside.pieces.back();
  const double s = x.back() - last.origin;
  const double last_slope = last.c[1] + s * (2 * last.c[2] + s * 3 * last.c[3]);
  Outside result;
  result.before = {x.front(), {y.front(), by_slope ? first_slope : 0.0, 0.0, 0.0}};
  result.behind = {x.back(), {y.back(), by_slope ? last_slope : 0.0, 0.0, 0.0}};
  const Polynomial& first = inside.pieces.front();
  result.break_before = !(by_slope && first.degree() <= 1 && first(x.front()) == y.front());
  result.break_behind = !(by_slope && last.degree() <= 1 && last(x.back()) == y.back());
  return result;
}

}  // namespace

std::vector<double> slopes(std::span<const double> x, std::span<const double> y, Smoothness smoothness) {
  switch (smoothness) {
    case Smoothness::Akima: return akima_slopes(x, y, false);
    case Smoothness::ModifiedAkima: return akima_slopes(x, y, true);
    case Smoothness::FritschButland: return monotone_slopes(x, y, false);
    case Smoothness::Steffen: return monotone_slopes(x, y, true);
    case Smoothness::Linear:
    case Smoothness::Constant: break;
  }
  return {};
}

Piecewise interpolate(std::span<const double> x, std::span<const double> y, Smoothness smoothness,
                      Extrapolation extrapolation) {
  assert(!x.empty() && x.size() == y.size());
  Piecewise result;
  if (x.size() == 1 || x.front() == x.back()) {
    result.pieces.push_back({x.front(), {y.back(), 0.0, 0.0, 0.0}});
    return result;
  }
  const std::vector<double> slope = slopes(x, y, smoothness);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    if (x[i] == x[i + 1]) continue;  // a jump
    if (!result.pieces.empty()) result.breaks.push_back(x[i]);
    if (smoothness == Smoothness::Constant)
      result.pieces.push_back({x[i], {y[i], 0.0, 0.0, 0.0}});
    else if (smoothness == Smoothness::Linear)
      result.pieces.push_back({x[i], {y[i], (y[i + 1] - y[i]) / (x[i + 1] - x[i]), 0.0, 0.0}});
    else
      result.pieces.push_back(hermite(x[i], x[i + 1], y[i], y[i + 1], slope[i], slope[i + 1]));
  }
  if (extrapolation == Extrapolation::Periodic) return result;
  const Outside beyond = outside(result, x, y, extrapolation == Extrapolation::LastSlope);
  if (beyond.break_before) {
    result.breaks.insert(result.breaks.begin(), x.front());
    result.pieces.insert(result.pieces.begin(), beyond.before);
  }
  if (beyond.break_behind) {
    result.breaks.push_back(x.back());
    result.pieces.push_back(beyond.behind);
  }
  return result;
}

}  // namespace driftless
