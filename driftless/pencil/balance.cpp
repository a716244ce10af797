#include "driftless/pencil/balance.hpp"

#include <algorithm>
#include <cmath>

namespace driftless::pencil {
namespace {

constexpr int sweeps = 20;

// The power of two that scales the size to about 1; 1 for zero.
double factor_for(double size) { return size > 0.0 ? std::exp2(-std::round(std::log2(size))) : 1.0; }

double largest_in_row(const Pencil& p, Eigen::Index i) {
  return std::max(p.A.row(i).cwiseAbs().maxCoeff(), p.B.row(i).cwiseAbs().maxCoeff());
}

double largest_in_column(const Pencil& p, Eigen::Index j) {
  return std::max(p.A.col(j).cwiseAbs().maxCoeff(), p.B.col(j).cwiseAbs().maxCoeff());
}

void scale_time(Balanced& b) {
  const double a = b.pencil.A.cwiseAbs().maxCoeff(), derivatives = b.pencil.B.cwiseAbs().maxCoeff();
  if (a == 0.0 || derivatives == 0.0) return;
  const double factor = factor_for(derivatives / a);
  b.pencil.B *= factor;
  b.time *= factor;
}

void scale_rows(Balanced& b, const Eigen::VectorXd& factors) {
  b.pencil.A = factors.asDiagonal() * b.pencil.A;
  b.pencil.B = factors.asDiagonal() * b.pencil.B;
  b.rows.array() *= factors.array();
}

void scale_columns(Balanced& b, const Eigen::VectorXd& factors) {
  b.pencil.A = b.pencil.A * factors.asDiagonal();
  b.pencil.B = b.pencil.B * factors.asDiagonal();
  b.cols.array() *= factors.array();
}

}  // namespace

Balanced balance(const Pencil& given) {
  const Eigen::Index n = given.size();
  Balanced b{given, Eigen::VectorXd::Ones(n), Eigen::VectorXd::Ones(n)};
  if (n == 0) return b;
  Eigen::VectorXd rows(n), cols(n);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    scale_time(b);
    for (Eigen::Index i = 0; i < n; ++i) {
      rows(i) = factor_for(std::sqrt(largest_in_row(b.pencil, i)));
      cols(i) = factor_for(std::sqrt(largest_in_column(b.pencil, i)));
    }
    scale_rows(b, rows);
    scale_columns(b, cols);
  }
  return b;
}

}  // namespace driftless::pencil
