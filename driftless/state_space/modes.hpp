// Eigenvalues of a real matrix, with the parts that the states take in each mode.
#pragma once

#include <optional>
#include <vector>

#include "driftless/state_space/state_space.hpp"

namespace driftless {

// By falling real part; of a pair the one with the positive imaginary part comes first. Nothing: the iteration did not
// converge, or some entry is not finite.
std::optional<std::vector<LinearMode>> modes_of(const Matrix& A);

// Invariant zeros of a system with as many outputs as inputs: where [A - λI, B; C, D] loses rank. Nothing: it has not
// the full rank anywhere.
std::optional<std::vector<std::complex<double>>> zeros_of(const StateSpace& system);

}  // namespace driftless
