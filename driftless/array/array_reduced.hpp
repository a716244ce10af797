// A derivative array as the equations that are integrated (Campbell, Moore 1995). Its rows are all equations of the
// array, its slots all their unknowns. The rows determine them up to some x_b of those below the highest derivatives
// (states, d of them) and up to some w_b of those above. The determined quantities, u' = f(x_b) and the rest of x, do
// not depend on w_b, so w_b is held constant:
//
//   d/dt x_b = its derivative, a slot as well,   d/dt w_b = 0.
//
// Both are kinematic relations of one choice (reduce/reduced.hpp), and other x_b or w_b are chosen like other states.
// Quantities up to the highest derivatives of the model are delivered.
#pragma once

#include "driftless/array/array_index.hpp"
#include "driftless/array/derivative_array.hpp"

namespace driftless {

// Adds the equations that a repair has replaced as constraints: they follow from the rows, and are checked with them.
void add_constraints_left_out(const DerivativeArray& array, Reduced& reduced);

Reduced array_reduced(const DerivativeArray& array, const ArrayIndex& index);

}  // namespace driftless
