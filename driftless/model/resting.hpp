// Variables that are constant between events: those determined by an equation of parameters and other such variables.
// They may change at an event, with a condition. Libraries compute many values in this way: the duration of a movement,
// from limits that are parameters.
#pragma once

#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

// For each variable, in the order of the model, whether it rests. Decided by occurrence: an equation without
// derivatives and time in which only one variable is not known to rest determines this variable.
std::vector<bool> resting_variables(const Model& model);

}  // namespace driftless
