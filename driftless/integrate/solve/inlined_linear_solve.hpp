// Few linear rows, A(t, x) z + b(t, x) = 0 and x' = rate(t, x, z), solved by one kernel.
//
// Pivots that are good at one point of a trajectory are good for a long time (linear/elimination.hpp). With their order
// fixed the elimination is a finite list of multiplications, subtractions and divisions: it is written out as
// expressions of t and x, z is put into the rates, and all of it is compiled together. The sine of an angle that occurs
// in the matrix, the right-hand side and the rates is computed once, structural zeros are never computed, and terms of
// parameters alone are numbers by then.
//
// The kernel also delivers its factors, so that further systems with A can be solved; their pivots show whether the
// order is still good.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "driftless/integrate/system/system.hpp"
#include "driftless/linear/elimination.hpp"

namespace driftless {

class InlinedLinearSolve {
 public:
  struct Expressions {
    std::vector<NodeId> unknowns;            // the leaves z
    std::vector<linear::Coordinate> places;  // of the entries of A
    std::vector<NodeId> entries, b, rates;
  };
  // Chooses the pivots for these values of the entries. Nothing if A is singular there, or if the elimination is too
  // long to be written out.
  static std::optional<InlinedLinearSolve> of(const CompiledSystem& system, const std::shared_ptr<Pool>& pool,
                                              const Expressions& rows, std::span<const double> entries);

  // Evaluates the terms of parameters alone, which follow the inputs of the system: `inputs` becomes longer.
  void begin(std::vector<double>& inputs);

  // False if a pivot has become small, or if a value does not exist.
  bool operator()(std::span<const double> inputs);

  // Of the last point: the solution, and A z = b, b becomes z.
  std::span<const double> z() const { return std::span(values_).first(unknowns_); }
  std::span<const double> rates() const { return std::span(values_).subspan(unknowns_, rates_); }
  void solve(std::span<double> b);

  // Restores one that was made for the same rows: the order of its pivots was written; the kernel for that order is
  // made again or reused. There is no solution until the next point is evaluated.
  static InlinedLinearSolve read(Archive& archive, const CompiledSystem& system, const std::shared_ptr<Pool>& pool,
                                 const Expressions& rows);
  void write(Archive& archive) { archive(elimination_); }

 private:
  struct Written {
    std::shared_ptr<const Kernel> rows, terms;
  };
  static Written write(const CompiledSystem& system, const std::shared_ptr<Pool>& pool, const Expressions& rows,
                       const linear::Elimination& elimination);
  static InlinedLinearSolve with_order(const CompiledSystem& system, const std::shared_ptr<Pool>& pool,
                                       const Expressions& rows, linear::Elimination elimination);
  InlinedLinearSolve(linear::Elimination order, std::size_t rates);

  std::size_t unknowns_, rates_;
  linear::Elimination elimination_;  // the kernel was written in the order of its pivots
  std::shared_ptr<const Kernel> kernel_, terms_;
  std::vector<double> values_;  // z, rates, factors
  std::vector<double> work_;
  bool has_factors_ = false;  // does the elimination hold those of the last point?
};

}  // namespace driftless
