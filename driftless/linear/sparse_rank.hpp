// The same as equilibration.hpp for sparse matrices: units of rows and columns, and the rank with its gap.
//
// Small matrices are left to their singular values. Of large ones the rank comes from a complete orthogonal
// decomposition by two sparse factorizations (SuiteSparseQR; Davis 2011, Foster and Davis 2013),
//
//   (A - E) P = Q [R1 R2],   [R1 R2]^T = Q' [T; 0],
//
// where E is what the first one has left out because its columns were dependent on others. So A - E has the singular
// values of T exactly: the smallest of these, by inverse iteration, counts. Of those that do not |E| is a bound; what A
// makes of the kernel of A - E, improved once, tells them better. The cost follows the number of entries of the factors.
#pragma once

#include <Eigen/Sparse>

#include "driftless/linear/equilibration.hpp"

namespace driftless::linear {

Equilibration equilibrate(const Eigen::SparseMatrix<double>& matrix);
Eigen::SparseMatrix<double> in_units(const Eigen::SparseMatrix<double>& matrix, const Equilibration& scale);

// Precondition: the entries are finite.
RevealedRank revealed_rank(const Eigen::SparseMatrix<double>& equilibrated);

// The part for large matrices, whatever their size.
RevealedRank revealed_rank_by_qr(const Eigen::SparseMatrix<double>& equilibrated);

}  // namespace driftless::linear
