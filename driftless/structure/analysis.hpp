// The Sigma-method of Pryce (2001) and the algorithm of Pantelides (1988). Both find how often each
// equation must be differentiated; where both apply they agree.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "driftless/structure/matching.hpp"

namespace driftless::structure {

// The smallest nonnegative offsets with d_j - c_i >= sigma_ij everywhere and equality on a transversal.
struct Offsets {
  std::vector<int> c;  // per row: how often the equation is differentiated
  std::vector<int> d;  // per column: the order of the highest derivative that then occurs
};

struct Structure {
  Offsets offsets;
  Matching transversal;        // of maximal total sigma
  std::vector<Block> blocks;   // block triangular form of the system Jacobian (entries with d_j - c_i = sigma_ij)
  int structural_index = 0;    // max c, plus one if some d is 0
  int degrees_of_freedom = 0;  // sum d - sum c
};

struct Singular {
  Matching matching;           // maximum, but not perfect
  DulmageMendelsohn parts;
};

// Assignment problem by sparse shortest augmenting paths, then the smallest dual offsets by fixed-point
// iteration. Rectangular or structurally singular systems give Singular.
std::variant<Structure, Singular> analyze(const Signature& signature);

// Pantelides' algorithm, on the same integers. Precondition: a perfect matching exists.
Offsets pantelides(const Signature& signature);

}  // namespace driftless::structure
