// The differentiation index of a model by its definition: how often the equations must be differentiated until they
// determine the derivatives of all variables. The derivative array holds f_i, f_i', ..., f_i^(k) for all equations; it
// is 1-full if its Jacobian determines the highest derivatives that occur in the model, independent of those above
// them:
//
//   rank [top | above] = number of variables + rank [above].
//
// (Hairer, Wanner 1996, VII.1; Campbell, Gear 1995.) The ranks are evaluated at a generic point, which is correct for
// models that are linear in their variables.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

// Nothing, if the model is not linear in its variables, is too large for an array, or has an index above `most`.
std::optional<int> differentiation_index(const Model& model, int most);

// How often each of the user's equations, by number, is differentiated in an equation combined from several
// (repair.hpp).
using Differentiations = std::map<int, int>;

// An upper bound for a model of such equations, each with its differentiations: as often as the smallest offsets
// require, and once more, in all blocks where it is needed, for the derivative of a variable whose derivative does not
// occur.
int bound_of_index(const Model& model, const std::vector<Differentiations>& differentiations);

}  // namespace driftless
