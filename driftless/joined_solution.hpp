// The results of a run that was changed while it went on: each part between two changes is a run of its own.
#pragma once

#include "driftless/solution/solution.hpp"

namespace driftless {

// Drops the output points and events after t.
void keep_up_to(Solution& solution, double t);

// Appends the output points of `part` to `whole`, with the outcome of the part. Dense output has different equations in
// each part: the segments of both are joined, but without the observer (driftless/joined_parts.hpp).
void append(Solution& whole, Solution part);

}  // namespace driftless
