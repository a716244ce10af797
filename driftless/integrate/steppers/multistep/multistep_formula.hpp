// Linear multistep formulas as data,
//
//   sum_j alpha_j y_{n-j} = h sum_j beta_j y'_{n-j},   j = 0 .. k,
//
// and their properties by their coefficients. On F(t, y, y') = 0 a formula defines y'_n by y_n and by values of earlier
// steps (Führer, Leimkuhler 1991, (18)):
//
//   y'_n = alpha_0 / (h beta_0) y_n + sum_{j>0} (alpha_j / h y_{n-j} - beta_j y'_{n-j}) / beta_0.
//
// The derivative of a smooth function then has the order of the formula if errors of old derivatives die out: all roots
// of sigma(z) = sum beta_j z^(k-j) lie inside the unit circle. For BDF they are all zero.
//
// The one-leg form evaluates the equations once per step, between the points of the formula:
//
//   F(t, y, y') = 0 at  t = sum beta_j t_{n-j},  y = sum beta_j y_{n-j},  y' = sum alpha_j y_{n-j} / h.
//
// There each of the two sums must be accurate; these are conditions beyond those for ordinary differential equations,
// and a formula that violates them has order two. BDF satisfies them: both forms are the same.
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "driftless/integrate/steppers/method.hpp"

namespace driftless {

struct MultistepFormula {
  std::vector<double> alpha, beta;  // alpha_0 .. alpha_k, beta_0 .. beta_k; sum beta_j = 1
  bool one_leg = false;

  int steps() const { return static_cast<int>(alpha.size()) - 1; }
};

// k = 1 .. 6: sum_{i=1}^k 1/i times the i-th backward difference.
MultistepFormula bdf_formula(int k);

// Precondition: the method is ConstantBdf or Multistep, and not_applicable(method) is empty.
MultistepFormula formula_of(const Method& method);

// The reason why these coefficients define no method; nothing if they do. A formula that is unstable only for problems
// of higher index is a method.
std::optional<std::string> not_applicable(const method::ConstantBdf& bdf);
std::optional<std::string> not_applicable(const method::Multistep& multistep);

int order(const MultistepFormula& formula);          // for y' = f(t, y)
int one_leg_order(const MultistepFormula& formula);  // of the one-leg form

// The zeros of p_0 z^k + p_1 z^(k-1) + ... + p_k, with p_0 != 0.
std::vector<std::complex<double>> roots(const std::vector<double>& polynomial);

// All roots of rho in the unit disc, those on the circle simple.
bool is_stable(const MultistepFormula& formula);
// All roots of sigma inside the unit circle, as needed for the convergence of multipliers of index 2 and 3.
bool is_strictly_stable_at_infinity(const MultistepFormula& formula);

}  // namespace driftless
