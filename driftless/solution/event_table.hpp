// The events of a run for a person.
#pragma once

#include <cstddef>
#include <string>

#include "driftless/solution/solution.hpp"

namespace driftless {

// The first events, one below the other: when, why, what changed. The last line says how many more there were.
std::string event_table(const Solution& solution, std::size_t most = 20, int width = 100);

}  // namespace driftless
