// The first step size of a one-step method with an error test (Hairer, Nørsett, Wanner 1993, Section II.4): a step by
// Euler's method, so short that it adds a hundredth to the point, shows how fast the slopes change; from that follows
// the step of order p whose error would be a hundredth of the tolerance.
//
// Invariant: 0 < h <= longest. Steps are not tried here; where the slope ahead does not exist, the step is so short
// that the error test can approach the point where it ceases to exist.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "driftless/integrate/system/norms.hpp"

namespace driftless {

struct FirstStep {
  double t, longest;
  int order;
  std::span<const int> states;
  std::span<const double> y, yp;
  std::vector<double>&y_ahead, &yp_ahead;  // scratch of the same size
};

// `weight(slot)`: an error of this size counts as 1. `slopes(t, y, yp)`: sets yp; false if there is no value.
template <class Weight, class Slopes>
double first_step_size(const FirstStep& first, const Weight& weight, const Slopes& slopes) {
  const double longest = first.longest;
  const auto norm = [&](std::span<const double> a, double minus, std::span<const double> b) {
    return root_mean_square(first.states, [&](int s) { return (a[s] - minus * b[s]) / weight(s); });
  };
  const double d0 = norm(first.y, 0.0, first.y), d1 = norm(first.yp, 0.0, first.yp);
  // Not shorter than 1e-10 of the rest of the run: variables may begin near zero, as a speed at rest.
  const double guess = d0 <= 1e-5 || d1 <= 1e-5 ? 1e-6 * longest : 0.01 * d0 / d1;
  const double h0 = std::clamp(guess, 1e-10 * longest, longest);
  first.y_ahead.assign(first.y.begin(), first.y.end());
  first.yp_ahead.assign(first.yp.begin(), first.yp.end());
  for (const int s : first.states) first.y_ahead[s] += h0 * first.yp[s];
  if (!slopes(first.t + h0, first.y_ahead, first.yp_ahead)) return 1e-3 * h0;
  const double d2 = norm(first.yp_ahead, 1.0, first.yp) / h0, largest = std::max(d1, d2);
  if (!std::isfinite(largest)) return 1e-3 * h0;
  const double h1 =
      largest <= 1e-15 ? std::max(1e-6 * longest, 1e-3 * h0) : std::pow(0.01 / largest, 1.0 / first.order);
  return std::min({100.0 * h0, h1, longest});
}

}  // namespace driftless
