// A model with other numbers: the values that a run may change without reading the text again.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

using NamedValues = std::vector<std::pair<std::string, double>>;

// The same equations with other values of parameters and other starts of variables. Parameters, starts and bounds that
// the text computes from parameters are computed anew, unless they are given themselves; nominal values stay, as they
// are only scales. Throws ModelError for a name that the model does not have, a value that is not finite, and a
// parameter that was used up when the model was read, and for an assertion on parameters that these values violate. The
// same object if nothing is given.
std::shared_ptr<const Model> with_inputs(const std::shared_ptr<const Model>& model, const NamedValues& parameters,
                                         const NamedValues& starts);

}  // namespace driftless
