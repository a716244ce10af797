// Gaussian elimination of a sparse matrix in fronts, in a given order (front_order.hpp).
//
// Each front is a full matrix: it adds up its own entries and the remainders of its children, eliminates its pivots
// (front.hpp), keeps the rows and columns of the factors and passes the remainder to its parent. The pivots of a front
// are chosen anew among its own rows and columns each time.
#pragma once

#include <complex>
#include <concepts>
#include <memory>
#include <span>
#include <vector>

#include "driftless/linear/front.hpp"
#include "driftless/linear/front_order.hpp"

namespace driftless::linear {

template <class Number>  // double or std::complex<double>
class FrontalLu {
 public:
  FrontalLu() = default;
  explicit FrontalLu(std::shared_ptr<const FrontOrder> order);

  // Returns the smallest pivot in units of the given size of its column, 0 if a pivot is missing. Does not allocate.
  double eliminate(std::span<const Number> values, std::span<const double> column_size);
  double largest_multiplier() const { return multiplier_; }

  void solve(Number* x) const;            // A x = b, b becomes x
  void solve_transposed(Number* x) const  // A^T x = b
      requires std::same_as<Number, double>;

  void archive(Archive& archive) { archive(values_, outside_, rows_, columns_, multiplier_); }  // in the same order

 private:
  struct Factors {
    std::size_t lower;  // columns of L and U, by the pivots, of all rows
    std::size_t upper;  // columns of U, beyond the pivots, of the rows of the pivots
    std::size_t left;   // for the parent, among the remainders of even or odd levels
    int pivots;         // among all
  };

  void plan();
  double* left_at(int f) { return left_[order_->fronts[f].depth % 2].data() + factors_[f].left; }
  void assemble(int f, std::span<const Number> values);
  void add_what_is_left_of(int child);
  void keep(int f);
  void substitute_down(int f, Number* b) const;
  void substitute_up(int f, Number* x) const;

  std::shared_ptr<const FrontOrder> order_;
  std::vector<Factors> factors_;                     // of each front
  std::vector<Number> values_;                       // of all factors
  std::vector<Number> outside_;                      // entries between parts
  std::vector<int> rows_, columns_;                  // of the pivots, front by front
  std::vector<int> rows_at_hand_, columns_at_hand_;  // of one front
  Front<Number> front_;
  std::vector<double> left_[2];                 // remainders that wait for the parents, on even and odd levels
  mutable std::vector<Number> pivots_, lines_;  // right-hand sides: of all pivots, and of one front
  mutable std::vector<Number> x_;
  double multiplier_ = 0.0;
};

}  // namespace driftless::linear
