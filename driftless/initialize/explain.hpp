// Messages in the user's names: why there is no consistent start, or how the given starts were changed.
#pragma once

#include <string>
#include <vector>

#include "driftless/initialize/initialize.hpp"
#include "driftless/initialize/start.hpp"

namespace driftless {

// Explains why no start was found: equations without a value, or equations that do not hold.
NoConsistentStart explain_failure(const Reduced& reduced, const InitialProblem& problem, double t,
                                  const FoundStart& found);

// The part of the problem that has no start by itself, and the result of its search; the whole problem if no such part
// is known.
struct GuiltyPart {
  PartialProblem part;
  FoundStart found;
};
GuiltyPart guilty_part(const Reduced& reduced, const InitialProblem& problem, double t, const FoundStart& found);

// A smallest set of rows of conditions that could not be satisfied together: a condition is dropped if the others
// cannot be satisfied without it either (deletion filter). Empty if no start is found even without conditions, or if
// there are too many to try.
std::vector<int> smallest_conflict(const Reduced& reduced, const InitialProblem& problem, double t);

// "0 of 2 initial conditions are given; taken from start values: x = 1, der(x) = 0", and starts that had to move with
// the equation that moved them. `missing` conditions were taken from starts.
std::vector<std::string> remarks_on(const Reduced& reduced, const InitialProblem& problem, const FoundStart& found,
                                    int degrees_of_freedom);

}  // namespace driftless
