// Variables with stateSelect = always whose derivatives occur nowhere, like angular velocities given by a rotation
// matrix and its derivative.
#pragma once

#include <memory>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

// The same model, or one with a variable w and an equation w = der(x) for each such x: the equations that give x are
// then differentiated, and x can be a state. `highest`: by variable, the order of the highest derivative that the
// equations determine.
std::shared_ptr<const Model> with_requested_states(const std::shared_ptr<const Model>& model,
                                                   const std::vector<int>& highest);

}  // namespace driftless
