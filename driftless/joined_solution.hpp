// The results of a run that was changed on its way: each part between two changes is a run of its own.
#pragma once

#include "driftless/solution/solution.hpp"

namespace driftless {

// Without the output points and events behind t.
void keep_up_to(Solution& solution, double t);

// `whole` becomes the output points of both, one part behind the other, with the outcome of the second. Dense output
// has other equations in each part: its segments are those of both, and what shows points on them is missing
// (driftless/joined_parts.hpp).
void append(Solution& whole, Solution part);

}  // namespace driftless
