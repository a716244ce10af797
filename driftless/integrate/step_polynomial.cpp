#include "driftless/integrate/step_polynomial.hpp"

namespace driftless {

// In powers of s = θ - 1, as segments have it:  θ(1-θ) = -s - s²,  θ²(1-θ) = -s - 2s² - s³,  θ²(1-θ)² = s² + 2s³ + s⁴.
void StepPolynomial::set(const End& begin, const End& end, const std::vector<int>& sloped,
                         std::span<const double> extra) {
  const std::size_t n = end.y.size();
  begin_ = begin.t, end_ = end.t;
  coefficients_.assign((degree + 1) * n, 0.0);
  const auto coefficient = [&](int k, std::size_t i) -> double& { return coefficients_[k * n + i]; };
  for (std::size_t i = 0; i < n; ++i) {
    coefficient(0, i) = end.y[i];
    coefficient(1, i) = end.y[i] - begin.y[i];
  }
  const double h = end.t - begin.t;
  for (const int i : sloped) {
    const double delta = end.y[i] - begin.y[i], a = h * begin.yp[i] - delta, b = delta - h * end.yp[i] - a;
    const double c = extra.empty() ? 0.0 : extra[i];
    coefficient(1, i) = delta - a - b;
    coefficient(2, i) = -a - 2.0 * b + c;
    coefficient(3, i) = -b + 2.0 * c;
    coefficient(4, i) = c;
  }
}

void StepPolynomial::evaluate(double t, std::span<double> y, std::span<double> yp) const {
  const std::size_t n = y.size();
  const double h = end_ - begin_, s = (t - end_) / h;
  for (std::size_t i = 0; i < n; ++i) {  // Horner's scheme for the polynomial and its derivative
    double p = 0.0, dp = 0.0;
    for (int k = degree; k >= 0; --k) {
      dp = dp * s + p;
      p = p * s + coefficients_[k * n + i];
    }
    y[i] = p;
    yp[i] = dp / h;
  }
}

void StepPolynomial::store(Segment& segment) const { segment = {begin_, end_, degree, coefficients_}; }

}  // namespace driftless
