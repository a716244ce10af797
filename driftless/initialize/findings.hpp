// Findings about the equations from a start that was found, or from a failed search.
#pragma once

#include <vector>

#include "driftless/initialize/report.hpp"
#include "driftless/initialize/start.hpp"

namespace driftless {

// For each block of equations one other solution within the bounds, if guesses on the other side of the starts lead to
// one. There may be more.
std::vector<StartReport::Branch> other_branches(const Reduced& reduced, const InitialProblem& problem,
                                                const FoundStart& found, double t);

// Rows that do not hold, each equation at its lowest level, and the largest residual relative to the terms of its row.
std::vector<StartReport::Violation> violations_of(const Reduced& reduced, const InitialProblem& problem,
                                                  const FoundStart& found, double t, double& largest_residual);

// Where the start was found: rows that depend on others, each with those of which it is a combination.
std::vector<std::vector<int>> repetitions_in(const Reduced& reduced, const InitialProblem& problem,
                                             const FoundStart& found, double t);

// "m", "m/s"; empty where none was given.
std::string unit_of(const Model& model, const InitialUnknown& unknown);

}  // namespace driftless
