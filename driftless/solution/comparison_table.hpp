// A comparison as a table for people: one line per run, reasons below.
#pragma once

#include <string>

#include "driftless/solution/comparison.hpp"

namespace driftless {

std::string comparison_table(const Comparison& comparison);

}  // namespace driftless
