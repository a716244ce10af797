// What explicit and half-explicit methods see of a step between its ends, in models with steep functions. The
// polynomial p of a step may be far off there where slopes change by many orders, and an exponential makes numbers of
// any size of it. Its defect h (p' - f(p)) is about its error.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

namespace driftless {

// What counts as errors of these sizes, in units of the tolerance: the step is cut as strongly as possible.
constexpr double error_of_failed_stage = 1e10, error_of_missed_pulse = 100.0;
constexpr int places_of_pulses = 5;  // where exponentials are looked at within a step

// In units of what is allowed there. `slopes(t, y, yp)`: sets yp, which comes as that of the polynomial; false if there
// is no value. `norm(defect)`: of defect(slot), in units of the tolerance. The vectors are scratch.
template <class Polynomial, class Slopes, class Norm>
double error_between(const Polynomial& polynomial, double begin, double end, std::vector<double>& y,
                     std::vector<double>& yp, std::vector<double>& yp_of_polynomial, const Slopes& slopes,
                     const Norm& norm) {
  constexpr double places[] = {0.3, 0.7};
  constexpr double most = 10.0;  // tolerances
  double largest = 0.0;
  for (const double place : places) {
    const double t = begin + place * (end - begin);
    polynomial.evaluate(t, y, yp);
    std::ranges::copy(yp, yp_of_polynomial.begin());
    if (!slopes(t, y, yp)) return error_of_failed_stage;
    largest = std::max(largest, norm([&](int s) { return (end - begin) * (yp_of_polynomial[s] - yp[s]); }));
  }
  return largest / most;
}

}  // namespace driftless
