#include "driftless/pencil/weierstrass.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/linear/dense.hpp"
#include "driftless/pencil/balance.hpp"
#include "driftless/pencil/null_space.hpp"
#include "driftless/pencil/schur.hpp"
#include "driftless/pencil/staircase.hpp"

namespace driftless::pencil {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rounding_in_basis = 1e-10;  // entries of the reduced basis of orthonormal rows

// A basis of the same row space with an identity in as many columns, by elimination with complete pivoting; rows are in
// the order of these columns.
MatrixXd reduced_basis(MatrixXd rows) {
  std::vector<std::pair<Index, Index>> pivots;  // column, row
  for (Index k = 0; k < rows.rows(); ++k) {
    Index i = 0, j = 0;
    rows.bottomRows(rows.rows() - k).cwiseAbs().maxCoeff(&i, &j);
    rows.row(k).swap(rows.row(k + i));
    rows.row(k) /= rows(k, j);
    for (Index other = 0; other < rows.rows(); ++other)
      if (other != k) rows.row(other) -= rows(other, j) * rows.row(k);
    pivots.emplace_back(j, k);
  }
  std::ranges::sort(pivots);
  MatrixXd result(rows.rows(), rows.cols());
  for (std::size_t k = 0; k < pivots.size(); ++k) result.row(static_cast<Index>(k)) = rows.row(pivots[k].second);
  return (result.array().abs() < rounding_in_basis).select(0.0, result);
}

// Converts to the given units of the unknowns, each row again with an entry 1 in its own column.
MatrixXd in_given_units(MatrixXd basis, const VectorXd& cols) {
  for (Index k = 0; k < basis.rows(); ++k) {
    Index own = 0;
    for (Index j = 0; j < basis.cols(); ++j)
      if (basis(k, j) == 1.0 && (basis.col(j).array() != 0.0).count() == 1) own = j;
    basis.row(k) = basis.row(k) * cols.cwiseInverse().asDiagonal() * cols(own);
  }
  return basis;
}

std::vector<std::complex<double>> modes_of(const Staircase& s, double time) {
  std::vector<std::complex<double>> modes = finite_eigenvalues(s);
  for (std::complex<double>& mode : modes) mode *= time;
  std::ranges::sort(modes, [](const std::complex<double>& a, const std::complex<double>& b) {
    return std::pair(-a.real(), -a.imag()) < std::pair(-b.real(), -b.imag());
  });
  return modes;
}

SingularPencil singular(const Pencil& balanced, Staircase&& s) {
  NullSpaces null = find_null_spaces(balanced);
  return {null.rank, s.index(), std::move(null.rows), std::move(null.cols), std::move(s.decisions)};
}

// P and Q of the balanced pencil from the two blocks, then in the given units.
WeierstrassForm assemble(const Balanced& b, Staircase&& s) {
  const Index n = s.A.rows(), finite = s.finite, infinite = n - finite;
  const auto [S, T] = decouple(s);
  const linear::Lu B11(s.B.topLeftCorner(finite, finite)), A22(s.A.bottomRightCorner(infinite, infinite));
  WeierstrassForm form;
  form.index = s.index();
  form.block_sizes = block_sizes(s.steps);
  form.differential = static_cast<int>(finite);
  // B11 of the balanced pencil is `time` times that of the given one.
  form.C = b.time * (finite > 0 ? MatrixXd(B11.solve(s.A.topLeftCorner(finite, finite).eval())) : MatrixXd());
  form.N = (infinite > 0 ? MatrixXd(A22.solve(s.B.bottomRightCorner(infinite, infinite).eval())) : MatrixXd()) / b.time;
  form.P = s.left;
  form.P.topRows(finite) += S * s.left.bottomRows(infinite);
  if (finite > 0) form.P.topRows(finite) = (b.time * B11.solve(form.P.topRows(finite).eval())).eval();
  if (infinite > 0) form.P.bottomRows(infinite) = A22.solve(form.P.bottomRows(infinite).eval());
  form.P = form.P * b.rows.asDiagonal();
  form.Q = s.right;
  form.Q.rightCols(infinite) += s.right.leftCols(finite) * T;
  form.Q = b.cols.asDiagonal() * form.Q;
  form.modes = modes_of(s, b.time);
  form.algebraic = in_given_units(reduced_basis(s.right.rightCols(infinite).transpose()), b.cols);
  form.decisions = std::move(s.decisions);
  return form;
}

}  // namespace

std::variant<WeierstrassForm, SingularPencil> weierstrass_form(const Pencil& pencil) {
  const Balanced balanced = balance(pencil);
  Staircase staircase = find_staircase(balanced.pencil);
  if (staircase.is_singular) return singular(balanced.pencil, std::move(staircase));
  bring_to_schur_form(staircase);
  return assemble(balanced, std::move(staircase));
}

VectorXd algebraic_part(const WeierstrassForm& form, std::span<const VectorXd> derivatives_of_d) {
  const Index infinite = form.N.rows();
  VectorXd z = VectorXd::Zero(infinite);
  for (int k = form.index - 1; k >= 0; --k)  // Horner's scheme in -N
    z = form.P.bottomRows(infinite) * derivatives_of_d[static_cast<std::size_t>(k)] - form.N * z;
  return z;
}

}  // namespace driftless::pencil
