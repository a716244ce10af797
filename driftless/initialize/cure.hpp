// Lines of text that make a model start consistently, as close to the user's starts as possible.
#pragma once

#include <vector>

#include "driftless/initialize/report.hpp"
#include "driftless/initialize/start.hpp"

namespace driftless {

// Writes report.cure and report.cure_holds. `conflict` are rows of conditions that cannot hold together: the one whose
// removal moves its own quantity least is dropped. The lines are tested on a copy of the model: they hold if its start
// is found, no start moves, and no condition is missing or superfluous.
void find_cure(const Reduced& reduced, const InitialProblem& problem, const FoundStart& found,
               const std::vector<int>& conflict, double t, const LeadToRows& lead, StartReport& report);

}  // namespace driftless
