// Why a run stopped, in the user's names and lines.
#pragma once

#include <string>
#include <vector>

#include "driftless/integrate/system/problem.hpp"

namespace driftless {

// Which equations have no value at a point, and the operation of theirs that has none.
std::vector<std::string> explain_undefined(System& system, const System::Point& at);

// What is remarkable about a point at which no step succeeds: a solution that grows beyond all bounds, equations that
// no longer determine an unknown, an equation that does not hold.
std::vector<std::string> explain_breakdown(Problem& problem, const System::Point& at);

// Why steps of size h of a method that is not implicit are no longer than that: a mode that has decayed. Empty, if it
// is something else. The states of the problem are chosen for this point.
std::string explain_short_steps(Problem& problem, const System::Point& at, double h);

// The equations that no longer determine some unknown at the point, as far as their matrix tells; none where it is
// regular, or large.
std::vector<EqnId> singular_equations(Problem& problem, const System::Point& at);

}  // namespace driftless
