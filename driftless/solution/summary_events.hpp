// The part of the summary of a run about events.
#pragma once

#include "driftless/solution/page.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

// Their number, their causes, and the impulses. Nothing for a model without events.
void show_events(Page& page, const Solution& solution);

}  // namespace driftless
