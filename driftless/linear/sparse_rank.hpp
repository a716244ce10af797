// The same as equilibration.hpp for sparse matrices: units of rows and columns, and the rank with its gap.
//
// For small matrices singular values are used. For large ones a sparse factorization of the transposed matrix
// (SuiteSparseQR; Davis 2011) finds r independent rows S, r being the rank, and another one their triangle,
//
//   A_S^T P = Q R:   sigma_r(A) >= sigma_min(A_S) = sigma_min(R),   sigma_(r+1)(A) <= |A N|,   N onto the kernel of
//   A_S.
//
// Both bounds are estimated by power iterations. The cost follows the number of entries of the factors, which is linear
// in the size of a chain.
#pragma once

#include <Eigen/Sparse>

#include "driftless/linear/equilibration.hpp"

namespace driftless::linear {

Equilibration equilibrate(const Eigen::SparseMatrix<double>& matrix);
Eigen::SparseMatrix<double> in_units(const Eigen::SparseMatrix<double>& matrix, const Equilibration& scale);

// Precondition: the entries are finite.
RevealedRank revealed_rank(const Eigen::SparseMatrix<double>& equilibrated);

// The method for large matrices, usable for any size.
RevealedRank revealed_rank_by_qr(const Eigen::SparseMatrix<double>& equilibrated);

}  // namespace driftless::linear
