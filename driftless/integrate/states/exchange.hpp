// Two candidates that change places.
#pragma once

namespace driftless {

struct Exchange {
  int out = 0;          // candidate (index into Reduced::kinematics) that stops being a state
  int in = 0;           // candidate that becomes one
  double margin = 0.0;  // |T_ij|: by how much the new choice is better conditioned
};

}  // namespace driftless
