// Which equation of motion belongs to which coordinate, which multiplier to which constraint, and by which constant
// factors they were multiplied, found from the numbers of
//
//   M   ∂(equation)/∂(acceleration)     P   ∂(equation)/∂(multiplier)     G   the gradients of the constraints
//
// at a few points: rows of M and P may be permuted and multiplied by constants, columns of P and rows of G too, and
// still diag(a) M is symmetric and diag(a) P = Gᵀ diag(s).
#pragma once

#include <variant>
#include <vector>

namespace driftless {

using Samples = std::vector<double>;                      // an entry, at every point; empty: identically zero
using SampledMatrix = std::vector<std::vector<Samples>>;  // by row and column

bool vanishes(const Samples& entry);

struct Pairing {
  std::vector<int> equation_of;      // per coordinate
  std::vector<int> multiplier_of;    // per constraint
  std::vector<double> factor;        // a, per coordinate: positive diagonal of M
  std::vector<double> force_factor;  // s, per constraint
};

struct Unpaired {
  int constraint = -1;  // a constraint along whose gradient no force acts
  int equation = -1;    // or: its entries of M are not symmetric
};

std::variant<Pairing, Unpaired> pair_up(const SampledMatrix& mass, const SampledMatrix& pulls,
                                        const SampledMatrix& gradients);

}  // namespace driftless
