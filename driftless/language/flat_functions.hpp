// Programs of the pool as functions of Modelica.
#pragma once

#include <string>

#include "driftless/language/flat_expressions.hpp"

namespace driftless::language {

// The text of all functions that have been called so far, and of those that they call.
std::string flat_functions(const Model& model, FlatExpressions& expressions);

}  // namespace driftless::language
