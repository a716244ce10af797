#include "driftless/initialize/newton_correction.hpp"

#include <algorithm>
#include <vector>

#include "driftless/linear/dense.hpp"
#include "driftless/linear/least_change.hpp"

namespace driftless {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::SparseMatrix<double>;

constexpr Eigen::Index dense_size = 60;

bool is_same(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && a.nonZeros() == b.nonZeros() &&
         std::equal(a.outerIndexPtr(), a.outerIndexPtr() + a.outerSize() + 1, b.outerIndexPtr()) &&
         std::equal(a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros(), b.innerIndexPtr()) &&
         std::equal(a.valuePtr(), a.valuePtr() + a.nonZeros(), b.valuePtr());
}

}  // namespace

const linear::Factorization* NewtonCorrection::factors_of(const Matrix& j) {
  if (is_same(j, matrix_)) return regular_ ? factorization_.get() : nullptr;
  std::vector<linear::Coordinate> places;
  std::vector<double> values;
  for (int col = 0; col < j.outerSize(); ++col)
    for (Matrix::InnerIterator it(j, col); it; ++it) {
      places.push_back({static_cast<int>(it.row()), col});
      values.push_back(it.value());
    }
  const linear::Assembly assembly = linear::assemble(static_cast<int>(j.cols()), places);
  std::vector<double> assembled(assembly.pattern.rows.size(), 0.0);
  for (std::size_t k = 0; k < values.size(); ++k) assembled[assembly.position[k]] += values[k];
  factorization_ = linear::make_factorization(assembly.pattern);
  regular_ = factorization_->factorize(assembled) && factorization_->pivot_ratio() > 1e-14;
  matrix_ = j;
  return regular_ ? factorization_.get() : nullptr;
}

Vector NewtonCorrection::operator()(const Matrix& j, const Vector& right, bool& regular) {
  regular = false;
  const Eigen::Index n = j.cols();
  if (j.rows() == n && n <= dense_size) {
    const Eigen::MatrixXd dense(j);
    Vector column(n);  // columns of size one, so that units do not affect the rank
    for (Eigen::Index k = 0; k < n; ++k) column[k] = std::max(dense.col(k).cwiseAbs().maxCoeff(), 1e-300);
    const linear::PivotedQr qr(dense * column.cwiseInverse().asDiagonal(), 1e-14);
    if (qr.rank() == n) {
      regular = true;
      return qr.solve(right).cwiseQuotient(column);
    }
  } else if (j.rows() == n) {
    if (const linear::Factorization* factorization = factors_of(j)) {
      regular = true;
      Vector x = right;
      factorization->solve({x.data(), static_cast<std::size_t>(n)});
      return x;
    }
  }
  return linear::LeastChange(j).solve(right);
}

}  // namespace driftless
