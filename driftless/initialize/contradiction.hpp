// Proofs that rows of an initial problem have no solution. A failed search proves nothing; these two tests do:
//
//   - rows that are affine in the unknowns, of which a combination is 0 = c with c not 0,
//   - a row whose value cannot be 0 for any values of the unknowns, except those that fixed starts set: its range, by
//     interval arithmetic, does not contain 0 (x^2 + y^2 = 1 at a fixed y = 2).
#pragma once

#include "driftless/initialize/rows.hpp"

namespace driftless {

bool is_contradiction(const Reduced& reduced, const InitialProblem& problem, double t);

}  // namespace driftless
