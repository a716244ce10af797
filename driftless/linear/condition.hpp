// The condition of a matrix in the 1-norm, ||A|| ||A^-1||, from a few solutions with its factors.
#pragma once

#include <span>

#include "driftless/linear/factorization.hpp"

namespace driftless::linear {

// The norm of the inverse: a lower bound that is rarely off by more than a factor of three (Hager 1984; Higham 1988).
class InverseNorm {
 public:
  explicit InverseNorm(int size = 0) : x_(size), y_(size), z_(size) {}

  // The norm of the inverse of R^-1 F C^-1, with F the factorized matrix, R and C diagonal (empty: the identity).
  double operator()(const Factorization& factorization, std::span<const double> rows = {},
                    std::span<const double> columns = {});

 private:
  std::vector<double> x_, y_, z_;
};

// The norm of R^-1 F C^-1, for the values of F.
double norm(const Pattern& pattern, std::span<const double> values, std::span<const double> rows = {},
            std::span<const double> columns = {});

}  // namespace driftless::linear
