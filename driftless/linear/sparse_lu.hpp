// Gaussian elimination of sparse matrices that share a pattern, with pivots that are chosen once and kept while they
// are good.
//
// The pivots come from an elimination that searches for them (markowitz.hpp). From then on a factorization is one pass
// over flat tables, column by column,
//
//   column k of L and U = column k of A - sum_j u_jk (column j of L),   j < k ascending,
//
// without a search. The remainder at the end is one dense block with its own pivots (dense_lu.hpp), or large and
// eliminated in fronts (frontal_lu.hpp). If multipliers grow, the pivots may have become poor: then a test system is
// solved with them, and if its residual is not small, new pivots are chosen.
#pragma once

#include <complex>
#include <concepts>
#include <memory>
#include <span>
#include <vector>

#include "driftless/linear/dense_lu.hpp"
#include "driftless/linear/frontal_lu.hpp"
#include "driftless/linear/markowitz.hpp"

namespace driftless::linear {

template <class Number>  // double or std::complex<double>
class SparseLu {
 public:
  explicit SparseLu(const Pattern& pattern);

  // False if the matrix is singular to working precision or holds values that are not finite. Allocates only when new
  // pivots are chosen. If the matrix has not changed, it is only compared.
  bool factorize(std::span<const Number> values);

  // Right-hand sides and solutions are in the order of the pivots: x[k] = b[row(k)] scale(k), then the unknown
  // column(k).
  Number* right_side() const { return x_.data(); }
  int row(int k) const { return order_->rows[k]; }
  int column(int k) const { return order_->columns[k]; }
  double scale(int k) const { return scale_[k]; }
  void solve() const;
  void solve_transposed() const  // b[column(k)] becomes the unknown row(k), to be multiplied by scale(k)
      requires std::same_as<Number, double>;

  int size() const { return pattern_.size; }
  double pivot_ratio() const { return ratio_; }  // as in factorization.hpp
  long choices() const { return choices_; }      // how often pivots were chosen

  // Pivots of a matrix with this pattern, for a first attempt with another one.
  const std::shared_ptr<const PivotOrder>& pivots() const { return order_; }
  void try_pivots(std::shared_ptr<const PivotOrder> order);

  void archive(Archive& archive);  // the pivots and the factors

 private:
  bool has_factors_of(std::span<const Number> values) const;
  bool find_scale(std::span<const Number> values);
  void set_pivots(std::shared_ptr<const PivotOrder> order);
  bool reuse_pivots(std::span<const Number> values);
  bool choose_pivots(std::span<const Number> values, double threshold);
  bool eliminate(std::span<const Number> values);
  void set_rest(int k, double size);
  double eliminate_rest();
  double error_of_trial(std::span<const Number> values);

  Pattern pattern_;
  std::shared_ptr<const PivotOrder> order_;
  std::vector<int> places_;            // of the rows of the pattern, in the order of the pivots
  std::vector<double> scale_;          // of the rows, in this order
  std::vector<Number> factorized_;     // the values whose factors are present; empty: none
  std::vector<Number> lower_, upper_;  // L and U without their diagonals, as PivotOrder says
  std::vector<Number> inverse_;        // reciprocal pivots before the rest
  DenseLu<Number> block_;              // the rest, if it is dense
  FrontalLu<Number> fronts_;           // otherwise
  std::vector<Number> rest_;           // its values
  std::vector<double> rest_size_;      // of its columns
  std::vector<Number> column_;         // one column while it is computed, 0 otherwise
  mutable std::vector<Number> x_;
  std::vector<Number> residual_;  // of a test solution
  std::vector<double> residual_size_;
  double ratio_ = 1.0;
  double multiplier_ = 0.0;   // the largest
  double fresh_error_ = 0.0;  // of the test when the pivots were chosen
  long choices_ = 0;
};

}  // namespace driftless::linear
