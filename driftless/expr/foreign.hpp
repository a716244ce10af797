// Functions that are computed outside of the pool: how they are called and differentiated. Called by function.cpp.
#pragma once

#include "driftless/expr/function.hpp"

namespace driftless {

double run_foreign(const Function& function, int output, std::span<const double> inputs);
Function foreign_tangent(Pool& pool, const Function& function, int input);

}  // namespace driftless
