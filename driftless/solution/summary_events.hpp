// What the summary of a run says of its events.
#pragma once

#include "driftless/solution/page.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

// How many, by what, and the impulses. Nothing for a model without events.
void show_events(Page& page, const Solution& solution);

}  // namespace driftless
