// Converts a table of points x_1 < x_2 < ... < x_n with values y_i into piecewise polynomials of degree at most 3.
//
// Invariant: there is one piece more than breaks, and the breaks are strictly ascending. Piece k is valid for
// breaks[k - 1] <= x < breaks[k]; the first and the last piece reach to infinity.
#pragma once

#include <array>
#include <span>
#include <vector>

namespace driftless {

// How values between the points are interpolated. The numbers are those of Modelica.Blocks.Types.Smoothness.
enum class Smoothness { Linear = 1, Akima = 2, Constant = 3, FritschButland = 4, Steffen = 5, ModifiedAkima = 6 };
// How values outside the points are extrapolated. The numbers are those of Modelica.Blocks.Types.Extrapolation.
enum class Extrapolation { Hold = 1, LastSlope = 2, Periodic = 3, None = 4 };

// c[0] + c[1] s + c[2] s^2 + c[3] s^3 with s = x - origin.
struct Polynomial {
  double origin = 0.0;
  std::array<double, 4> c{};

  double operator()(double x) const;
  int degree() const;  // 0 for a constant, including zero
};

struct Piecewise {
  std::vector<double> breaks;
  std::vector<Polynomial> pieces;

  double operator()(double x) const;
};

// x must not descend; equal neighbours make a jump to the value of the last of them. Splines need strictly ascending x.
// With Periodic the pieces are valid in [x_1, x_n], and the caller reduces x to this interval. There is at least one
// point.
Piecewise interpolate(std::span<const double> x, std::span<const double> y, Smoothness smoothness,
                      Extrapolation extrapolation);

// The slopes of a spline at its points (docs/tables.md). At least two points, strictly ascending.
std::vector<double> slopes(std::span<const double> x, std::span<const double> y, Smoothness smoothness);

}  // namespace driftless
