// Sensitivities across a jump by impulses (hybrid/impulses.hpp): a clutch that closes, a rope that becomes taut, the
// effect of a reinit of one velocity on the others.
//
// The values after such an event solve the equations of the mode that begins, at every level, and those of the
// impulses; quantities with a memory and without an impulse are continuous. All this holds for neighbouring parameters
// as well, so the derivatives along the moving instant are linear equations for the total derivatives of the values
// after it:
//
//   ∂f/∂q Dq + ∂f/∂p Dp + ∂f/∂t dt*/dp = 0,
//   the same for each equation of impulses, 0 = e(q, Z, X before the jump, p, t), with the impulses Z as unknowns,
//   Dx = Dx before the event for continuous quantities, and the derivative of r where reinit sets r.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "driftless/hybrid/jump.hpp"
#include "driftless/sensitivity/event_sensitivity.hpp"
#include "driftless/sensitivity/local_expression.hpp"

namespace driftless::sensitivity {

// A quantity set by reinit: its value and total derivative.
struct PrescribedMotion {
  PrescribedValue set;
  Eigen::RowVectorXd moves;
};

struct JumpPassage {
  const EventPassage& event;
  const Motion& before;               // total derivatives of everything before the event
  const Eigen::MatrixXd& parameters;  // and of the numbers valid after it
  std::vector<PrescribedMotion> set;
  double closeness = 1e-6;  // within which values are equal
};

// The total derivatives of all quantities of the array on the right side, or the reason why there are none.
std::variant<Eigen::MatrixXd, std::string> behind_jump(const JumpPassage& passage);

}  // namespace driftless::sensitivity
