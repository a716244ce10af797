// The polynomial of degree n through the values of a function at the Chebyshev points of a piece of a step,
//
//   t_j = middle + half cos(j pi/n),  j = 0, ..., n,     p = sum_k c_k T_k.
//
// The coefficients c_k of a smooth function fall geometrically, so the last ones estimate the error of p, and the sum
// of their absolute values bounds it (Trefethen 2013, Chapters 3 and 8). The points of degree n are among those of 2n.
#pragma once

#include <array>
#include <span>

#include "driftless/archive/archive.hpp"

namespace driftless {

class Interpolant {
 public:
  static constexpr int highest_degree = 16;
  static double point(int j, int degree);  // in [-1, 1], descending

  // Takes the values at the points of this degree: 4, 8 or 16.
  void take(std::span<const double> values, int degree);

  int degree() const { return degree_; }
  double tail() const;  // the size of the last coefficients
  double size() const;  // a bound of |p|
  double mean() const { return c_[0]; }
  double deviation() const;           // a bound of |p - mean|
  double slope(int end) const;        // dp/dx at x = -1 or 1
  double operator()(double x) const;  // x of [-1, 1]

  // dp/dx in the Bernstein basis of [0, 1], which stands for [-1, 1].
  std::span<const double> derivative();

  void archive(Archive& archive) { archive(degree_, c_); }

 private:
  int degree_ = 0;
  std::array<double, highest_degree + 1> c_ = {}, bernstein_ = {};
};

}  // namespace driftless
