// Closed forms of models in models/hybrid that have many events.
#pragma once

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace driftless::exact {

// The converters: L i' = u - v, C v' = i - v/R with u = V or 0. Its equilibrium for u is (u/R, u); the difference z
// from it satisfies z' = A z, and exp(A t) = e^(a t) (cos w t I + sin w t/w (A - a I)), a = tr A/2, w² = det A - a².
struct Converter {
  static constexpr double V = 24.0, L = 1e-4, C = 1e-4, R = 2.0;
  double i = 0.0, v = 0.0;

  Converter after(double t, bool closed) const {
    const double u = closed ? V : 0.0, x = i - u / R, y = v - u;
    const double a = -0.5 / (R * C), w = std::sqrt(1.0 / (L * C) - a * a);
    const double grow = std::exp(a * t), c = std::cos(w * t), s = std::sin(w * t) / w;
    return {u / R + grow * (c * x + s * (-a * x - y / L)), u + grow * (c * y + s * (x / C + (-1.0 / (R * C) - a) * y))};
  }
  double slope(bool closed) const { return ((closed ? V : 0.0) - v) / L; }  // of i
};

// After n periods of the clock.
inline Converter clocked_converter(long n) {
  constexpr double T = 1e-5, d = 0.4;
  Converter at;
  for (long k = 0; k < n; ++k) at = at.after(d * T, true).after(T - d * T, false);
  return at;
}

// The current is kept between two bounds; the instants are roots of the closed form.
struct Hysteresis {
  Converter at{5.0, 10.0};
  long events = 0;
};
inline Hysteresis hysteretic_converter(double stop) {
  constexpr double low = 4.5, high = 5.5;
  Hysteresis run;
  double t = 0.0;
  for (bool closed = true;; closed = !closed) {
    const double bound = closed ? high : low;
    double wait = (bound - run.at.i) / run.at.slope(closed);
    for (int k = 0; k < 20; ++k) {
      const Converter there = run.at.after(wait, closed);
      wait -= (there.i - bound) / there.slope(closed);
    }
    if (t + wait > stop) {
      run.at = run.at.after(stop - t, closed);
      return run;
    }
    run.at = run.at.after(wait, closed);
    t += wait;
    ++run.events;
  }
}

// The current of a half wave that was fired at the angle alpha, at the angle wt: L i' + R i = V sin(wt), i(alpha) = 0.
inline double thyristor_current(double angle) {
  constexpr double V = 325.0, R = 10.0, L = 0.02, alpha = 2.0, w = 2.0 * std::numbers::pi * 50.0;
  const double lag = std::atan(w * L / R), size = V / std::hypot(R, w * L);
  return size * (std::sin(angle - lag) - std::sin(alpha - lag) * std::exp(-R / (w * L) * (angle - alpha)));
}

// A ball in a box: between two walls, and on a floor from which it bounces without loss.
inline double between_walls(double x, double v, double width, double t) {
  const double way = std::fmod(x + v * t, 2.0 * width);
  return way <= width ? way : 2.0 * width - way;
}
inline double above_floor(double height, double g, double t) {
  const double fall = std::sqrt(2.0 * height / g), phase = std::fmod(t + fall, 2.0 * fall) - fall;
  return height - 0.5 * g * phase * phase;
}

}  // namespace driftless::exact
