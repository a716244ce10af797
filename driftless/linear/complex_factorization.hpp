// Solving A x = b with a complex square matrix of constant pattern, as factorization.hpp does with real ones.
//
// Used by implicit Runge-Kutta methods: in the coordinates in which their coefficients are diagonal, the real equations
// of all stages decouple into systems with ∂F/∂y + (mu/h) ∂F/∂y', mu an eigenvalue. Those of conjugate pairs are
// conjugate to each other, and one of them is solved.
#pragma once

#include <complex>
#include <memory>
#include <span>

#include "driftless/linear/factorization.hpp"

namespace driftless::linear {

class ComplexFactorization {
 public:
  virtual ~ComplexFactorization() = default;

  // False if the matrix is singular to working precision or holds values that are not finite.
  virtual bool factorize(std::span<const std::complex<double>> values) = 0;
  // Real and imaginary parts of b become those of x.
  virtual void solve(std::span<double> re, std::span<double> im) const = 0;

  // Pivots of a similar matrix (Factorization::pivots) for a first attempt. Allocates, so that the next factorization
  // need not if these pivots are good.
  virtual void try_pivots(const std::shared_ptr<const PivotOrder>& /*order*/) {}
  virtual std::shared_ptr<const PivotOrder> pivots() const { return nullptr; }

  virtual void archive(Archive& archive) = 0;  // as Factorization::archive
};

std::unique_ptr<ComplexFactorization> make_complex_dense(const Pattern& pattern);
std::unique_ptr<ComplexFactorization> make_complex_sparse(const Pattern& pattern);
std::unique_ptr<ComplexFactorization> make_complex_factorization(const Pattern& pattern);  // by size and density

}  // namespace driftless::linear
