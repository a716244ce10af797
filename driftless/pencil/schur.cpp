#include "driftless/pencil/schur.hpp"

#include <algorithm>

#include <Eigen/Eigenvalues>

#include "driftless/linear/dense.hpp"
#include "driftless/linear/eigenvalues.hpp"

namespace driftless::pencil {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void bring_to_schur_form(Staircase& s) {
  const Index n = s.finite, infinite = s.A.rows() - n;
  if (n < 2) return;
  const Eigen::RealQZ<MatrixXd> qz(s.A.topLeftCorner(n, n), s.B.topLeftCorner(n, n));
  if (qz.info() != Eigen::Success) return;
  const MatrixXd Q = qz.matrixQ().transpose(), Z = qz.matrixZ().transpose();  // Q A Z is the Schur form
  s.A.topLeftCorner(n, n) = qz.matrixS();
  s.B.topLeftCorner(n, n) = qz.matrixT();
  s.A.topRightCorner(n, infinite) = (Q * s.A.topRightCorner(n, infinite)).eval();
  s.B.topRightCorner(n, infinite) = (Q * s.B.topRightCorner(n, infinite)).eval();
  s.left.topRows(n) = (Q * s.left.topRows(n)).eval();
  s.right.leftCols(n) = (s.right.leftCols(n) * Z).eval();
}

std::vector<std::complex<double>> finite_eigenvalues(const Staircase& s) {
  const Index n = s.finite;
  if (n == 0) return {};
  const MatrixXd C = linear::Lu(s.B.topLeftCorner(n, n)).solve(s.A.topLeftCorner(n, n).eval());
  const auto of_c = linear::eigenvalues(C);
  if (!of_c) return std::vector(static_cast<std::size_t>(n), std::complex<double>(std::nan("")));
  std::vector<std::complex<double>> result;
  for (const std::complex<double> value : *of_c) result.push_back(-value);
  return result;
}

Decoupling decouple(const Staircase& s) {
  const Index n = s.finite, infinite = s.A.rows() - n;
  const auto A11 = s.A.topLeftCorner(n, n), A12 = s.A.topRightCorner(n, infinite);
  const auto B12 = s.B.topRightCorner(n, infinite);
  const auto A22 = s.A.bottomRightCorner(infinite, infinite), B22 = s.B.bottomRightCorner(infinite, infinite);
  Decoupling result{MatrixXd::Zero(n, infinite), MatrixXd::Zero(n, infinite)};
  if (n == 0) return result;
  const linear::Lu B11(s.B.topLeftCorner(n, n));
  auto& [S, T] = result;
  for (Index k = 0; k < infinite; ++k) {
    T.col(k) = -B11.solve(VectorXd(B12.col(k) + S.leftCols(k) * B22.col(k).head(k)));
    S.col(k) = -(A11 * T.col(k) + A12.col(k) + S.leftCols(k) * A22.col(k).head(k)) / A22(k, k);
  }
  return result;
}

}  // namespace driftless::pencil
