// Rows and columns of a matrix scaled to the size 1, so that ranks do not depend on the units of equations and
// unknowns: the largest entry of every row and column that is not 0 is made about 1 by repeated scaling with square
// roots (Ruiz 2001). Also the rank of such a matrix by its singular values, with the gap between those that count and
// those that do not.
#pragma once

#include <Eigen/Core>

namespace driftless::linear {

struct Equilibration {
  Eigen::VectorXd rows, columns;  // scaled = diag(rows) * matrix * diag(columns)
};
Equilibration equilibrate(const Eigen::MatrixXd& matrix);

// Each sweep scales by the square roots of the present sizes.
inline constexpr int sweeps_of_equilibration = 12;

struct RevealedRank {
  int rank = 0;
  // The smallest singular value that counts and the largest that does not, relative to the largest.
  double smallest_kept = 1.0, largest_dropped = 0.0;
  // Is there a gap, and is the last one kept large enough? Otherwise the rank is not reliable at nearby points.
  bool is_clear() const;
};
// Precondition: the entries are finite.
RevealedRank revealed_rank(const Eigen::MatrixXd& equilibrated);

}  // namespace driftless::linear
