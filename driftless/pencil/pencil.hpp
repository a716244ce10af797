// A linear system with constant coefficients, B u' + A u = d(t), as its matrix pencil A + λB.
#pragma once

#include <Eigen/Core>

namespace driftless::pencil {

struct Pencil {
  Eigen::MatrixXd A, B;  // square, of the same size, finite
  Eigen::Index size() const { return A.rows(); }
};

}  // namespace driftless::pencil
