#include "driftless/linear/factorization.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include <Eigen/Dense>
#include <klu.h>

namespace driftless::linear {

Assembly assemble(int size, std::span<const Coordinate> coordinates) {
  std::vector<int> order(coordinates.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int k) { return std::pair(coordinates[k].col, coordinates[k].row); };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });

  Assembly result;
  result.pattern.size = size;
  result.pattern.starts.assign(size + 1, 0);
  result.position.resize(coordinates.size());
  for (std::size_t n = 0; n < order.size(); ++n) {
    const Coordinate at = coordinates[order[n]];
    assert(at.row >= 0 && at.row < size && at.col >= 0 && at.col < size);
    if (n == 0 || key(order[n - 1]) != key(order[n])) {
      result.pattern.rows.push_back(at.row);
      ++result.pattern.starts[at.col + 1];
    }
    result.position[order[n]] = static_cast<int>(result.pattern.rows.size()) - 1;
  }
  std::partial_sum(result.pattern.starts.begin(), result.pattern.starts.end(), result.pattern.starts.begin());
  return result;
}

namespace {

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

// Loops over a column for the widest vectors of the processor. They work component by component, so that the width
// changes no bit of the result.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define DRIFTLESS_WIDEST_VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define DRIFTLESS_WIDEST_VECTORS
#endif

// P A = L U in place, by columns with partial pivoting; U has its diagonal inverted. Returns the smallest pivot in units
// of the largest entry of its column, or 0 if there is none.
DRIFTLESS_WIDEST_VECTORS
double eliminate(int n, double* a, int* order, const double* column_size) {
  double ratio = 1.0;
  for (int k = 0; k < n; ++k) {
    double* pivots = a + k * n;
    int pivot = k;
    double size = 0.0;
    for (int i = k; i < n; ++i)
      if (std::abs(pivots[i]) > size) size = std::abs(pivots[i]), pivot = i;
    if (!(size > 0.0) || !std::isfinite(size)) return 0.0;
    ratio = std::min(ratio, size / column_size[k]);
    if (pivot != k) {
      for (int j = 0; j < n; ++j) std::swap(a[j * n + k], a[j * n + pivot]);
      std::swap(order[k], order[pivot]);
    }
    const double inverse = 1.0 / pivots[k];
    pivots[k] = inverse;
    for (int i = k + 1; i < n; ++i) pivots[i] *= inverse;
    const double* __restrict multipliers = pivots;
    for (int j = k + 1; j < n; ++j) {
      double* __restrict column = a + j * n;
      const double factor = column[k];
      if (factor == 0.0) continue;
      for (int i = k + 1; i < n; ++i) column[i] -= factor * multipliers[i];
    }
  }
  return ratio;
}

DRIFTLESS_WIDEST_VECTORS
void substitute(int n, const double* a, double* __restrict x) {
  for (int k = 0; k < n; ++k) {
    const double value = x[k];
    if (value == 0.0) continue;
    const double* __restrict column = a + k * n;
    for (int i = k + 1; i < n; ++i) x[i] -= value * column[i];
  }
  for (int k = n - 1; k >= 0; --k) {
    const double* __restrict column = a + k * n;
    const double value = x[k] *= column[k];
    if (value == 0.0) continue;
    for (int i = 0; i < k; ++i) x[i] -= value * column[i];
  }
}

// U^T and L^T: the columns are rows now, and the sums are inner products.
void substitute_transposed(int n, const double* a, double* x) {
  for (int k = 0; k < n; ++k) {
    double sum = x[k];
    for (int i = 0; i < k; ++i) sum -= a[k * n + i] * x[i];
    x[k] = sum * a[k * n + k];
  }
  for (int k = n - 1; k >= 0; --k)
    for (int i = k + 1; i < n; ++i) x[k] -= a[k * n + i] * x[i];
}

class Dense final : public Factorization {
 public:
  explicit Dense(const Pattern& pattern)
      : pattern_(pattern),
        n_(pattern.size),
        matrix_(static_cast<std::size_t>(n_) * n_),
        scale_(n_),
        column_size_(n_),
        scaled_(n_),
        order_(n_) {}

  bool factorize(std::span<const double> values) override {
    if (n_ == 0) return true;
    if (!all_finite(values)) return false;
    // Rows of a discretized system differ by powers of the step size: equilibrate before choosing pivots.
    std::ranges::fill(scale_, 0.0);
    for (std::size_t k = 0; k < values.size(); ++k)
      scale_[pattern_.rows[k]] = std::max(scale_[pattern_.rows[k]], std::abs(values[k]));
    for (double& scale : scale_) {
      if (!(scale > 0.0)) return false;
      scale = std::exp2(-std::ilogb(scale));
    }
    std::ranges::fill(matrix_, 0.0);
    for (int col = 0; col < n_; ++col) {
      double size = 0.0;
      for (int k = pattern_.starts[col]; k < pattern_.starts[col + 1]; ++k) {
        const int row = pattern_.rows[k];
        const double value = values[k] * scale_[row];
        matrix_[static_cast<std::size_t>(col) * n_ + row] = value;
        size = std::max(size, std::abs(value));
      }
      column_size_[col] = size;
    }
    std::iota(order_.begin(), order_.end(), 0);
    ratio_ = eliminate(n_, matrix_.data(), order_.data(), column_size_.data());
    return ratio_ > 1e-17;
  }

  void solve(std::span<double> b) const override {
    for (int k = 0; k < n_; ++k) scaled_[k] = b[order_[k]] * scale_[order_[k]];
    substitute(n_, matrix_.data(), scaled_.data());
    std::ranges::copy(scaled_, b.begin());
  }

  void solve_transposed(std::span<double> b) const override {
    substitute_transposed(n_, matrix_.data(), b.data());
    for (int k = 0; k < n_; ++k) scaled_[order_[k]] = b[k];
    for (int k = 0; k < n_; ++k) b[k] = scaled_[k] * scale_[k];
  }

  double pivot_ratio() const override { return ratio_; }

 private:
  Pattern pattern_;
  int n_;
  std::vector<double> matrix_;  // by columns; then its factors
  std::vector<double> scale_, column_size_;
  mutable std::vector<double> scaled_;
  std::vector<int> order_;  // of the rows
  double ratio_ = 1.0;
};

// x[0 .. n) -= factor * values[0 .. n), for the widest vectors of the processor; the width changes no bit of the result.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
void subtract_stretch(int n, double factor, const double* __restrict values, double* __restrict x) {
  for (int i = 0; i < n; ++i) x[i] -= factor * values[i];
}

// The factors of KLU as flat tables, in which a solution is one pass. Where elimination has filled the matrix, the end of
// a column is a stretch of consecutive rows, without indices.
//
//   R^-1 P A Q = L U + F,   L and U block diagonal, F above the blocks
class FlatFactors {
 public:
  void resize(const klu_symbolic& symbolic, const klu_numeric& numeric) {
    const int n = numeric.n;
    for (Part* part : {&lower_, &upper_, &above_}) part->starts.resize(n + 1), part->stretches.clear();
    lower_.resize(numeric.lnz);
    upper_.resize(numeric.unz);
    above_.resize(numeric.nzoff);
    rows_.resize(n);
    columns_.resize(n);
    scale_.resize(n);
    blocks_.resize(symbolic.nblocks + 1);
    inverse_.resize(n);
    x_.resize(n);
  }

  void extract(klu_symbolic* symbolic, klu_numeric* numeric, klu_common& common) {
    klu_extract(numeric, symbolic, lower_.starts.data(), lower_.rows.data(), lower_.values.data(),
                upper_.starts.data(), upper_.rows.data(), upper_.values.data(), above_.starts.data(),
                above_.rows.data(), above_.values.data(), rows_.data(), columns_.data(), scale_.data(), blocks_.data(),
                &common);
    for (double& s : scale_) s = 1.0 / s;
    if (lower_.stretches.empty()) lower_.find_stretches(0), upper_.find_stretches(1), above_.find_stretches(0);
    for (std::size_t k = 0; k < inverse_.size(); ++k) inverse_[k] = 1.0 / upper_.values[upper_.starts[k + 1] - 1];
  }

  void solve(std::span<double> b) const {
    const int n = static_cast<int>(x_.size());
    if (n == 0) return;
    double* const x = x_.data();
    for (int k = 0; k < n; ++k) x[k] = b[rows_[k]] * scale_[k];
    for (std::size_t block = blocks_.size() - 1; block-- > 0;) {
      const int begin = blocks_[block], end = blocks_[block + 1];
      for (int j = begin; j < end; ++j) lower_.subtract(j, lower_.starts[j] + 1, lower_.starts[j + 1], x);
      for (int j = end - 1; j >= begin; --j) {
        x[j] *= inverse_[j];
        upper_.subtract(j, upper_.starts[j], upper_.starts[j + 1] - 1, x);
      }
      for (int j = begin; j < end; ++j) above_.subtract(j, above_.starts[j], above_.starts[j + 1], x);
    }
    for (int k = 0; k < n; ++k) b[columns_[k]] = x[k];
  }

 private:
  static constexpr int worth_a_call = 8;

  struct Part {  // by columns, rows ascending
    std::vector<int> starts, rows, stretches;  // where the stretch at the end of each column begins
    std::vector<double> values;

    void resize(int entries) {
      rows.resize(entries);
      values.resize(entries);
    }
    void find_stretches(int without_last) {
      stretches.assign(starts.size() - 1, 0);
      for (std::size_t j = 0; j + 1 < starts.size(); ++j) {
        const int end = starts[j + 1] - without_last;
        int begin = end;
        while (begin > starts[j] && rows[begin - 1] == rows[end - 1] - (end - begin)) --begin;
        stretches[j] = end - begin >= worth_a_call ? begin : end;
      }
    }
    void subtract(int column, int first, int last, double* x) const {
      const double factor = x[column];
      if (factor == 0.0) return;
      const int stretch = std::max(first, stretches[column]);
      for (int e = first; e < stretch; ++e) x[rows[e]] -= values[e] * factor;
      if (stretch < last) subtract_stretch(last - stretch, factor, &values[stretch], x + rows[stretch]);
    }
  };

  Part lower_, upper_, above_;  // the diagonals: first entry of a column of L, last of U
  std::vector<int> rows_, columns_, blocks_;
  std::vector<double> scale_, inverse_;
  mutable std::vector<double> x_;
};

class Sparse final : public Factorization {
 public:
  explicit Sparse(const Pattern& pattern)
      : pattern_(pattern), row_size_(pattern.size), x_(pattern.size), residual_(pattern.size), size_(pattern.size) {
    klu_defaults(&common_);
    common_.scale = 2;  // by the largest entry of each row
    symbolic_ = klu_analyze(pattern_.size, pattern_.starts.data(), pattern_.rows.data(), &common_);
  }
  ~Sparse() override {
    klu_free_numeric(&numeric_, &common_);
    klu_free_symbolic(&symbolic_, &common_);
  }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;

  bool factorize(std::span<const double> values) override {
    if (pattern_.size == 0) return true;
    if (!symbolic_ || !all_finite(values)) return false;
    std::ranges::fill(row_size_, 0.0);
    for (std::size_t k = 0; k < values.size(); ++k)
      row_size_[pattern_.rows[k]] = std::max(row_size_[pattern_.rows[k]], std::abs(values[k]));
    auto* a = const_cast<double*>(values.data());  // KLU reads only
    if (numeric_ && reuse_pivots(a)) return is_regular(values);
    // In large matrices small pivots are kept for the sake of sparsity as long as the result is good: a chain of bodies
    // fills up otherwise.
    const bool sparsely = pattern_.size > large && choose_pivots(a, 0.001) && fresh_error_ <= good_error;
    return (sparsely || choose_pivots(a, 0.1)) && is_regular(values);
  }

  void solve(std::span<double> b) const override { factors_.solve(b); }

  void solve_transposed(std::span<double> b) const override {
    if (pattern_.size == 0) return;
    klu_common common = common_;
    klu_tsolve(symbolic_, numeric_, pattern_.size, 1, b.data(), &common);
  }

  double pivot_ratio() const override { return ratio_; }

 private:
  // Pivots are reused while they solve a system of equations well, or hardly worse than when they were chosen.
  static constexpr double small_error = 1e-9, hardly_worse = 2.0;
  static constexpr double good_error = 1e-12;  // of pivots that have just been chosen
  static constexpr int large = 100;

  // An entry of the diagonal is preferred unless it is smaller than `tolerance` times the largest of its column.
  bool choose_pivots(double* a, double tolerance) {
    klu_free_numeric(&numeric_, &common_);
    common_.tol = tolerance;
    numeric_ = klu_factor(pattern_.starts.data(), pattern_.rows.data(), a, symbolic_, &common_);
    if (common_.status != KLU_OK) {
      klu_free_numeric(&numeric_, &common_);  // incomplete: nothing to refactorize next time
      return false;
    }
    klu_sort(symbolic_, numeric_, &common_);
    factors_.resize(*symbolic_, *numeric_);
    factors_.extract(symbolic_, numeric_, common_);
    fresh_error_ = error_of_trial(a);
    return true;
  }

  bool reuse_pivots(double* a) {
    if (!klu_refactor(pattern_.starts.data(), pattern_.rows.data(), a, symbolic_, numeric_, &common_)) return false;
    factors_.extract(symbolic_, numeric_, common_);
    return error_of_trial(a) <= std::max(small_error, hardly_worse * fresh_error_);
  }

  // The backward error, row by row, of a solution with the present factors; NaN if there is none.
  double error_of_trial(const double* a) {
    for (int i = 0; i < pattern_.size; ++i) residual_[i] = x_[i] = i % 2 == 0 ? 1.0 : -0.5;
    size_ = residual_.cwiseAbs();
    factors_.solve({x_.data(), static_cast<std::size_t>(pattern_.size)});
    for (int col = 0; col < pattern_.size; ++col)
      for (int k = pattern_.starts[col]; k < pattern_.starts[col + 1]; ++k) {
        const double term = a[k] * x_[col];
        residual_[pattern_.rows[k]] -= term;
        size_[pattern_.rows[k]] += std::abs(term);
      }
    return residual_.cwiseQuotient(size_).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
  }

  bool is_regular(std::span<const double> values) {
    const auto* pivots = static_cast<const double*>(numeric_->Udiag);
    ratio_ = 1.0;
    for (int n = 0; n < pattern_.size; ++n) {
      const int col = symbolic_->Q[n];
      double size = 0.0;
      for (int k = pattern_.starts[col]; k < pattern_.starts[col + 1]; ++k)
        if (values[k] != 0.0) size = std::max(size, std::abs(values[k]) / row_size_[pattern_.rows[k]]);
      if (!(std::abs(pivots[n]) > 1e-17 * size)) return false;
      ratio_ = std::min(ratio_, std::abs(pivots[n]) / size);
    }
    return true;
  }

  Pattern pattern_;
  std::vector<double> row_size_;
  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
  FlatFactors factors_;
  Eigen::VectorXd x_, residual_, size_;  // of the trial
  double fresh_error_ = 0.0;
  double ratio_ = 1.0;
};

}  // namespace

std::unique_ptr<Factorization> make_dense(const Pattern& pattern) { return std::make_unique<Dense>(pattern); }
std::unique_ptr<Factorization> make_sparse(const Pattern& pattern) { return std::make_unique<Sparse>(pattern); }

std::unique_ptr<Factorization> make_factorization(const Pattern& pattern) {
  const double n = pattern.size, density = static_cast<double>(pattern.rows.size()) / std::max(1.0, n * n);
  return n <= 24 || (n <= 200 && density > 0.4) ? make_dense(pattern) : make_sparse(pattern);
}

}  // namespace driftless::linear
