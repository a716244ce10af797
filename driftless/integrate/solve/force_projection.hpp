// The levels of the constraints below the highest, restored along the directions of the constraint forces, with the
// matrix that the accelerations and multipliers of a nearby point were computed with (linear_rows.hpp,
// level_propagation.hpp):
//
//   y - F(y~) h(y),  F = M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹   a few times: first the positions, then the velocities.
//
// Nothing is factorized for it. It is the nearest point in the norm of the mass matrix, as the projection
// both:weight=mass of the driver.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "driftless/integrate/states/level_propagation.hpp"
#include "driftless/integrate/solve/linear_rows.hpp"

namespace driftless {

class ForceProjection {
 public:
  // Null if the rows are not the highest level of every constraint, or if no level lies below.
  static std::unique_ptr<ForceProjection> of(Problem& problem, LinearRows& rows);

  // Uses the directions at the point of the last call of the rows; y must be near it. Iterates until the next
  // correction would be smaller than `accuracy`, relative to each slot. False if that is not reached.
  bool operator()(double t, std::span<double> y, double accuracy);

  void archive(Archive& archive) { archive(rate_); }

 private:
  struct Level {
    std::vector<int> rows;   // per residual: the equation of the highest level of its constraint
    std::vector<int> slots;  // that move
    std::shared_ptr<const Kernel> residual;
  };
  ForceProjection(const Problem& problem, LinearRows& rows) : rows_(rows), propagation_(problem.system()) {}

  double correct(Level& level, std::span<double> y);

  LinearRows& rows_;
  LevelPropagation propagation_;
  std::vector<Level> levels_;  // lower stages first
  std::shared_ptr<const Kernel> directions_;
  double rate_ = 1.0;  // contraction of the corrections: the same for every level, because the gradients are the same
  std::size_t y_offset_ = 0;
  std::vector<double> nominal_, residual_, z_, work_;
};

}  // namespace driftless
