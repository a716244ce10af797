// Solving A x = b with a square matrix of constant pattern, again and again.
//
// Small matrices are factorized densely with partial pivoting, larger ones by KLU with the pattern analysed
// once and pivots reused while they stay good. Nothing allocates after the first factorization.
#pragma once

#include <memory>
#include <span>
#include <vector>

namespace driftless::linear {

// Compressed sparse columns; row indices ascend within a column.
struct Pattern {
  int size = 0;
  std::vector<int> starts;  // size + 1
  std::vector<int> rows;
};

// A coordinate (row, column) of the matrix.
struct Coordinate {
  int row;
  int col;
};

// The pattern that holds all coordinates, and for each coordinate its position among the values.
struct Assembly {
  Pattern pattern;
  std::vector<int> position;
};
Assembly assemble(int size, std::span<const Coordinate> coordinates);

class Factorization {
 public:
  virtual ~Factorization() = default;

  // False if the matrix is singular to working precision or holds values that are not finite.
  virtual bool factorize(std::span<const double> values) = 0;
  virtual void solve(std::span<double> b) const = 0;             // b becomes x
  virtual void solve_transposed(std::span<double> b) const = 0;  // the same for A^T x = b

  // A cheap estimate of the reciprocal condition: the smallest pivot, in units of the largest entry of its column when
  // every row has the size 1. Units of equations and unknowns do not matter: multipliers scale with the step size.
  virtual double pivot_ratio() const = 0;
};

std::unique_ptr<Factorization> make_dense(const Pattern& pattern);
std::unique_ptr<Factorization> make_sparse(const Pattern& pattern);
std::unique_ptr<Factorization> make_factorization(const Pattern& pattern);  // by size and density

}  // namespace driftless::linear
