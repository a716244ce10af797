// Other units for equations, unknowns and time, so that the entries of a pencil become comparable: ranks are decided by
// sizes, and the structure of a pencil does not depend on units. All factors are powers of two, so scaling is exact.
#pragma once

#include "driftless/pencil/pencil.hpp"

namespace driftless::pencil {

struct Balanced {
  Pencil pencil;               // A = rows A_given cols, B = time rows B_given cols
  Eigen::VectorXd rows, cols;  // diagonal matrices
  double time = 1.0;
};

// The largest entry of each row and column of (A, B) comes within a factor of 2 of 1, and so do the largest entries of
// A and of B where that is possible (alternating, as in Ruiz 2001). Only the largest entries count: the
// smallest ones may be rounding errors.
Balanced balance(const Pencil& given);

}  // namespace driftless::pencil
