// The past of a BDF method as modified divided differences (Brenan, Campbell, Petzold 1996, Section 5.2.2),
//
//   psi_j = t_n - t_(n-j),   phi_0 = y_n,   phi_j = psi_1 ... psi_j y[t_n, ..., t_(n-j)],
//
// for every component, whatever its role: a component that becomes a state already has its history.
//
// A step of size h and order k predicts by the polynomial of degree k through the last k + 1 points. Its differences
// seen from t_n + h are beta_j phi_j with beta_j = prod_(i<=j) psi'_i / psi_i, psi' measured from there:
//
//   y_pred = sum beta_j phi_j,    y'_pred = sum gamma_j beta_j phi_j,    gamma_j = sum_(i<=j) 1 / psi'_i.
//
// The corrector is a formula with fixed leading coefficient (Jackson, Sacks-Davis 1980): y' - y'_pred = alpha (y -
// y_pred) with alpha = (1 + 1/2 + ... + 1/k + theta/(k + 1)) / h, whatever the steps before. With theta = 0 these are
// the backward differentiation formulas, which neglect e/(k + 1); the numerical differentiation formulas (Klopfenstein
// 1971; Shampine, Reichelt 1997, Section 2) include the part theta of it, and leave the rest as error.
//
// The correction e = y - y_pred is the difference phi_(k+1) at the new point, and
//
//   phi_k <- beta_k phi_k + e,   phi_(j) <- beta_j phi_j + phi_(j+1)   for j = k-1 .. 0.
//
// The value y_n enters every phi_j with the factor 1: a projection that moves y_n by d adds d to all of them.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "driftless/archive/archive.hpp"

namespace driftless {

class BdfHistory {
 public:
  static constexpr int highest_order = 5;
  enum class Formulas { Backward, Numerical };

  // One point and its slope, as if there had been a point h before.
  void start(std::span<const double> y, std::span<const double> yp, double h);
  // Starts from points at t_n, t_n - h, t_n - 2h, ..., newest first: at most highest_order + 2 of them.
  void start(std::span<const std::vector<double>> points, double h);
  // After `start` from one point: changes the size of the first step.
  void rescale_slope(double factor);

  int points() const { return points_; }  // number of past points, without the new one
  std::size_t size() const { return size_; }

  // The coefficients of a step; the history stays as it is until `accept`. Precondition: order < points().
  void prepare(double h, int order, Formulas formulas = Formulas::Numerical);
  double alpha() const { return alpha_; }
  int order() const { return order_; }
  double step() const { return h_; }

  void predict(std::span<double> y, std::span<double> yp) const;

  // The errors of the step h for the orders k, k - 1, k - 2 and k + 1, in the norm sqrt(sum (weight_i x_i)^2 / n),
  // estimated by the correction e: the terms sigma_j h^(j+1) y^(j+1) that the formula leaves. Where there are not
  // enough points they are infinite. `accepted` is the quantity of the error test, the larger of the local error and
  // the error of interpolation.
  struct Errors {
    double accepted = 0.0;
    double same = 0.0, lower = 0.0, twice_lower = 0.0, higher = 0.0;
  };
  Errors errors(std::span<const double> correction, std::span<const double> weights) const;

  // The same for the images of the components under a linear map, map(x, image).
  using Map = std::function<void(std::span<const double>, std::span<double>)>;
  Errors errors_of_image(std::span<const double> correction, std::span<const double> weights, const Map& map);

  void accept(std::span<const double> correction);

  // Evaluates the polynomial of degree `order` of the last step at t_n + s.
  void interpolate(double s, std::span<double> y, std::span<double> yp) const;
  // The derivatives of that polynomial, k = 0 .. order, at t_n times h^k / k!.
  void taylor(double h, std::span<double> coefficients) const;

  std::span<const double> value() const { return row(0); }
  void move(std::span<const double> d);  // moves the newest point by d

  void archive(Archive& archive) {  // to be called between steps: a prepared step is not archived
    archive.expect(size_, "number of unknowns");
    archive(differences_, distance_, points_, last_order_);
  }

 private:
  static constexpr int rows = highest_order + 2;
  // e and the differences of order k, k - 1 and k + 1 to which it is added, n values each
  struct Compared {
    const double *correction, *same, *lower, *higher;
  };
  Errors errors(const Compared& compared, std::span<const double> weights) const;
  std::span<double> row(int j) { return {differences_.data() + j * size_, size_}; }
  std::span<const double> row(int j) const { return {differences_.data() + j * size_, size_}; }

  std::size_t size_ = 0;
  std::vector<double> differences_;  // phi_0 .. phi_(k+1), each contiguous
  std::vector<double> images_;
  std::array<double, rows> distance_{};  // distance_[j] = t_n - t_(n-1-j)
  int points_ = 0;
  int last_order_ = 1;

  // Of the prepared step.
  double h_ = 0.0, alpha_ = 0.0, test_factor_ = 0.0;
  int order_ = 1;
  std::array<double, rows> new_distance_{}, beta_{}, gamma_{}, sigma_{};
};

}  // namespace driftless
