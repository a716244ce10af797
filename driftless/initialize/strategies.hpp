// Tries all strategies for a consistent start in order (strategy.hpp).
#pragma once

#include "driftless/initialize/initialize.hpp"
#include "driftless/initialize/start.hpp"

namespace driftless {

FoundStart seek_start(const Reduced& reduced, const InitialProblem& problem, double t, const LeadToRows& lead);

// Always the same unknowns and rows, so that the start does not depend on the formulation.
std::shared_ptr<const Reduced> standard_form(const std::shared_ptr<const Reduced>& given);

}  // namespace driftless
