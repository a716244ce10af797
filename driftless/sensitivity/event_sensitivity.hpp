// Sensitivities across an event. Its time t* moves with the directions as the relation that causes it tells,
//
//   dt*/dp = -(∂g/∂q s + ∂g/∂p) / (dg/dt),
//
// and whatever is continuous, or set by reinit, has the same total derivative on both sides:
//
//   s + q' dt*/dp  behind the event = the derivative of what the values there are made of, before it
//
// (docs/sensitivities.md). That this is how the values behind the event were made is checked by these values; where
// states jump by impulses, what these solve is differentiated (jump_sensitivity.hpp).
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
  const Epoch& epoch;                          // behind it
  const std::shared_ptr<const Reduced>& base;  // the equations behind it, with every level
  std::unique_ptr<JumpIntoMode>& jump;         // into them: made by the first event that needs it
  double tolerance = 1e-6;
};

struct EventSensitivity {
  Eigen::RowVectorXd time;     // dt*/dp
  Eigen::MatrixXd quantities;  // behind it, of the array on the right side
  Eigen::MatrixXd parameters;  // in force behind it
};

// `before`: the sensitivities of all quantities on the left side, `of_parameters` those of the numbers in force there.
// Throws NotAvailable.
EventSensitivity pass_event(const EventPassage& passage, const Eigen::MatrixXd& before,
                            const Eigen::MatrixXd& of_parameters);

}  // namespace driftless::sensitivity
