// Proofs that rows of an initial problem have no solution. A search that fails proves nothing; these do:
//
//   - rows that are affine in the unknowns, and of which a combination says 0 = c with c not 0,
//   - a row whose value cannot be 0 for any values of the unknowns, except those that fixed starts set: its range, by
//     interval arithmetic, does not contain 0 (x^2 + y^2 = 1 at a fixed y = 2).
#pragma once

#include "driftless/initialize/rows.hpp"

namespace driftless {

bool is_contradiction(const Reduced& reduced, const InitialProblem& problem, double t);

}  // namespace driftless
