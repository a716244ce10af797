#include "driftless/integrate/steppers/radau/stage_transformation.hpp"

#include <cassert>
#include <cmath>

#include <Eigen/Core>

#include "driftless/linear/dense.hpp"
#include "driftless/linear/eigenvalues.hpp"

namespace driftless {
namespace {
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
}

StageTransformation diagonalize(const std::vector<double>& inverse) {
  const auto s = static_cast<Eigen::Index>(std::lround(std::sqrt(static_cast<double>(inverse.size()))));
  const auto eigen = linear::eigensystem(Eigen::Map<const Matrix>(inverse.data(), s, s));
  assert(eigen);
  const Eigen::MatrixXcd& vectors = eigen->vectors;
  const Eigen::MatrixXcd inverse_vectors = linear::inverse(vectors);
  StageTransformation result;
  Matrix to(s, s), from(s, s);
  Eigen::Index part = s % 2;
  for (Eigen::Index k = 0; k < s; ++k) {
    const std::complex<double> eigenvalue = eigen->values[k];
    if (eigenvalue.imag() < 0.0) continue;
    if (eigenvalue.imag() == 0.0) {
      assert(s % 2 == 1 && !result.real);
      result.real = eigenvalue.real();
      to.row(0) = inverse_vectors.row(k).real();
      from.col(0) = vectors.col(k).real();
      continue;
    }
    // v W + its conjugate = 2 Re v Re W - 2 Im v Im W
    result.complex.push_back(eigenvalue);
    to.row(part) = inverse_vectors.row(k).real();
    to.row(part + 1) = inverse_vectors.row(k).imag();
    from.col(part) = 2.0 * vectors.col(k).real();
    from.col(part + 1) = -2.0 * vectors.col(k).imag();
    part += 2;
  }
  result.to_parts.assign(to.data(), to.data() + to.size());
  result.from_parts.assign(from.data(), from.data() + from.size());
  return result;
}

// With mu (b^ - b) = d:  sum_i d_i c_i^(k-1) = -1 for k = 1, else 0;  sum_i d_i h K_i = sum_ij d_i w_ij Z_j.
std::vector<double> error_weights(const Tableau& tableau) {
  const int s = tableau.stages;
  Eigen::MatrixXd powers(s, s);
  for (int k = 0; k < s; ++k)
    for (int i = 0; i < s; ++i) powers(k, i) = k == 0 ? 1.0 : std::pow(tableau.c[i], k);
  const Eigen::VectorXd d = linear::FullLu(powers).solve(-Eigen::VectorXd::Unit(s, 0));
  const std::vector<double> inverse = inverse_matrix(tableau);
  const Eigen::VectorXd e = Eigen::Map<const Matrix>(inverse.data(), s, s).transpose() * d;
  return {e.data(), e.data() + s};
}

// Lagrange's polynomials for the nodes 0, c_1 .. c_s.
BetweenNodes between_nodes(const Tableau& tableau) {
  std::vector<double> nodes{0.0};
  nodes.insert(nodes.end(), tableau.c.begin(), tableau.c.end());
  BetweenNodes result;
  double widest = 0.0;
  for (std::size_t i = 1; i < nodes.size(); ++i)
    if (const double gap = nodes[i] - nodes[i - 1]; gap > widest) {
      widest = gap;
      result.at = nodes[i - 1] + 0.5 * gap;
    }
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    double value = 1.0, sum = 0.0;
    for (std::size_t j = 0; j < nodes.size(); ++j)
      if (j != i) {
        value *= (result.at - nodes[j]) / (nodes[i] - nodes[j]);
        sum += 1.0 / (result.at - nodes[j]);
      }
    result.value.push_back(value);
    result.slope.push_back(value * sum);
  }
  return result;
}

}  // namespace driftless
