// The events of a run as a table for people.
#pragma once

#include <cstddef>
#include <string>

#include "driftless/solution/solution.hpp"

namespace driftless {

// The first events, one below the other: when, why, what changed. The last line gives the number of further events.
std::string event_table(const Solution& solution, std::size_t most = 20, int width = 100);

}  // namespace driftless
