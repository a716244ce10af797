// Stabilization by a polynomial in d/dt (Baumgarte 1972): the residual of g obeys a linear differential equation whose
// roots have negative real parts.
//
//   baumgarte      c_0 g + c_1 g' + ... + c_m g^(m) = 0, by default (d/dt + gamma)^m g = 0
//   damped-index2  (d/dt + gamma)^(m-1) g = 0: of index 2 (Ascher, Petzold 1993)
#include <cmath>

#include "driftless/formulate/forms.hpp"
#include "driftless/formulate/rewrite.hpp"

namespace driftless {
namespace {

// The coefficients of (z + gamma)^m, ascending.
std::vector<double> power_of_binomial(double gamma, int m) {
  std::vector<double> coefficients(m + 1);
  double binomial = 1.0;
  for (int k = m; k >= 0; --k) {
    coefficients[k] = binomial * std::pow(gamma, m - k);
    binomial *= static_cast<double>(k) / (m - k + 1);
  }
  return coefficients;
}

}  // namespace

Reduced rewritten(const Reduced& base, const formulation::Baumgarte& baumgarte) {
  Rewrite rewrite(base);
  rewrite.combine([&](int m) {
    if (!baumgarte.coefficients.empty()) return baumgarte.coefficients;
    if (baumgarte.alpha) return std::vector{*baumgarte.beta * *baumgarte.beta, 2.0 * *baumgarte.alpha, 1.0};
    return power_of_binomial(baumgarte.gamma, m);
  });
  return rewrite.finish();
}

Reduced rewritten(const Reduced& base, const formulation::DampedIndex2& damped) {
  Rewrite rewrite(base);
  rewrite.combine([&](int m) { return power_of_binomial(damped.gamma, m - 1); });
  return rewrite.finish();
}

}  // namespace driftless
