// What happens to the integrator when the states change.
#pragma once

namespace driftless {

enum class PivotMode {
  Continue,  // order, step size and history survive
  Restart,   // the integrator starts again: for comparison
  Never,     // the first choice is always kept: for comparison
};

}  // namespace driftless
