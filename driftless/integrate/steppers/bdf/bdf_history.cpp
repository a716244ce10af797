#include "driftless/integrate/steppers/bdf/bdf_history.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace driftless {
namespace {

// Makes the order a compile-time constant of the loops over the components.
template <class F>
void with_order(int order, F&& f) {
  switch (order) {
    case 1: return f(std::integral_constant<int, 1>{});
    case 2: return f(std::integral_constant<int, 2>{});
    case 3: return f(std::integral_constant<int, 3>{});
    case 4: return f(std::integral_constant<int, 4>{});
    case 5: return f(std::integral_constant<int, 5>{});
    default: assert(false);
  }
}

// By order: the part of the first neglected term that a numerical differentiation formula includes. Up to order 4 those
// of Shampine and Reichelt (1997, Table 1): the first two stay A-stable, the others lose 5 and 7 degrees of
// A(alpha)-stability. They leave out order 5, to keep its 52 degrees. Here half of the term is worth 15 of them: the
// control lowers the order where oscillations are not damped (bdf_control.hpp), and mechanisms, which turn and hardly
// decay, run at order 5 with half of the error.
constexpr std::array part_of_next_term = {0.0, 0.37, 0.5, 0.6, 0.43, 0.52};

// After a start the rates are accurate. Later, order 1 is the last resort where differences are meaningless, so it must
// not use them: backward Euler.
constexpr int points_of_start = 3;

double mean_root(double sum, std::size_t n) {
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(n, 1)));
}

}  // namespace

void BdfHistory::start(std::span<const double> y, std::span<const double> yp, double h) {
  size_ = y.size();
  differences_.assign(rows * size_, 0.0);
  std::ranges::copy(y, row(0).begin());
  for (std::size_t i = 0; i < size_; ++i) row(1)[i] = h * yp[i];
  for (int j = 0; j < rows; ++j) distance_[j] = (j + 1) * h;
  points_ = 2;
  last_order_ = 1;
  h_ = 0.0;
}

void BdfHistory::start(std::span<const std::vector<double>> points, double h) {
  assert(!points.empty() && points.size() <= rows);
  size_ = points[0].size();
  points_ = static_cast<int>(points.size());
  differences_.assign(rows * size_, 0.0);
  for (int j = 0; j < points_; ++j) std::ranges::copy(points[j], row(j).begin());
  for (int j = 1; j < points_; ++j)  // equal steps: phi_j is the j-th backward difference
    for (int k = points_ - 1; k >= j; --k)
      for (std::size_t i = 0; i < size_; ++i) row(k)[i] = row(k - 1)[i] - row(k)[i];
  for (int j = 0; j < rows; ++j) distance_[j] = (j + 1) * h;
  last_order_ = std::min(points_ - 1, highest_order);
  h_ = 0.0;
}

void BdfHistory::rescale_slope(double factor) {
  for (double& slope : row(1)) slope *= factor;
  for (double& distance : distance_) distance *= factor;
}

void BdfHistory::prepare(double h, int order, Formulas formulas) {
  assert(order >= 1 && order <= highest_order && order < points_);
  h_ = h;
  order_ = order;
  new_distance_[0] = h;
  for (int j = 1; j < rows; ++j) new_distance_[j] = h + distance_[j - 1];
  beta_[0] = 1.0, gamma_[0] = 0.0, sigma_[0] = 1.0;
  double harmonic = 0.0, leading = 0.0;  // the coefficient of y_n with equal steps, and of BDF with these: both times h
  for (int j = 1; j <= order + 1; ++j) {
    beta_[j] = beta_[j - 1] * (new_distance_[j - 1] / distance_[j - 1]);
    gamma_[j] = gamma_[j - 1] + 1.0 / new_distance_[j - 1];
    sigma_[j] = sigma_[j - 1] * j * (h / new_distance_[j]);
    if (j <= order) harmonic += 1.0 / j, leading += h / new_distance_[j - 1];
  }
  if (formulas == Formulas::Numerical && (order > 1 || points_ <= points_of_start))
    harmonic += part_of_next_term[order] / (order + 1);
  alpha_ = harmonic / h;
  const double last = h / new_distance_[order];
  test_factor_ = std::max(last, std::abs(last + leading - harmonic));
}

void BdfHistory::predict(std::span<double> y, std::span<double> yp) const {
  with_order(order_, [&](auto k) {
    const double* phi = differences_.data();
    double* __restrict value = y.data();
    double* __restrict slope = yp.data();
    std::array<double, k + 1> b, g;
    for (int j = 1; j <= k; ++j) b[j] = beta_[j], g[j] = gamma_[j] * beta_[j];
    for (std::size_t i = 0; i < size_; ++i) {
      double sum = phi[i], rate = 0.0;
      for (int j = 1; j <= k; ++j) {
        const double difference = phi[j * size_ + i];
        sum += b[j] * difference;
        rate += g[j] * difference;
      }
      value[i] = sum;
      slope[i] = rate;
    }
  });
}

BdfHistory::Errors BdfHistory::errors(std::span<const double> correction, std::span<const double> weights) const {
  return errors({correction.data(), row(order_).data(), row(order_ - 1).data(), row(order_ + 1).data()}, weights);
}

BdfHistory::Errors BdfHistory::errors_of_image(std::span<const double> correction, std::span<const double> weights,
                                               const Map& map) {
  images_.resize(4 * size_);
  const auto image = [&](std::size_t k) { return std::span(images_).subspan(k * size_, size_); };
  map(correction, image(0));
  for (int k = -1; k <= 1; ++k) map(row(order_ + k), image(2 + k));
  return errors({image(0).data(), image(2).data(), image(1).data(), image(3).data()}, weights);
}

BdfHistory::Errors BdfHistory::errors(const Compared& compared, std::span<const double> weights) const {
  const double b = beta_[order_], b_lower = beta_[order_ - 1], b_higher = beta_[order_ + 1];
  double same = 0.0, lower = 0.0, twice_lower = 0.0, higher = 0.0;
  for (std::size_t i = 0; i < size_; ++i) {
    const double w = weights[i], e = compared.correction[i];
    const double e_lower = e + b * compared.same[i];  // phi_k at the new point; then phi_(k-1), then phi_(k+2)
    const double e_twice_lower = e_lower + b_lower * compared.lower[i];
    const double e_higher = e - b_higher * compared.higher[i];
    same += (w * e) * (w * e);
    lower += (w * e_lower) * (w * e_lower);
    twice_lower += (w * e_twice_lower) * (w * e_twice_lower);
    higher += (w * e_higher) * (w * e_higher);
  }
  constexpr double unknown = std::numeric_limits<double>::infinity();
  const double size = mean_root(same, size_);
  const bool knows_higher = order_ < highest_order && order_ + 1 < points_ && order_ <= last_order_;
  return {.accepted = test_factor_ * size,
          .same = sigma_[order_] * size,
          .lower = order_ > 1 ? sigma_[order_ - 1] * mean_root(lower, size_) : unknown,
          .twice_lower = order_ > 2 ? sigma_[order_ - 2] * mean_root(twice_lower, size_) : unknown,
          .higher = knows_higher ? sigma_[order_ + 1] * mean_root(higher, size_) : unknown};
}

void BdfHistory::accept(std::span<const double> correction) {
  with_order(order_, [&](auto k) {
    double* phi = differences_.data();
    for (std::size_t i = 0; i < size_; ++i) {
      double difference = correction[i];
      phi[(k + 1) * size_ + i] = difference;
      for (int j = k; j >= 0; --j) phi[j * size_ + i] = difference += beta_[j] * phi[j * size_ + i];
    }
  });
  distance_ = new_distance_;
  points_ = std::min(points_ + 1, rows);
  last_order_ = order_;
}

void BdfHistory::interpolate(double s, std::span<double> y, std::span<double> yp) const {
  // Newton's form from t_n: phi_j is multiplied by prod_(i<j) (s + distance to point i) / distance_[i].
  std::array<double, rows> c{}, d{};
  c[0] = 1.0;
  for (int j = 1; j <= last_order_; ++j) {
    const double from = s + (j == 1 ? 0.0 : distance_[j - 2]);
    c[j] = c[j - 1] * from / distance_[j - 1];
    d[j] = (d[j - 1] * from + c[j - 1]) / distance_[j - 1];
  }
  std::ranges::copy(row(0), y.begin());
  std::ranges::fill(yp, 0.0);
  for (int j = 1; j <= last_order_; ++j)
    for (std::size_t i = 0; i < size_; ++i) {
      y[i] += c[j] * row(j)[i];
      yp[i] += d[j] * row(j)[i];
    }
}

void BdfHistory::taylor(double h, std::span<double> coefficients) const {
  std::ranges::fill(coefficients, 0.0);
  std::array<double, rows> c{};  // of the factor of phi_j as a polynomial in s / h
  c[0] = 1.0;
  std::ranges::copy(row(0), coefficients.begin());
  for (int j = 1; j <= last_order_; ++j) {
    const double shift = j == 1 ? 0.0 : distance_[j - 2];
    for (int m = j; m >= 0; --m) c[m] = ((m > 0 ? h * c[m - 1] : 0.0) + shift * c[m]) / distance_[j - 1];
    for (int m = 1; m <= last_order_; ++m)
      for (std::size_t i = 0; i < size_; ++i) coefficients[m * size_ + i] += c[m] * row(j)[i];
  }
}

void BdfHistory::move(std::span<const double> d) {
  for (int j = 0; j <= last_order_ + 1; ++j)
    for (std::size_t i = 0; i < size_; ++i) row(j)[i] += d[i];
}

}  // namespace driftless
