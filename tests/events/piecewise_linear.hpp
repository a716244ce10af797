// Piecewise linear systems at random, and their trajectories by exponentials in extended precision.
//
//   x' = A x + b + the sum of u_k over all relations c_k x < d_k that are true,   A = A_0 or A_1 as the first one is
//   where relation k becomes true, x_j becomes p x_j + q, for some k
//
// What makes a system unfit for comparison is told, not passed over: a motion that slides along a surface, a surface
// that is touched within 1e-7, so that rounding decides whether there is an event, two events at the same time, and a
// jump that ends on a surface.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "driftless/model/builder.hpp"

namespace driftless::piecewise {

using Real = long double;
using Vector = std::vector<Real>;
using Matrix = std::vector<Vector>;

struct Jump {
  int variable;
  double factor, offset;
};
struct Surface {
  std::vector<double> c, u;
  double d;
  std::optional<Jump> jump;
};
struct Random {
  std::vector<std::vector<double>> A[2];
  std::vector<double> b, start;
  std::vector<Surface> surfaces;
  int size() const { return static_cast<int>(b.size()); }
};

inline Random random_system(std::mt19937& random) {
  const auto u = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  Random system;
  const int n = 1 + static_cast<int>(random() % 4), surfaces = 1 + static_cast<int>(random() % 4);
  for (auto& A : system.A) {
    A.assign(n, std::vector<double>(n));
    // Stable: the symmetric part is negative, the other one turns.
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) A[i][j] = u(-4.0, 4.0), A[j][i] = -A[i][j];
    for (int i = 0; i < n; ++i) A[i][i] = -u(0.1, 0.8);
  }
  for (int i = 0; i < n; ++i) system.b.push_back(u(-1.0, 1.0)), system.start.push_back(u(-2.0, 2.0));
  for (int k = 0; k < surfaces; ++k) {
    Surface surface;
    for (int i = 0; i < n; ++i) surface.c.push_back(u(-1.0, 1.0)), surface.u.push_back(u(-0.5, 0.5));
    surface.d = u(-0.5, 0.5);
    if (random() % 2 == 0) surface.jump = Jump{static_cast<int>(random() % n), u(-1.0, 1.0), u(-1.0, 1.0)};
    system.surfaces.push_back(std::move(surface));
  }
  return system;
}

inline Model model_of(const Random& system, double stop) {
  ModelBuilder m("PiecewiseLinear");
  std::vector<Expr> x, r;
  const int n = system.size();
  for (int i = 0; i < n; ++i)
    x.push_back(m.variable("x" + std::to_string(i), {.start = system.start[i], .fixed = true}));
  for (std::size_t k = 0; k < system.surfaces.size(); ++k) {
    const Surface& surface = system.surfaces[k];
    Expr sum = surface.c[0] * x[0];
    for (int i = 1; i < n; ++i) sum = sum + surface.c[i] * x[i];
    r.push_back(m.discrete("r" + std::to_string(k), {.type = DiscreteType::Boolean}));
    m.discrete_equation(r.back() == (sum < surface.d));
    const Expr becomes = m.when(sum < surface.d),
               count = m.discrete("n" + std::to_string(k), {.type = DiscreteType::Integer});
    m.discrete_equation(count == if_else(becomes, m.pre(count) + 1.0, m.pre(count)));
    if (surface.jump)
      m.reinit(becomes, x[surface.jump->variable],
               surface.jump->factor * x[surface.jump->variable] + surface.jump->offset);
  }
  for (int i = 0; i < n; ++i) {
    Expr rate = if_else(r[0], system.A[1][i][0], system.A[0][i][0]) * x[0] + system.b[i];
    for (int j = 1; j < n; ++j) rate = rate + if_else(r[0], system.A[1][i][j], system.A[0][i][j]) * x[j];
    for (std::size_t k = 0; k < r.size(); ++k) rate = rate + if_else(r[k], system.surfaces[k].u[i], 0.0);
    m.equation(der(x[i]) == rate);
  }
  m.experiment({.stop = stop});
  return m.build();
}

// One surface that changes nothing, behind which the trajectory is only for a short time: it is crossed nearly
// tangentially, `depth` beyond an extremum of c x.
inline Random nearly_tangential(std::mt19937& random, double depth, Real stop);

struct Crossing {
  Real time;
  Real condition;           // |c| |x| over |d(c x)/dt|: by how much errors of x, relative to it, move the instant
  std::vector<bool> truth;  // of all relations, behind the event
  std::vector<int> counts;  // how often each has become true
};
struct Trajectory {
  std::vector<Crossing> crossings;
  Vector end;
  Real reached = 0.0L;  // where it became unfit
  enum class Fit { Yes, Slides, Touches, Coincides, LandsOnSurface, Accumulates } fit = Fit::Yes;
};

class Exact {
 public:
  explicit Exact(const Random& system) : system_(system), n_(system.size()) {}

  // Of a surface that changes nothing, touched or not.
  Trajectory tangential(Real stop) {
    touching_counts_ = false;
    return (*this)(stop);
  }

  Trajectory operator()(Real stop) {
    Trajectory result;
    Vector x(system_.start.begin(), system_.start.end());
    truth_.assign(system_.surfaces.size(), false);
    counts_.assign(truth_.size(), 0);
    for (std::size_t k = 0; k < truth_.size(); ++k) {
      truth_[k] = distance(k, x) < 0.0L;
      if (std::abs(distance(k, x)) < near) return result.fit = Trajectory::Fit::LandsOnSurface, result;
    }
    Real t = 0.0L;
    while (true) {
      const auto next = first_crossing(x, stop - t, result);
      if (result.fit != Trajectory::Fit::Yes) return result;
      if (!next) break;
      const auto [k, after] = *next;
      x = flow(x, after);
      t += after;
      result.reached = t;
      if (!result.crossings.empty() && t - result.crossings.back().time < 1e-4L && touching_counts_)
        return result.fit = Trajectory::Fit::Accumulates, result;
      const Real slope = rate(k, x);
      if (!pass(k, x)) return result.fit = Trajectory::Fit::Slides, result;
      for (std::size_t j = 0; j < truth_.size(); ++j)
        if (j != k && std::abs(distance(j, x)) < near) return result.fit = Trajectory::Fit::LandsOnSurface, result;
      Real size = 0.0L;
      for (int i = 0; i < n_; ++i) size += std::abs(system_.surfaces[k].c[i]) * (std::abs(x[i]) + 1.0L);
      result.crossings.push_back({t, size / std::abs(slope), truth_, counts_});
      if (result.crossings.size() > 60) return result.fit = Trajectory::Fit::Accumulates, result;
    }
    result.end = flow(x, stop - t);
    return result;
  }

 private:
  static constexpr Real near = 1e-7L, step = 0.01L;

  Real distance(std::size_t k, const Vector& x) const {
    Real sum = -system_.surfaces[k].d;
    for (int i = 0; i < n_; ++i) sum += system_.surfaces[k].c[i] * x[i];
    return sum;
  }
  Vector derivative(const Vector& x) const {
    Vector f(system_.b.begin(), system_.b.end());
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j < n_; ++j) f[i] += system_.A[truth_[0] ? 1 : 0][i][j] * x[j];
      for (std::size_t k = 0; k < truth_.size(); ++k)
        if (truth_[k]) f[i] += system_.surfaces[k].u[i];
    }
    return f;
  }

 public:
  void begin() { truth_.assign(system_.surfaces.size(), false); }
  Real rate(std::size_t k, const Vector& x) const {
    const Vector f = derivative(x);
    Real sum = 0.0L;
    for (int i = 0; i < n_; ++i) sum += system_.surfaces[k].c[i] * f[i];
    return sum;
  }

 public:
  // By the series of the exponential, in pieces that are short enough for it.
  Vector flow(Vector x, Real h) const {
    const int pieces = std::max(1, static_cast<int>(std::ceil(std::abs(h) / 0.05L)));
    const Real part = h / pieces;
    for (int p = 0; p < pieces; ++p) {
      Vector term = derivative(x);
      for (Real& v : term) v *= part;
      Vector sum = x;
      for (int order = 2; order < 24; ++order) {
        for (int i = 0; i < n_; ++i) sum[i] += term[i];
        Vector next(n_, 0.0L);
        for (int i = 0; i < n_; ++i)
          for (int j = 0; j < n_; ++j) next[i] += system_.A[truth_[0] ? 1 : 0][i][j] * term[j] * part / order;
        term = std::move(next);
      }
      x = std::move(sum);
    }
    return x;
  }

 private:
  template <class Function>
  static Real root(Real low, Real high, Function f) {
    const bool begins_below = f(low) < 0.0L;
    for (int k = 0; k < 80; ++k) {
      const Real middle = (low + high) / 2.0L;
      ((f(middle) < 0.0L) == begins_below ? low : high) = middle;
    }
    return high;
  }

  struct Next {
    std::size_t surface;
    Real after;
  };
  std::optional<Next> first_crossing(Vector x, Real rest, Trajectory& result) const {
    for (Real from = 0.0L; from < rest; from += step) {
      const Real h = std::min(step, rest - from);
      const Vector y = flow(x, h);
      std::optional<Next> first;
      for (std::size_t k = 0; k < truth_.size(); ++k) {
        const Real side = truth_[k] ? -1.0L : 1.0L;
        const auto value = [&](Real s) { return side * distance(k, flow(x, s)); };
        const auto slope = [&](Real s) { return side * rate(k, flow(x, s)); };
        std::vector<Real> places{0.0L};
        if (side * rate(k, x) < 0.0L && side * rate(k, y) > 0.0L) places.push_back(root(0.0L, h, slope));
        places.push_back(h);
        if (places.size() == 2 && from > 0.0L && side * distance(k, y) > 0.0L) continue;
        for (std::size_t p = 1; p < places.size(); ++p) {
          const Real end = value(places[p]);
          if (p + 1 < places.size() && std::abs(end) < near && touching_counts_) result.fit = Trajectory::Fit::Touches;
          if (end > 0.0L) continue;
          const Real at = from == 0.0L && p == 1 && value(0.0L) <= 0.0L ? leaving(value, slope, places[p])
                                                                        : root(places[p - 1], places[p], value);
          if (at < 0.0L) continue;
          if (first && std::abs(first->after - from - at) < near) result.fit = Trajectory::Fit::Coincides;
          if (!first || from + at < first->after) first = Next{k, from + at};
          break;
        }
      }
      if (first) return first;
      x = y;
    }
    return {};
  }
  // A function that begins on its bound, behind an event, and comes back within the step.
  template <class Function, class Slope>
  static Real leaving(Function value, Slope slope, Real end) {
    if (!(slope(0.0L) > 0.0L && slope(end) < 0.0L)) return -1.0L;
    const Real top = root(0.0L, end, slope);
    return value(top) > 0.0L ? root(top, end, value) : -1.0L;
  }

  // False: it slides.
  bool pass(std::size_t k, Vector& x) {
    const Real before = rate(k, x);
    truth_[k] = !truth_[k];
    if (truth_[k]) ++counts_[k];
    std::vector<std::size_t> become_true;
    if (truth_[k]) become_true.push_back(k);
    bool has_jumped = false;
    for (int round = 0; round < 20; ++round) {
      const Vector left = x;
      bool jumps = false;
      for (const std::size_t j : become_true)
        if (const auto& jump = system_.surfaces[j].jump) {
          x[jump->variable] = jump->factor * left[jump->variable] + jump->offset;
          jumps = has_jumped = true;
        }
      become_true.clear();
      if (!jumps) break;
      for (std::size_t j = 0; j < truth_.size(); ++j) {
        const Real value = distance(j, x);
        const bool is_true = j == k && std::abs(value) < near ? rate(j, x) < 0.0L : value < 0.0L;
        if (is_true && !truth_[j]) become_true.push_back(j), ++counts_[j];
        truth_[j] = is_true;
      }
      if (become_true.empty()) break;
      if (round == 19) return false;
    }
    if (has_jumped) return std::abs(distance(k, x)) > near;
    return before * rate(k, x) > 0.0L;
  }

  const Random& system_;
  int n_;
  std::vector<bool> truth_;
  std::vector<int> counts_;
  bool touching_counts_ = true;
};

inline Random nearly_tangential(std::mt19937& random, double depth, Real stop) {
  while (true) {
    Random system = random_system(random);
    if (system.size() < 2) continue;
    system.surfaces.resize(1);
    Surface& surface = system.surfaces.front();
    surface.jump = {};
    std::ranges::fill(surface.u, 0.0);
    system.A[1] = system.A[0];
    Exact exact(system);
    exact.begin();
    Vector x(system.start.begin(), system.start.end());
    // The first minimum of c x behind 0.2.
    for (Real t = 0.0L; t < stop - 0.5L; t += 0.01L) {
      const Vector y = exact.flow(x, 0.01L);
      if (t > 0.2L && exact.rate(0, x) < 0.0L && exact.rate(0, y) > 0.0L) {
        Real low = 0.0L, high = 0.01L;
        for (int k = 0; k < 80; ++k) {
          const Real middle = (low + high) / 2.0L;
          (exact.rate(0, exact.flow(x, middle)) < 0.0L ? low : high) = middle;
        }
        const Vector at = exact.flow(x, low);
        Real value = 0.0L;
        for (int i = 0; i < system.size(); ++i) value += surface.c[i] * at[i];
        surface.d = static_cast<double>(value + depth);
        return system;
      }
      x = y;
    }
  }
}

}  // namespace driftless::piecewise
