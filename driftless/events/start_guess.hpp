// Where the search for the discrete part of a start begins.
#pragma once

#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

// The values of all parameters: discrete variables at their starts, relations as the starts of the variables make them.
std::vector<double> guessed_parameters(const Model& model, double t);

// The same model with these values.
Model with_parameters(const Model& model, const std::vector<double>& values);

}  // namespace driftless
