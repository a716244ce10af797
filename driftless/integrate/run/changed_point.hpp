// The point from which a run continues after the user has changed a parameter or a variable. The states keep their
// values, or take those that are set; the equations give the rest, at the same time.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "driftless/initialize/initialize.hpp"
#include "driftless/integrate/system/system.hpp"

namespace driftless {

// The system has the new parameters and every level of every equation; y and y' have the new values of the slots `set`.
// Otherwise the reason why there is no such point.
std::variant<State, std::string> changed_point(System& system, double t, std::vector<double> y, std::vector<double> yp,
                                               const std::vector<int>& set);

// The slot of a quantity that may be set: a variable that can be a state. Otherwise the reason why it may not.
std::variant<int, std::string> slot_to_set(const Reduced& reduced, const std::string& name);

}  // namespace driftless
