#include "driftless/integrate/steppers/step_polynomial.hpp"

#include <array>
#include <cassert>

namespace driftless {
namespace {

constexpr int most_terms = 8;  // y_0, Δ, A, B and four more

// Multiplies out the nested form, from the innermost term, in powers of s = θ - 1 as segments have them: the factors
// are θ = 1 + s before even terms and 1 - θ = -s before odd ones.
void expand(std::span<const double> terms, std::span<double> powers) {
  const int degree = static_cast<int>(terms.size()) - 1;
  std::array<double, most_terms + 1> p{};
  for (int k = degree; k > 0; --k) {
    p[0] += terms[k];
    const bool theta = k % 2 == 1;  // the factor in front of term k
    for (int i = degree - k + 1; i > 0; --i) p[i] = theta ? p[i] + p[i - 1] : -p[i - 1];
    if (!theta) p[0] = 0.0;
  }
  p[0] += terms[0];
  for (int i = 0; i <= degree; ++i) powers[i] = p[i];
}

}  // namespace

void StepPolynomial::set(const End& begin, const End& end, const std::vector<int>& sloped,
                         std::span<const double> more) {
  const std::size_t n = end.y.size();
  const int count = 4 + static_cast<int>(n == 0 ? 0 : more.size() / n);
  assert(count <= most_terms);
  degree_ = count - 1;
  begin_ = begin.t, end_ = end.t;
  coefficients_.assign(count * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    coefficients_[i] = end.y[i];
    coefficients_[n + i] = end.y[i] - begin.y[i];
  }
  const double h = end.t - begin.t;
  std::array<double, most_terms> terms{}, powers{};
  for (const int i : sloped) {
    const double delta = end.y[i] - begin.y[i], a = h * begin.yp[i] - delta, b = delta - h * end.yp[i] - a;
    terms[0] = begin.y[i], terms[1] = delta, terms[2] = a, terms[3] = b;
    for (int k = 4; k < count; ++k) terms[k] = more[(k - 4) * n + i];
    expand(std::span(terms).first(count), powers);
    for (int k = 1; k < count; ++k) coefficients_[k * n + i] = powers[k];
  }
}

void StepPolynomial::evaluate(double t, std::span<double> y, std::span<double> yp) const {
  const std::size_t n = y.size();
  const double h = end_ - begin_, s = (t - end_) / h;
  for (std::size_t i = 0; i < n; ++i) {  // Horner's scheme for the polynomial and its derivative
    double p = 0.0, dp = 0.0;
    for (int k = degree_; k >= 0; --k) {
      dp = dp * s + p;
      p = p * s + coefficients_[k * n + i];
    }
    y[i] = p;
    yp[i] = dp / h;
  }
}

void StepPolynomial::along_step(std::span<const SlotWeight> function, AlongStep& out) const {
  const std::size_t terms = static_cast<std::size_t>(degree_) + 1, n = coefficients_.size() / terms;
  out.origin = end_;
  out.h = end_ - begin_;
  out.c.assign(terms, 0.0);
  for (std::size_t k = 0; k < terms; ++k)
    for (const SlotWeight& term : function) out.c[k] += term.weight * coefficients_[k * n + term.slot];
}

void StepPolynomial::store(Segment& segment) const { segment = {begin_, end_, degree_, coefficients_}; }

}  // namespace driftless
