// Replaces dummy derivatives by the derivative array where their matrix is singular at a consistent start, though not
// elsewhere, and the ranks show fewer states than the structure (initialize/singular_start.hpp).
#pragma once

#include <optional>

#include "driftless/initialize/initialize.hpp"
#include "driftless/simulate.hpp"

namespace driftless {

// False if the matrix does not vary, or another formulation was already chosen.
bool may_have_singular_start(const Analysis& known);

// Nothing if the formulation need not be replaced.
std::optional<Analysis> array_for_singular_start(const Analysis& known, const State& start);
std::optional<Analysis> array_for_singular_start(const Analysis& known);  // computes a start first

// The differentiation index of a model whose structure only bounds it, by the ranks of the derivative array at a
// consistent start. Nothing if the bound is reached, the ranks are not clear, or the model is large.
std::optional<int> index_by_ranks(const Analysis& known);

}  // namespace driftless
