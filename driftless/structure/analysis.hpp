// The structural analysis of a system of differential-algebraic equations: how often each equation must be
// differentiated, found by the Sigma-method of Pryce (2001) and by the algorithm of Pantelides (1988), which agree.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "driftless/structure/blocks.hpp"
#include "driftless/structure/dulmage_mendelsohn.hpp"
#include "driftless/structure/matching.hpp"

namespace driftless::structure {

// The smallest nonnegative offsets with d_j - c_i >= sigma_ij everywhere and equality on a transversal.
struct Offsets {
  std::vector<int> c;  // per row: how often the equation is differentiated
  std::vector<int> d;  // per column: the order of the highest derivative that then occurs
  friend bool operator==(const Offsets&, const Offsets&) = default;
};

struct Structure {
  Offsets offsets;
  Matching transversal;        // of maximal total sigma
  std::vector<Block> blocks;   // block triangular form of the system Jacobian (entries with d_j - c_i = sigma_ij)
  int structural_index = 0;    // max c, plus one if some d is 0
  int degrees_of_freedom = 0;  // sum d - sum c
};

struct Singular {
  Matching matching;  // maximum, but not perfect
  DulmageMendelsohn parts;
};

// The Sigma-method. The offsets are unique. Rectangular or structurally singular systems give Singular.
// With `least`, one number per column: the smallest with d_j >= least_j.
std::variant<Structure, Singular> analyze(const Signature& signature, std::span<const int> least = {});

// The entries with d_j - c_i = sigma_ij: where the system Jacobian d f_i^(c_i) / d x_j^(d_j) may be nonzero.
Signature system_jacobian_pattern(const Signature& signature, const Offsets& offsets);

// Pantelides' algorithm on the same integers: an independent computation of the same offsets, for cross-checks. It
// differentiates one step at a time and searches anew after each. Precondition: a perfect matching exists (otherwise it
// would not terminate).
Offsets pantelides(const Signature& signature);

}  // namespace driftless::structure
