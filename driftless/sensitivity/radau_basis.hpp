// Collocation at the points of Radau IIA, for any number of stages: c, A, and the weights that integrate the polynomial
// through values at these points up to any time of the step. Polynomials are written in Legendre's basis: it is well
// conditioned, and its last coefficients show how well a step is resolved.
#pragma once

#include <span>

#include <Eigen/Core>

namespace driftless::sensitivity {

struct RadauBasis {
  explicit RadauBasis(int stages);

  int stages() const { return static_cast<int>(c.size()); }
  // ∫ from 0 to theta of Legendre's polynomials, as many as there are stages.
  static void integrals(double theta, std::span<double> result);
  // ∫ from 0 to theta of the polynomial that is 1 at c_l and 0 at the others, for all l.
  Eigen::VectorXd weights(double theta) const;

  Eigen::VectorXd c;         // ascending, the last is 1
  Eigen::MatrixXd a;         // rows: weights(c_k)
  Eigen::MatrixXd legendre;  // coefficients from values at c
  Eigen::MatrixXd lower;     // Q of A = Q R, lower triangular; R has the diagonal 1

 private:
  void factorize();
};

}  // namespace driftless::sensitivity
