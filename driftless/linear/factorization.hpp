// Repeated solution of A x = b with a square matrix of constant pattern.
//
// Small matrices are factorized densely with partial pivoting, larger ones with pivots that are reused while they stay
// good (sparse_lu.hpp). Nothing allocates after the first factorization, unless new pivots must be chosen.
#pragma once

#include <memory>
#include <span>

#include "driftless/linear/pattern.hpp"

namespace driftless::linear {

struct PivotOrder;  // markowitz.hpp

class Factorization {
 public:
  virtual ~Factorization() = default;

  // False if the matrix is singular to working precision or holds values that are not finite.
  virtual bool factorize(std::span<const double> values) = 0;
  virtual void solve(std::span<double> b) const = 0;             // b becomes x
  virtual void solve_transposed(std::span<double> b) const = 0;  // the same for A^T x = b

  // A cheap estimate of the reciprocal condition: the smallest pivot, in units of the largest entry of its column when
  // every row has the size 1. Independent of the units of equations and unknowns, as multipliers scale with the step
  // size.
  virtual double pivot_ratio() const = 0;

  // The pivots of the last matrix, for others of this pattern; null if they cannot be reused.
  virtual std::shared_ptr<const PivotOrder> pivots() const { return nullptr; }

  // The factors and the order of the pivots: a factorization of the same pattern that has read them gives the same
  // results bit for bit.
  virtual void archive(Archive& archive) = 0;
};

std::unique_ptr<Factorization> make_dense(const Pattern& pattern);
std::unique_ptr<Factorization> make_sparse(const Pattern& pattern);
std::unique_ptr<Factorization> make_factorization(const Pattern& pattern);  // by size and density

}  // namespace driftless::linear
