// The rows and columns involved in the null spaces of a singular pencil.
#pragma once

#include <vector>

#include "driftless/pencil/pencil.hpp"

namespace driftless::pencil {

struct NullSpaces {
  int rank = 0;           // of A + λB for almost all λ
  std::vector<int> rows;  // of those p(λ) with p(λ)ᵀ(A + λB) = 0
  std::vector<int> cols;  // of those q(λ) with (A + λB) q(λ) = 0
};

// The nonzero entries of the polynomials p and q are nonzero at almost every λ: three values are tried. Precondition:
// the entries of the pencil are comparable in size (balance.hpp).
NullSpaces find_null_spaces(const Pencil& pencil);

}  // namespace driftless::pencil
