// Derivatives that only the discrete part of a model reads: der(x) > 1, where x is given by an algebraic equation.
#pragma once

#include <memory>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

// The same model, or one with a variable w and an equation w = x^(k) for each x^(k) in relations and discrete equations
// that is of a higher order than the equations determine: the equations of x are then differentiated. `highest`: by
// variable, the order of the highest derivative that the equations determine.
std::shared_ptr<const Model> with_event_derivatives(const std::shared_ptr<const Model>& model,
                                                    const std::vector<int>& highest);

}  // namespace driftless
