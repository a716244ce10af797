// A derivative array as the equations that are integrated (Campbell, Moore 1995). Its rows are all equations of the
// array, its slots all their unknowns. The rows determine them up to some x_b of those below the highest derivatives
// (states, d of them) and up to some w_b of those above. What is determined, u' = f(x_b) and the rest of x, does not
// depend on w_b, so these are held constant:
//
//   d/dt x_b = its derivative, a slot as well,   d/dt w_b = 0.
//
// Both are kinematic relations of one choice (reduce/reduced.hpp), and other x_b or w_b are chosen like other states.
// The quantities that are delivered are those up to the highest derivatives of the model.
#pragma once

#include "driftless/array/array_index.hpp"
#include "driftless/array/derivative_array.hpp"

namespace driftless {

// What a repair has left out follows from the rows, and is checked with them.
void add_constraints_left_out(const DerivativeArray& array, Reduced& reduced);

Reduced array_reduced(const DerivativeArray& array, const ArrayIndex& index);

}  // namespace driftless
