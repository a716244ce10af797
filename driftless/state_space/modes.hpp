// Eigenvalues of a real matrix, with the participation of the states in each mode.
#pragma once

#include <optional>
#include <vector>

#include "driftless/state_space/state_space.hpp"

namespace driftless {

// By falling real part; of a pair the one with the positive imaginary part comes first. Nothing if the iteration does
// not converge, or some entry is not finite.
std::optional<std::vector<LinearMode>> modes_of(const Matrix& A);

// Invariant zeros of a system with as many outputs as inputs: where [A - λI, B; C, D] loses rank. Nothing if it does
// not have full rank for any λ.
std::optional<std::vector<std::complex<double>>> zeros_of(const StateSpace& system);

}  // namespace driftless
