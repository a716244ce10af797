// What the summary of a run, and a table after it, say of its events.
#pragma once

#include <cstddef>
#include <string>

#include "driftless/solution/page.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

// How many, by what, and the impulses. Nothing for a model without events.
void show_events(Page& page, const Solution& solution);

// The first events, one below the other: when, why, what changed. The last line says how many more there were.
std::string event_table(const Solution& solution, std::size_t most = 20, int width = 100);

}  // namespace driftless
