// Variables that are computed from the others and that nothing else needs, such as the outputs of sensors. No state, no
// event, no other unknown depends on them, so they are not unknowns of a step.
#pragma once

#include <vector>

#include "driftless/model/model.hpp"
#include "driftless/reduce/reduced.hpp"

namespace driftless {

// By variable: does something need it? `defines[i]` is the algebraic variable that equation i gives as an expression of
// others, or -1 for an equation that is solved. Events, assertions, invariants and delays need what they contain.
std::vector<bool> needed_variables(const Model& model, const std::vector<int>& defines);

// By equation: is it the definition of a variable that nothing needs?
std::vector<bool> observing_equations(const Reduced& reduced);

}  // namespace driftless
