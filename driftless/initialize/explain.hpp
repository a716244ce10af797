// Why there is no consistent start, and what became of the starts where there is one; in the user's names.
#pragma once

#include <string>
#include <vector>

#include "driftless/initialize/initialize.hpp"
#include "driftless/initialize/start.hpp"

namespace driftless {

// A start that was not found: the equations that have no value, or those that were missed.
NoConsistentStart explain_failure(const Reduced& reduced, const InitialProblem& problem, double t,
                                  const FoundStart& found);

// The part of the problem that has no start by itself, and the search for one; the whole if that is not known.
struct GuiltyPart {
  PartialProblem part;
  FoundStart found;
};
GuiltyPart guilty_part(const Reduced& reduced, const InitialProblem& problem, double t, const FoundStart& found);

// Rows of conditions that were not met together, as few as possible: a condition stays out if the others are not met
// without it either (deletion filter). Empty if no start is found even without conditions, or if there are too many to
// try.
std::vector<int> smallest_conflict(const Reduced& reduced, const InitialProblem& problem, double t);

// "0 of 2 initial conditions are given; taken from start values: x = 1, der(x) = 0", and starts that had to move with
// the equation that moved them. `missing` conditions were taken from starts.
std::vector<std::string> remarks_on(const Reduced& reduced, const InitialProblem& problem, const FoundStart& found,
                                    int degrees_of_freedom);

}  // namespace driftless
