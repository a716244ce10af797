// The derivative array in place of dummy derivatives where the matrix of these is singular at a consistent start,
// though not elsewhere, and the ranks leave fewer states than the structure promises (initialize/singular_start.hpp).
#pragma once

#include <optional>

#include "driftless/initialize/initialize.hpp"
#include "driftless/simulate.hpp"

namespace driftless {

// False: the matrix does not change, or another formulation was taken already.
bool may_have_singular_start(const Analysis& known);

// Nothing: the formulation need not be replaced.
std::optional<Analysis> array_for_singular_start(const Analysis& known, const State& start);
std::optional<Analysis> array_for_singular_start(const Analysis& known);  // from a start of its own

// The differentiation index of a model whose structure only bounds it, by the ranks of the derivative array at a
// consistent start. Nothing where the bound is reached, the ranks are not clear, or the model is large.
std::optional<int> index_by_ranks(const Analysis& known);

}  // namespace driftless
