// A step of size H by extrapolation of a half-explicit scheme, for x' = f(t, x, z), 0 = g(t, x) of index 2. The step is
// made with n_1 < n_2 < ... < n_k small steps h = H/n_j. The results have an expansion in powers of h, or of h², in
// which as many terms are eliminated as there are results (Aitken, Neville):
//
//   T_j1 = x_{n_j},   T_{j,i+1} = T_ji + (T_ji - T_{j-1,i}) / ((n_j / n_{j-i})^p - 1).
//
// Euler's scheme     x_{i+1} = x_i + h f(x_i, z_i),        0 = g(x_{i+1}):   p = 1, n_j = j,    T_kk of order k
// the midpoint rule  x_{i+1} = x_{i-1} + 2 h f(x_i, z_i),  0 = g(x_{i+1}),
//                    after a first step by Euler's scheme:                   p = 2, n_j = 2 j,  T_kk of order 2 k
//
// (Lubich 1989, 1991; Ostermann 1990; Hairer, Lubich, Roche 1989). The expansion in h² needs an f that is linear in z:
// then x_1 is the point on the constraint that x_0 + h f(x_0, z) reaches for some z, independent of z_0, and the scheme
// is symmetric. That is so in mechanics, where z are accelerations and multipliers; otherwise Euler's scheme is used.
//
// All T_j1 satisfy the constraint, T_kk only up to its error: it is moved onto the constraint in the directions of the
// forces, unless a projection that does the same follows.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "driftless/integrate/steppers/hermite_polynomial.hpp"
#include "driftless/integrate/steppers/runge_kutta/half_explicit_stages.hpp"

namespace driftless {

class HalfExplicitExtrapolation {
 public:
  using Polynomial = HermitePolynomial;
  static constexpr bool fits_at_once = false;  // the polynomial of a step needs points that are computed for it
  static constexpr bool weaker_across = false;
  static constexpr const char* too_small =
      "the error test fails repeatedly; at tolerances below 1e-11 that may be rounding errors of extrapolated values";

  // Without a tolerance the steps are constant.
  HalfExplicitExtrapolation(const method::HalfExplicit& method, MultiplierSolve& solve, std::size_t size,
                            std::optional<double> tolerance);

  int order() const { return midpoint_ ? 2 * columns_ : columns_; }
  int order_of_error() const { return midpoint_ ? 2 * columns_ - 1 : columns_; }  // of T_kk - T_{k,k-1}

  newton::Report advance(const StepEnds& ends);
  void arrive(std::span<const double>) {}
  void error(double h, std::span<double> error) const;

  // Fits the polynomial to points within the step, computed by steps that end there. False if there are none.
  template <class Settle>
  bool fit(HermitePolynomial& polynomial, const StepPolynomial::End& begin, const StepPolynomial::End& end,
           bool restored, Settle&& settle) {
    std::vector<StepPolynomial::End> points{begin};
    for (std::size_t k = 0; k < inner_.size(); ++k) {
      const double share = static_cast<double>(k + 1) / static_cast<double>(inner_.size() + 1);
      const double t = begin.t + share * (end.t - begin.t);
      auto& [y, yp] = inner_[k];
      std::ranges::copy(begin.y, y.begin());
      if (!advance({begin.t, t, begin.y, begin.yp, y, yp, restored}).converged() || !settle(t, y, yp).converged())
        return false;
      points.push_back({t, y, yp});
    }
    points.push_back(end);
    polynomial.set(points, solve_.states());
    return true;
  }

 private:
  struct Inner {
    std::vector<double> y, yp;
  };

  int small_steps(int row) const { return midpoint_ ? 2 * (row + 1) : row + 1; }
  double ratio(int row, int earlier) const;
  newton::Report take_small_steps(const StepEnds& ends, int row);
  void extrapolate(int row);
  newton::Report move_onto_constraints(const StepEnds& ends);

  MultiplierSolve& solve_;
  const bool midpoint_;
  const int columns_;
  std::vector<std::vector<double>> table_;  // the last row: T_kk first, then T_{k,k-1}, ..., T_k1
  std::vector<double> before_, present_, next_, slope_;
  std::vector<Inner> inner_;
};

}  // namespace driftless
