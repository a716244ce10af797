// A process that does runs for the one of rank 0.
#pragma once

#include "driftless/sweep/sweep.hpp"

namespace driftless::sweep {

// Returns when the leader has no more runs, or options.goes_on says no. Precondition: options.processes, rank above 0.
void follow(const Compiled& compiled, const Plan& plan, const Options& options);

}  // namespace driftless::sweep
