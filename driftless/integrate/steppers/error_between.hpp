// The error of a step between its ends, for explicit and half-explicit methods and models with steep functions. The
// polynomial p of a step may be far off there where slopes change by many orders of magnitude, and exponentials amplify
// that to any size. Its defect h (p' - f(p)) is about its error.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

namespace driftless {

// Error sizes, in units of the tolerance, that stand for these failures: the step is cut as strongly as possible.
constexpr double error_of_failed_stage = 1e10, error_of_missed_pulse = 100.0;
constexpr int places_of_pulses = 5;  // where exponentials are evaluated within a step

// The error in units of the error allowed there. `slopes(t, y, yp)`: sets yp, which holds that of the polynomial on
// entry; false if there is no value. `norm(defect)`: of defect(slot), in units of the tolerance. The vectors are
// scratch.
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
