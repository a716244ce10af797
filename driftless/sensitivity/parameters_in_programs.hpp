// Programs (expr/function.hpp) are differentiated with respect to their arguments. A parameter that their text reads
// directly is not an argument.
#pragma once

#include <vector>

#include "driftless/model/model.hpp"

namespace driftless::sensitivity {

// Throws NotAvailable if an expression of the model calls a program that reads one of these parameters.
void expect_none_in_programs(const Model& model, const std::vector<bool>& moves);

}  // namespace driftless::sensitivity
