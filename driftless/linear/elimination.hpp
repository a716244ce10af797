// Gaussian elimination in an order that is chosen once and then reused.
//
// Where a matrix changes little from one call to the next, as along a trajectory, its pivots stay good for a long time.
// KLU finds them (blocks, an order with little fill, partial pivoting); from then on a factorization is one pass over
// flat tables, row by row,
//
//   row k of U = row k of A - sum_j l_kj (row j of U),   l_kj = (the entry at j by then) / u_jj,   j < k,
//
// without a search, a scaling or a call. A banded or tree-like matrix costs a time that is linear in its size.
//
// A matrix that is tridiagonal in some order of its unknowns, as that of a chain of bodies, is eliminated from both
// ends at once (the twisted factorization; Dhillon, Parlett 2004): two recurrences that the processor computes in
// parallel. It has no choice of pivots; where it would lose digits the general elimination is used.
//
// A large matrix with much fill, as that of a lattice, is left to sparse_lu.hpp.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "driftless/linear/factorization.hpp"

namespace driftless::linear {

class Elimination {
 public:
  // The values of the matrix come in the order of these coordinates, of which no two are equal.
  Elimination(int size, std::vector<Coordinate> entries);
  // A new one for the same pattern. The factors are not copied.
  Elimination(const Elimination& other) : Elimination(other.size_, other.entries_) {}
  Elimination(Elimination&&) = default;
  Elimination& operator=(Elimination&&) = default;

  // False if the matrix is singular to working precision or holds values that are not finite. Allocates only when new
  // pivots are needed: the first time, and when one has become small.
  bool factorize(std::span<const double> values);
  void solve(std::span<double> b);  // b becomes x

  // Both in one call.
  bool factorize_and_solve(std::span<const double> values, std::span<double> b) {
    if (!factorize(values)) return false;
    solve(b);
    return true;
  }

  // Chooses the best pivots for these values, even for a chain or a matrix with much fill. False if it is singular.
  bool choose_pivots(std::span<const double> values);

  // The chosen order, and the layout of its factors: row k is [starts_k, starts_k+1), its pivot at pivots_k.
  struct Order {
    std::vector<int> row_of, column_of;  // row and column of the matrix at place k
    std::vector<int> starts, pivots;
    std::vector<int> columns;  // ascending in each row
    std::vector<int> sources;  // among the values; -1: fill
  };
  const Order& order() const { return order_; }
  // Are the pivots good, given the factors l_kj, 1/u_kk, u_kj of another elimination in this order?
  bool pivots_serve(std::span<const double> factors) const;
  void take_factors(std::span<const double> factors);

  // Calls use(row, 1 / pivot) for each pivot of the last factorization, if they are available. The product of the
  // pivots is the determinant up to the sign of the permutations.
  template <class Use>
  bool each_reciprocal_pivot(Use&& use) const {
    if (filling_) return false;
    if (by_chain_)
      for (int k = 0; k < size_; ++k) use(chain_.order[k], chain_.inverse[k]);
    else
      for (int k = 0; k < size_; ++k) use(order_.row_of[k], factors_[order_.pivots[k]]);
    return true;
  }
  bool is_by_chain() const { return by_chain_; }  // then the order is the same for rows and columns

  int size() const { return size_; }
  bool is_chain() const { return !chain_.order.empty(); }
  long choices() const { return choices_; }  // how often pivots were chosen

  void archive(Archive& archive);  // the pivots and the factors, reads into one of the same pattern

 private:
  void find_fill();
  void see_whether_it_fills();
  bool eliminate(std::span<const double> values);
  void solve_by_rows(std::span<double> b);

  // The unknowns along the chain, and the places of the values of row k at k - 1, k, k + 1; -1: none.
  struct Chain {
    std::vector<int> order;
    std::vector<int> lower, diagonal, upper;
    std::vector<double> factor, inverse, towards_middle;  // l_k, 1/u_k, and the entry next to it
    double right_factor = 0.0;                            // the second factor of the middle row
    int middle = 0;
  };
  void find_chain();
  bool eliminate_chain(std::span<const double> values);
  void solve_chain(std::span<double> b);

  int size_;
  std::vector<Coordinate> entries_;
  Order order_;
  std::vector<double> factors_;  // l_kj, 1/u_kk, u_kj
  std::vector<double> least_;    // |u_kk| below this requires new pivots
  std::vector<double> row_;      // one row while it is computed; one number per unknown in solve
  long choices_ = 0;
  Chain chain_;
  bool by_chain_ = false;  // the last factorization

  // If the matrix is large with much fill: its factorization, the positions of the entries there, and their values.
  std::unique_ptr<Factorization> filling_;
  std::vector<int> positions_;
  std::vector<double> by_columns_;
};

}  // namespace driftless::linear
