// Relations whose sides are equal in a mode because an equation of the mode makes them equal: x^2 + y^2 > L^2 while a
// rope is taut and x^2 + y^2 = L^2. Their signs are rounding errors, so they must not be watched.
#pragma once

#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

// Per relation of Model::discrete.held. Decided by form: the difference of the sides is the residual of an equation, or
// its negative.
std::vector<bool> vanishing_relations(const Model& mode);

}  // namespace driftless
