// Right inverses for restoring invariants h(y) = 0: a matrix F with h_y F = I, so that y - F(y) h(y) satisfies them up
// to terms of second order. F is computed at one point and may be used at points near it.
//
//   normal  F = D (C D)^-1 with D = C^T, C the partial derivatives of h with respect to chosen slots
//   force   F = B (C B)^-1, B the directions in which the multipliers of the constraints act; M^-1 G^T in mechanics
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "driftless/integrate/system/system.hpp"
#include "driftless/linear/factorization.hpp"

namespace driftless {

class RightInverse {
 public:
  virtual ~RightInverse() = default;

  // False if there is none at this point.
  virtual bool find(const System::Point& at) = 0;

  // As find, but keeps the directions, the span of F, if possible.
  virtual bool improve(const System::Point& at) = 0;

  // y becomes y - F residual, one residual for each of the invariants.
  virtual void apply(std::span<const double> residual, std::span<double> y) = 0;

  virtual void archive(Archive& archive) = 0;
};

// `invariants`: their numbers in the system; `moves`: does this invariant move this slot? At least one must.
std::unique_ptr<RightInverse> make_normal_inverse(System& system, const std::vector<int>& invariants,
                                                  const std::function<bool(int invariant, int slot)>& moves);

// The invariants are levels of constraints, each moves the slots of its own stage. Null if no available system has the
// highest level of every constraint.
std::unique_ptr<RightInverse> make_force_inverse(System& system, const std::vector<int>& invariants);

}  // namespace driftless
