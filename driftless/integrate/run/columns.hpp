// The columns of a solution: all quantities, then the invariants of the model, then its parameters.
#pragma once

#include <span>

#include "driftless/integrate/checks/delivered_point.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

// The columns, and the entries of the certificate and of the invariants, before the first point.
void describe_columns(const System& system, const DeliveredPoint& gate, double start, Solution& solution);

// Records the invariants at a point whose quantities are already in the solution, in the columns after these. An
// invariant without a value does not stop the run. `values` has room for all of them.
void record_invariants(System& system, const System::Point& at, std::span<double> values, Solution& solution);

}  // namespace driftless
