// Why a run stopped, in the user's names and lines.
#pragma once

#include <string>
#include <vector>

#include "driftless/integrate/system/problem.hpp"

namespace driftless {

// Which equations have no value at a point, and which of their operations has none.
std::vector<std::string> explain_undefined(System& system, const System::Point& at);

// Explains a point at which no step succeeds: a solution that grows beyond all bounds, equations that no longer
// determine an unknown, an equation that does not hold.
std::vector<std::string> explain_breakdown(Problem& problem, const System::Point& at);

// The mode that, although it has decayed, limits the steps of a method that is not implicit to size h. Empty if
// something else limits them. Precondition: the states of the problem are chosen for this point.
std::string explain_short_steps(Problem& problem, const System::Point& at, double h);

// The equations that no longer determine some unknown at the point, found from their matrix; none where it is regular,
// or large.
std::vector<EqnId> singular_equations(Problem& problem, const System::Point& at);

}  // namespace driftless
