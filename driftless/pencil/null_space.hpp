// What takes part in the null spaces of a singular pencil.
#pragma once

#include <vector>

#include "driftless/pencil/pencil.hpp"

namespace driftless::pencil {

struct NullSpaces {
  int rank = 0;           // of A + λB for almost all λ
  std::vector<int> rows;  // of those p(λ) with p(λ)ᵀ(A + λB) = 0
  std::vector<int> cols;  // of those q(λ) with (A + λB) q(λ) = 0
};

// The polynomials p and q have a value at every λ, and which of their entries are not zero shows at almost every one of
// them: three are tried. Of a pencil whose entries are comparable in size (balance.hpp).
NullSpaces find_null_spaces(const Pencil& pencil);

}  // namespace driftless::pencil
