#include "driftless/linear/sparse_rank.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <vector>

#include <Eigen/SPQRSupport>

namespace driftless::linear {
namespace {

using Matrix = Eigen::SparseMatrix<double>;

constexpr double most_entries_of_svd = 200.0 * 300.0;
constexpr int iterations = 12;

// The remainder of a row counts if it exceeds this part of the largest. That of a dependent row is rounding times the
// condition of the earlier ones: if the first tolerance gives no clear answer, another may.
constexpr double tolerances[] = {1e-9, 1e-7, 1e-5};

// R of A P = Q R: as many rows as the rank, its first columns triangular.
struct Triangle {
  Matrix r;
  std::vector<int> order;  // of the columns
  Eigen::Index rank = 0;
  double dropped = 0.0;
};

Triangle triangle_of(const Matrix& matrix, double tolerance) {
  using Long = Eigen::SparseMatrix<double, Eigen::ColMajor, SuiteSparse_long>;
  cholmod_common common;
  cholmod_l_start(&common);
  const std::unique_ptr<cholmod_common, int (*)(cholmod_common*)> end(&common, &cholmod_l_finish);
  Long copy = matrix;
  copy.makeCompressed();
  cholmod_sparse view = Eigen::viewAsCholmod(copy);
  cholmod_sparse* r = nullptr;
  SuiteSparse_long* order = nullptr;
  Triangle triangle;
  triangle.rank = SuiteSparseQR<double>(SPQR_ORDERING_DEFAULT, tolerance, 0, &view, &r, &order, &common);
  triangle.dropped = common.SPQR_norm_E_fro;
  for (int k = 0; k < matrix.cols(); ++k) triangle.order.push_back(order ? static_cast<int>(order[k]) : k);
  if (order) cholmod_l_free(static_cast<std::size_t>(matrix.cols()), sizeof(SuiteSparse_long), order, &common);
  if (!r || triangle.rank < 0) throw std::bad_alloc();
  triangle.r = Eigen::viewAsEigen<double, Eigen::ColMajor, SuiteSparse_long>(*r).topRows(triangle.rank);
  cholmod_l_free_sparse(&r, &common);
  return triangle;
}

// A reproducible vector with components in all directions.
Eigen::VectorXd first_vector(Eigen::Index size) {
  return Eigen::VectorXd::NullaryExpr(
             size, [](Eigen::Index k) { return 1.0 + 0.5 * std::sin(2.399963 * (static_cast<double>(k) + 1.0)); })
      .normalized();
}

double largest_singular_value(const Matrix& matrix) {
  Eigen::VectorXd x = first_vector(matrix.cols());
  double size = 0.0;
  for (int k = 0; k < iterations; ++k) {
    x = matrix.transpose() * (matrix * x);
    size = x.norm();
    if (!(size > 0.0)) return 0.0;
    x /= size;
  }
  return std::sqrt(size);
}

// Rows of A that are independent, A_S^T P = Q R.
class IndependentRows {
 public:
  IndependentRows(const Matrix& matrix, double tolerance) : matrix_(matrix) {
    const Matrix by_rows = matrix.transpose();
    const Triangle all = triangle_of(by_rows, tolerance);
    rank_ = all.rank;
    dropped_ = all.dropped;
    std::vector<Eigen::Triplet<double>> entries;
    for (int k = 0; k < rank_; ++k)
      for (Matrix::InnerIterator it(by_rows, all.order[static_cast<std::size_t>(k)]); it; ++it)
        entries.emplace_back(static_cast<int>(it.row()), k, it.value());
    transposed_.resize(matrix.cols(), rank_);
    transposed_.setFromTriplets(entries.begin(), entries.end());
    if (rank_ > 0) triangle_ = triangle_of(transposed_, SPQR_NO_TOL);
  }

  RevealedRank rank(double largest) const {
    RevealedRank result;
    result.rank = static_cast<int>(rank_);
    if (rank_ > 0) result.smallest_kept = smallest_singular_value() / largest;
    if (rank_ < std::min(matrix_.rows(), matrix_.cols()) && result.smallest_kept > 0.0)
      result.largest_dropped = std::min(dropped_, largest_beyond()) / largest;
    return result;
  }

 private:
  Eigen::VectorXd by_gram_inverse(const Eigen::VectorXd& b) const {  // (A_S A_S^T)^-1 b
    Eigen::VectorXd x = b(triangle_.order);
    triangle_.r.triangularView<Eigen::Upper>().transpose().solveInPlace(x);
    triangle_.r.triangularView<Eigen::Upper>().solveInPlace(x);
    Eigen::VectorXd result(b.size());
    result(triangle_.order) = x;
    return result;
  }

  // By the power method for (A_S A_S^T)^-1; 0 if it is singular.
  double smallest_singular_value() const {
    if (triangle_.rank < rank_) return 0.0;
    Eigen::VectorXd x = first_vector(rank_);
    double size = 0.0;
    for (int k = 0; k < iterations; ++k) {
      x = by_gram_inverse(x);
      size = x.norm();
      if (!std::isfinite(size) || size == 0.0) return 0.0;
      x /= size;
    }
    return 1.0 / std::sqrt(size);
  }

  Eigen::VectorXd in_kernel(const Eigen::VectorXd& x) const {  // of A_S
    if (rank_ == 0) return x;
    return x - transposed_ * by_gram_inverse(transposed_.transpose() * x);
  }

  // The largest length of A x for x of length 1 in the kernel of A_S, by the power method. Projects into the kernel
  // twice because of rounding errors.
  double largest_beyond() const {
    Eigen::VectorXd x = first_vector(matrix_.cols());
    double size = 0.0;
    for (int k = 0; k < iterations; ++k) {
      x = in_kernel(in_kernel(x));
      const double length = x.norm();
      if (!(length > 0.0)) return size;
      const Eigen::VectorXd image = matrix_ * (x / length);
      size = std::max(size, image.norm());
      x = matrix_.transpose() * image;
      if (!(x.norm() > 0.0)) return size;
      x.normalize();
    }
    return size;
  }

  const Matrix& matrix_;
  Matrix transposed_;
  Triangle triangle_;
  Eigen::Index rank_ = 0;
  double dropped_ = 0.0;
};

}  // namespace

Equilibration equilibrate(const Matrix& matrix) {
  const auto root_of = [](double largest) { return largest > 0.0 ? 1.0 / std::sqrt(largest) : 1.0; };
  Equilibration scale{Eigen::VectorXd::Ones(matrix.rows()), Eigen::VectorXd::Ones(matrix.cols())};
  for (int sweep = 0; sweep < sweeps_of_equilibration; ++sweep) {
    Eigen::VectorXd rows = Eigen::VectorXd::Zero(matrix.rows()), columns = Eigen::VectorXd::Zero(matrix.cols());
    const auto walk = [&](const auto& visit) {
      for (int col = 0; col < matrix.outerSize(); ++col)
        for (Matrix::InnerIterator it(matrix, col); it; ++it)
          visit(it.row(), col, std::abs(it.value()) * scale.rows[it.row()] * scale.columns[col]);
    };
    walk([&](Eigen::Index i, int, double size) { rows[i] = std::max(rows[i], size); });
    const Eigen::VectorXd factors = rows.unaryExpr(root_of);
    walk([&](Eigen::Index i, int j, double size) { columns[j] = std::max(columns[j], size * factors[i]); });
    scale.rows.array() *= factors.array();
    scale.columns.array() *= columns.unaryExpr(root_of).array();
  }
  return scale;
}

Matrix in_units(const Matrix& matrix, const Equilibration& scale) {
  return scale.rows.asDiagonal() * matrix * scale.columns.asDiagonal();
}

RevealedRank revealed_rank_by_qr(const Matrix& matrix) {
  RevealedRank result;
  const double largest_row = std::sqrt((matrix.cwiseAbs2() * Eigen::VectorXd::Ones(matrix.cols())).maxCoeff());
  if (!(largest_row > 0.0)) return result;
  const double largest = std::max(largest_row, largest_singular_value(matrix));
  for (const double tolerance : tolerances) {
    const RevealedRank found = IndependentRows(matrix, tolerance * largest_row).rank(largest);
    if (found.is_clear() && found.largest_dropped <= tolerances[0]) return found;
    if (tolerance == tolerances[0]) result = found;
  }
  return result;
}

RevealedRank revealed_rank(const Matrix& matrix) {
  if (static_cast<double>(matrix.rows()) * static_cast<double>(matrix.cols()) <= most_entries_of_svd)
    return revealed_rank(Eigen::MatrixXd(matrix));
  return revealed_rank_by_qr(matrix);
}

}  // namespace driftless::linear
