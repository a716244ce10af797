// Variables that do not move: what an equation of parameters, and of other such variables, determines. They may take
// another value at an event, where a condition changes. Libraries compute much in this way: the duration of a
// movement, from limits that are parameters.
#pragma once

#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

// For each variable, in the order of the model. Judged by occurrence: an equation with one variable that is not known
// to rest, without its derivative and without time, determines it.
std::vector<bool> resting_variables(const Model& model);

}  // namespace driftless
