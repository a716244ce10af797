// Directions along which a point is moved until constraints hold: direction k is what the rates of the components
// change by when the unknowns z of the rows change by the solution z_k of a linear system, d_k = (∂rate/∂z) z_k. With
// these
//
//   y <- y - sum_k d_k r_k(y)
//
// is Newton's iteration for the residuals r of the constraints, the directions of the first point being kept.
#pragma once

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

  // residuals(out) evaluates those of all constraints at y. To rounding; false if it does not converge.
  template <class Residuals>
  bool follow(std::span<double> y, Residuals residuals) {
    progress_ = {};
    while (progress_.state == Progress::Moving) {
      residuals(std::span<double>(residuals_));
      move(y);
    }
    return progress_.state == Progress::There;
  }

 private:
  void move(std::span<double> y);

  const System& system_;
  std::vector<double> directions_, residuals_;
  struct Progress {
    enum State { Moving, There, Lost } state = Moving;
    int iterations = 0;
    double last_size = 0.0;
  } progress_;
};

}  // namespace driftless
