#include "driftless/integrate/steppers/multistep/multistep_formula.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "driftless/linear/eigenvalues.hpp"

namespace driftless {
namespace {

constexpr double rounding = 1e-10;      // of coefficients that were entered as decimals or summed
constexpr double on_the_circle = 1e-7;  // a root this close to the unit circle lies on it
constexpr double same_root = 1e-3;      // a double root is found with half the digits

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

// sum_j weights_j (-j)^q, and the sum of the sizes of its terms.
struct Moment {
  double value = 0.0, size = 0.0;
};
Moment moment(const std::vector<double>& weights, int q) {
  Moment m;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    const double term = weights[j] * std::pow(-static_cast<double>(j), q);
    m.value += term;
    m.size += std::abs(term);
  }
  return m;
}

bool agree(Moment m, double value) { return std::abs(m.value - value) <= rounding * (m.size + std::abs(value) + 1.0); }

// The formula is exact for y = t^q.
bool exact_for_power(const MultistepFormula& f, int q) {
  return agree(moment(f.alpha, q), q == 0 ? 0.0 : q * moment(f.beta, q - 1).value);
}

std::vector<double> divided(std::vector<double> values, double by) {
  for (double& v : values) v /= by;
  return values;
}

}  // namespace

MultistepFormula bdf_formula(int k) {
  MultistepFormula formula{std::vector<double>(k + 1, 0.0), std::vector<double>(k + 1, 0.0)};
  formula.beta[0] = 1.0;
  for (int i = 1; i <= k; ++i) {
    double binomial = 1.0;  // (-1)^j (i over j)
    for (int j = 0; j <= i; ++j) {
      formula.alpha[j] += binomial / i;
      binomial *= -static_cast<double>(i - j) / (j + 1);
    }
  }
  return formula;
}

MultistepFormula formula_of(const Method& method) {
  if (const auto* bdf = std::get_if<method::ConstantBdf>(&method)) return bdf_formula(bdf->order);
  const auto& multistep = std::get<method::Multistep>(method);
  const double scale = sum(multistep.beta);
  return {divided(multistep.alpha, scale), divided(multistep.beta, scale), multistep.one_leg};
}

std::optional<std::string> not_applicable(const method::ConstantBdf& bdf) {
  if (bdf.order >= 1 && bdf.order <= 6) return {};
  return fmt::format("bdf{} is no method: the formulas are stable for the orders 1 to 6", bdf.order);
}

std::optional<std::string> not_applicable(const method::Multistep& multistep) {
  const std::size_t n = multistep.alpha.size();
  if (n < 2 || multistep.beta.size() != n)
    return fmt::format("a multistep formula has as many alpha as beta, at least two; here {} and {}", n,
                       multistep.beta.size());
  const auto finite = [](double v) { return std::isfinite(v); };
  if (!std::ranges::all_of(multistep.alpha, finite) || !std::ranges::all_of(multistep.beta, finite))
    return "a coefficient of the multistep formula is not a number";
  if (multistep.alpha[0] == 0.0 || multistep.beta[0] == 0.0)
    return "the multistep formula is explicit: the first alpha and the first beta must not be zero";
  if (std::abs(sum(multistep.beta)) <= rounding) return "the beta of the multistep formula add up to zero";
  const MultistepFormula formula = formula_of(Method(multistep));
  if (order(formula) < 1)
    return "the multistep formula is not consistent: sum alpha_j = 0 and -sum j alpha_j = sum beta_j must hold";
  if (!is_stable(formula))
    return "the multistep formula is unstable: a root of sum alpha_j z^(k-j) lies outside the unit circle, or twice on "
           "it";
  return {};
}

int order(const MultistepFormula& formula) {
  int q = 0;
  while (q <= 2 * formula.steps() + 2 && exact_for_power(formula, q)) ++q;
  return q - 1;
}

int one_leg_order(const MultistepFormula& formula) {
  const double at = moment(formula.beta, 1).value;
  int p = 0;
  while (p <= formula.steps() && agree(moment(formula.beta, p), std::pow(at, p)) &&
         agree(moment(formula.alpha, p + 1), (p + 1) * std::pow(at, p)))
    ++p;
  return p;
}

std::vector<std::complex<double>> roots(const std::vector<double>& polynomial) {
  const Eigen::Index k = static_cast<Eigen::Index>(polynomial.size()) - 1;
  if (k < 1) return {};
  Eigen::MatrixXd companion = Eigen::MatrixXd::Zero(k, k);
  for (Eigen::Index j = 0; j < k; ++j) {
    companion(0, j) = -polynomial[j + 1] / polynomial[0];
    if (j > 0) companion(j, j - 1) = 1.0;
  }
  const auto values = linear::eigenvalues(companion);
  assert(values);
  return {values->begin(), values->end()};
}

bool is_stable(const MultistepFormula& formula) {
  const auto all = roots(formula.alpha);
  for (std::size_t a = 0; a < all.size(); ++a) {
    if (std::abs(all[a]) > 1.0 + on_the_circle) return false;
    for (std::size_t b = 0; b < a; ++b)
      if (std::abs(all[a]) > 1.0 - on_the_circle && std::abs(all[a] - all[b]) < same_root) return false;
  }
  return true;
}

bool is_strictly_stable_at_infinity(const MultistepFormula& formula) {
  return std::ranges::all_of(roots(formula.beta), [](auto z) { return std::abs(z) < 1.0 - on_the_circle; });
}

}  // namespace driftless
