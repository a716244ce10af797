// Newton's iteration for constant steps, to rounding: the linear systems are scaled by powers of the step size, the
// test measures every unknown by its own weight.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "driftless/integrate/solve/iteration_matrix.hpp"
#include "driftless/newton/iterate.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

// 0 = f(x), as many equations as unknowns, with the pattern of its matrix constant.
class Equations {
 public:
  virtual ~Equations() = default;
  virtual const linear::Pattern& pattern() const = 0;
  virtual bool residual(std::span<const double> x, std::span<double> out) = 0;  // false: a value does not exist
  virtual bool matrix(std::span<const double> x, std::span<double> values) = 0;
  // With a generalized inverse the limit depends on the matrix, which must then be evaluated at the solution.
  virtual bool limit_depends_on_matrix() const { return false; }
  virtual std::unique_ptr<linear::Factorization> factorization() const { return linear::make_factorization(pattern()); }
};

class Newton {
 public:
  explicit Newton(Equations& equations);

  void pattern_changed();

  // rows[i] times equation i, columns[j] times unknown j: the matrix that is factorized is rows * matrix * columns. It
  // changes the rounding of the iterates only. Empty: no scaling.
  void scale(std::span<const double> rows, std::span<const double> columns);

  // Solves to rounding, with a new matrix in every iteration as long as needed: for constant steps, where the discrete
  // solution itself is wanted. weights[i] is the size of unknown i.
  newton::Report solve_exactly(std::span<double> x, std::span<const double> weights);

  // The next solution begins with a new matrix.
  void refresh() { stale_ = true; }

  const IterationMatrix& matrix() const { return matrix_; }

  void add_to(Statistics& statistics) const;  // the counts, and the condition of the matrix

  void archive(Archive& archive) { archive(matrix_, stale_, counts_); }  // into one of the same pattern

 private:
  newton::End factorize(std::span<const double> x);
  newton::Correction correct(std::span<double> x, std::span<const double> weights);

  Equations& equations_;
  IterationMatrix matrix_;
  std::vector<double> delta_;
  bool stale_ = true;
  Counts counts_;
};

}  // namespace driftless
