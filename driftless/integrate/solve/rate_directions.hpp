// Directions along which a point is moved until constraints hold. Direction k is the change of the rates when the
// unknowns z of the rows change by the solution z_k of a linear system, d_k = (∂rate/∂z) z_k. With these
//
//   y <- y - sum_k d_k r_k(y)
//
// is Newton's iteration for the residuals r of the constraints, with the directions of the first point.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "driftless/integrate/system/system.hpp"

namespace driftless {

class RateDirections {
 public:
  explicit RateDirections(const System& system) : system_(system) {}

  void resize(std::size_t constraints);

  // `place_of_slot`: where a slot is in the solution; -1: it is held.
  void set(std::size_t constraint, std::span<const double> jacobian, std::span<const int> place_of_slot,
           std::span<const double> solution);

  // residuals(out) evaluates those of all constraints at y. Iterates to rounding; false if it does not converge.
  template <class Residuals>
  bool follow(std::span<double> y, Residuals residuals) {
    double before = 0.0;
    for (int i = 0; i < most_iterations; ++i) {
      residuals(std::span<double>(residuals_));
      const double size = move(y);
      if (!std::isfinite(size)) return false;
      if (size <= converged || (size <= stalled && i > 0 && size > 0.5 * before)) return true;
      before = size;
    }
    return false;
  }

 private:
  static constexpr int most_iterations = 20;
  static constexpr double converged = 1e-15;  // relative to the component
  static constexpr double stalled = 1e-9;     // a correction below this that no longer shrinks is rounding

  double move(std::span<double> y);  // how far, relative to its size

  const System& system_;
  std::vector<double> directions_, residuals_;
};

}  // namespace driftless
