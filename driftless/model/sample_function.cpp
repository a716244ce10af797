// A function of time as a cubic spline. Between knots t_k with values f_k, with slopes m_k and h_k = t_{k+1} - t_k,
// d_k = (f_{k+1} - f_k)/h_k, the second derivative is continuous if (de Boor 1978, Chapter IV)
//
//   h_k m_{k-1} + 2 (h_{k-1} + h_k) m_k + h_{k-1} m_{k+1} = 3 (h_k d_{k-1} + h_{k-1} d_k).
//
// The outermost slopes are those of the cubic through the outermost four values. The error of the spline is then of
// fourth order in the distance of the knots. Intervals in which it is too large are halved.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/model/signal.hpp"

namespace driftless {
namespace {

struct Knots {
  std::vector<double> t, f;
};

// The slope at t[0] of the cubic through four points, of which the others may lie on either side: the derivative of
// Newton's form.
double outer_slope(const std::array<double, 4>& t, const std::array<double, 4>& f) {
  std::array<double, 4> differences = f;
  for (std::size_t order = 1; order < 4; ++order)
    for (std::size_t k = 3; k >= order; --k)
      differences[k] = (differences[k] - differences[k - 1]) / (t[k] - t[k - order]);
  const double a = t[0] - t[1], b = t[0] - t[2];
  return differences[1] + differences[2] * a + differences[3] * a * b;
}

// Solved by elimination without pivoting, as the matrix is diagonally dominant.
std::vector<double> slopes_of(const Knots& knots) {
  const auto& [t, f] = knots;
  const std::size_t n = t.size();
  std::vector<double> m(n), diagonal(n, 1.0);
  m[0] = outer_slope({t[0], t[1], t[2], t[3]}, {f[0], f[1], f[2], f[3]});
  m[n - 1] = outer_slope({t[n - 1], t[n - 2], t[n - 3], t[n - 4]}, {f[n - 1], f[n - 2], f[n - 3], f[n - 4]});
  const auto h = [&](std::size_t k) { return t[k + 1] - t[k]; };
  const auto d = [&](std::size_t k) { return (f[k + 1] - f[k]) / h(k); };
  for (std::size_t k = 1; k + 1 < n; ++k) {
    m[k] = 3.0 * (h(k) * d(k - 1) + h(k - 1) * d(k));
    diagonal[k] = 2.0 * (h(k - 1) + h(k));
    const double above = k == 1 ? 0.0 : h(k - 2);  // next to the diagonal of the previous row
    const double factor = h(k) / diagonal[k - 1];
    diagonal[k] -= factor * above;
    m[k] -= factor * m[k - 1];
  }
  for (std::size_t k = n - 2; k > 0; --k) m[k] = (m[k] - h(k - 1) * m[k + 1]) / diagonal[k];
  return m;
}

SignalPiece piece_between(const Knots& knots, const std::vector<double>& m, std::size_t k) {
  const double h = knots.t[k + 1] - knots.t[k], d = (knots.f[k + 1] - knots.f[k]) / h;
  return {knots.t[k],
          knots.t[k],
          {knots.f[k], m[k], (3 * d - 2 * m[k] - m[k + 1]) / h, (m[k] + m[k + 1] - 2 * d) / (h * h)},
          3};
}

}  // namespace

SignalOrProblem pieces_of(const InputFunction& function, double start, double stop, double tolerance, double nominal) {
  constexpr int first_intervals = 16;
  constexpr std::size_t most_knots = 100'000;
  constexpr double narrowest = 1e-10;  // of the whole interval; if that is not enough the function jumps
  if (!(stop > start)) stop = start + 1.0;
  Knots knots;
  for (int k = 0; k <= first_intervals; ++k) knots.t.push_back(start + (stop - start) * k / first_intervals);
  for (const double t : knots.t) knots.f.push_back(function(t));
  while (true) {
    for (std::size_t k = 0; k < knots.t.size(); ++k)
      if (!std::isfinite(knots.f[k])) return fmt::format("has no finite value at t = {}", knots.t[k]);
    const std::vector<double> m = slopes_of(knots);
    PiecewiseSignal signal;
    signal.known = {start, stop};
    Knots finer;
    for (std::size_t k = 0; k + 1 < knots.t.size(); ++k) {
      const SignalPiece& piece = signal.pieces.emplace_back(piece_between(knots, m, k));
      const double h = knots.t[k + 1] - knots.t[k];
      finer.t.push_back(knots.t[k]), finer.f.push_back(knots.f[k]);
      const bool fits = std::ranges::all_of(std::array{0.25, 0.5, 0.75}, [&](double at) {
        const double t = knots.t[k] + at * h, f = function(t);
        return std::abs(piece(t) - f) <= tolerance * std::max(std::abs(f), nominal);
      });
      if (fits) continue;
      if (h < narrowest * (stop - start))
        return fmt::format("jumps, or has no slope, near t = {:.6g}: give a table with that time twice", knots.t[k]);
      finer.t.push_back(knots.t[k] + h / 2), finer.f.push_back(function(finer.t.back()));
    }
    if (finer.t.size() + 1 == knots.t.size()) {
      signal.pieces.front().from = -std::numeric_limits<double>::infinity();
      return signal;
    }
    if (finer.t.size() > most_knots)
      return fmt::format("needs more than {} polynomials of time to be within {} of it", most_knots, tolerance);
    finer.t.push_back(knots.t.back()), finer.f.push_back(knots.f.back());
    knots = std::move(finer);
  }
}

}  // namespace driftless
