// The summary of a run for people: the model's structure, the cost of the run, and the drift certificate; after a
// failure what happened and how far the run got.
#pragma once

#include <string>

#include "driftless/solution/solution.hpp"

namespace driftless {

struct SummaryOptions {
  bool colour = false;  // ANSI escape sequences
  int width = 100;      // of the terminal, in characters; at least 60 are used
};

std::string summary(const Solution& solution, SummaryOptions options = {});

}  // namespace driftless
