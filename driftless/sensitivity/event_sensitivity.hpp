// Sensitivities across an event. The derivative of its time t* follows from the relation that causes it,
//
//   dt*/dp = -(∂g/∂q s + ∂g/∂p) / (dg/dt),
//
// and quantities that are continuous, or set by reinit, have the same total derivative on both sides:
//
//   s + q' dt*/dp  after the event = the derivative of the expression of their values, before it
//
// (docs/sensitivities.md). Whether the values after the event were computed in this way is checked by the values; if
// states jump by impulses, the equations of the jump are differentiated (jump_sensitivity.hpp).
#pragma once

#include <memory>
#include <span>

#include <Eigen/Core>

#include "driftless/hybrid/jump.hpp"
#include "driftless/sensitivity/directions.hpp"
#include "driftless/sensitivity/linearization.hpp"
#include "driftless/sensitivity/epoch.hpp"

namespace driftless::sensitivity {

struct EventSide {
  Linearization& linearization;  // of the equations on this side
  std::span<const double> parameters, quantities;
};

struct EventPassage {
  double t = 0.0;
  EventSide left, right;
  const Epoch& epoch;                          // after it
  const std::shared_ptr<const Reduced>& base;  // the equations after it, with every level
  std::unique_ptr<JumpIntoMode>& jump;         // into these equations: made by the first event that needs it
  double tolerance = 1e-6;
};

struct EventSensitivity {
  Eigen::RowVectorXd time;     // dt*/dp
  Eigen::MatrixXd quantities;  // after it, of the array on the right side
  Eigen::MatrixXd parameters;  // valid after it
};

// `before`: the sensitivities of all quantities on the left side, `of_parameters` those of the numbers valid there.
// Throws NotAvailable.
EventSensitivity pass_event(const EventPassage& passage, const Eigen::MatrixXd& before,
                            const Eigen::MatrixXd& of_parameters);

}  // namespace driftless::sensitivity
