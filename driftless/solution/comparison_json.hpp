// A comparison as one JSON object for programs.
#pragma once

#include <string>

#include "driftless/solution/comparison.hpp"

namespace driftless {

// Numbers that are not finite become null.
std::string to_json(const Comparison& comparison);

}  // namespace driftless
