// The differentiation index of a model by its definition: how often the equations must be differentiated until they
// determine the derivatives of all variables. The derivative array holds f_i, f_i', ..., f_i^(k) for all equations; it
// is 1-full if its Jacobian determines the highest derivatives as they stand in the model, whatever those above them
// are:
//
//   rank [top | above] = number of variables + rank [above].
//
// (Hairer, Wanner 1996, VII.1; Campbell, Gear 1995.) The ranks are taken at a generic point, which is right for models
// that are linear in their variables.
#pragma once

#include <optional>

#include "driftless/model/model.hpp"

namespace driftless {

// Nothing, if the model is not linear in its variables, is too large for an array, or has an index above `most`.
std::optional<int> differentiation_index(const Model& model, int most);

}  // namespace driftless
