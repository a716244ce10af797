// A process that executes runs for the process of rank 0.
#pragma once

#include "driftless/sweep/sweep.hpp"

namespace driftless::sweep {

// Returns when the leader has no more runs, or options.goes_on returns false. Precondition: options.processes, rank
// above 0.
void follow(const Compiled& compiled, const Plan& plan, const Options& options);

}  // namespace driftless::sweep
