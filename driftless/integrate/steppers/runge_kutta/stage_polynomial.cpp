#include "driftless/integrate/steppers/runge_kutta/stage_polynomial.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Core>

#include "driftless/linear/dense.hpp"

namespace driftless {

StagePolynomial::StagePolynomial(const std::vector<double>& nodes, int components) : components_(components) {
  for (const double node : nodes)
    if (0.0 < node && node < 1.0) inner_.push_back(node);
  degree_ = static_cast<int>(inner_.size()) + 1;
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Matrix powers(degree_ + 1, degree_ + 1);
  for (int i = 0; i <= degree_; ++i) {
    for (int k = 0; k <= degree_; ++k) powers(i, k) = k == 0 ? 1.0 : std::pow(node(i), k);
  }
  const Matrix inverse = linear::FullLu(powers).inverse();
  inverse_.assign(inverse.data(), inverse.data() + inverse.size());
  values_.resize((degree_ + 1) * components);
  coefficients_.resize(values_.size());
}

StagePolynomial::StagePolynomial(const StagePolynomial& of_same_nodes, int components)
    : inner_(of_same_nodes.inner_),
      components_(components),
      degree_(of_same_nodes.degree_),
      inverse_(of_same_nodes.inverse_),
      values_((degree_ + 1) * components),
      coefficients_(values_.size()) {}

void StagePolynomial::set(double begin, double h, std::span<const double> start, std::span<const double> inner,
                          std::span<const double> end) {
  begin_ = begin, h_ = h;
  auto next = std::ranges::copy(start, values_.begin()).out;
  next = std::ranges::copy(inner, next).out;
  std::ranges::copy(end, next);
  find_coefficients();
}

void StagePolynomial::replace_end(std::span<const double> end) {
  std::ranges::copy(end, values_.end() - components_);
  find_coefficients();
}

// Differences from the end point: components that are constant over the step have no rounding error.
void StagePolynomial::find_coefficients() {
  const double* end = values_.data() + degree_ * components_;
  std::ranges::fill(coefficients_, 0.0);
  std::copy_n(end, components_, coefficients_.begin());
  for (int k = 1; k <= degree_; ++k)
    for (int i = 0; i < degree_; ++i) {
      const double factor = inverse_[k * (degree_ + 1) + i];
      for (int j = 0; j < components_; ++j)
        coefficients_[k * components_ + j] += factor * (values_[i * components_ + j] - end[j]);
    }
}

void StagePolynomial::value(double t, std::span<double> y) const {
  const double tau = (t - begin_) / h_ - 1.0;
  for (int j = 0; j < components_; ++j) {
    double sum = 0.0;
    for (int k = degree_; k >= 0; --k) sum = sum * tau + coefficients_[k * components_ + j];
    y[j] = sum;
  }
}

void StagePolynomial::slope(double t, std::span<double> yp) const {
  const double tau = (t - begin_) / h_ - 1.0;
  for (int j = 0; j < components_; ++j) {
    double sum = 0.0;
    for (int k = degree_; k >= 1; --k) sum = sum * tau + k * coefficients_[k * components_ + j];
    yp[j] = sum / h_;
  }
}

void StagePolynomial::along_step(std::span<const SlotWeight> function, AlongStep& out) const {
  out.origin = begin_ + h_;
  out.h = h_;
  out.c.assign(static_cast<std::size_t>(degree_) + 1, 0.0);
  for (int k = 0; k <= degree_; ++k)
    for (const SlotWeight& term : function)
      out.c[static_cast<std::size_t>(k)] += term.weight * coefficients_[k * components_ + term.slot];
}

// Lagrange's formula, with and without the start, for differences from the end point.
void StagePolynomial::extrapolate(double t, std::span<const double> from_start, std::span<double> y) const {
  const double tau = (t - begin_) / h_ - 1.0;
  const double* end = values_.data() + degree_ * components_;
  std::copy_n(end, components_, y.begin());
  for (int i = 0; i < degree_; ++i) {
    double factor = 1.0;
    for (int j = 1; j <= degree_; ++j)
      if (j != i) factor *= (tau - node(j)) / (node(i) - node(j));
    const double without = i == 0 ? 0.0 : factor;
    const double with = i == 0 ? factor : factor * (tau - node(0)) / (node(i) - node(0));
    const double* value = values_.data() + i * components_;
    for (int k = 0; k < components_; ++k) y[k] += (without + from_start[k] * (with - without)) * (value[k] - end[k]);
  }
}

void StagePolynomial::store(Segment& segment) const { segment = {begin_, begin_ + h_, degree_, coefficients_}; }

}  // namespace driftless
