// Expressions of time alone, and of parameters, that may rest for a long time and then change within a moment: pulses,
// windows of tanh, peaks of rational functions. Not sin(omega*time), polynomials of time, and sums and products of
// these: they never rest.
//
// Looked at is what enters the equations: the largest expressions without unknowns, and the parts of such sums. An
// unknown that one equation gives as a function of time, as the signal of a source that other blocks work on, counts
// as this function.
#pragma once

#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

// Precondition: the pool of the model may grow.
std::vector<NodeId> forcing_terms(const Model& model);

}  // namespace driftless
