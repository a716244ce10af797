// Decompositions of full matrices that are not repeated in every step. They are those of Eigen, compiled only once
// here: in each source that used these templates they would take longer to compile than the rest of it.
#pragma once

#include <memory>

#include <Eigen/Core>

namespace driftless::linear {

// P A = L U with exchange of rows, for a square matrix that is regular.
class Lu {
 public:
  Lu() = default;
  explicit Lu(const Eigen::MatrixXd& a);

  Eigen::MatrixXd solve(const Eigen::MatrixXd& right) const;
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const;
  Eigen::MatrixXd inverse() const;
  double determinant() const;
  int sign() const;                            // of the determinant, which may overflow
  double reciprocal_condition_number() const;  // estimated

 private:
  std::shared_ptr<const Eigen::PartialPivLU<Eigen::MatrixXd>> parts_;
};

// P A Q = L U with exchange of rows and columns, which reveals the rank. Pivots below `threshold` times the largest one
// count as zero; by default rounding decides.
class FullLu {
 public:
  explicit FullLu(const Eigen::MatrixXd& a);
  FullLu(const Eigen::MatrixXd& a, double threshold);

  Eigen::Index rank() const;
  bool is_regular() const;
  Eigen::MatrixXd solve(const Eigen::MatrixXd& right) const;
  Eigen::MatrixXd inverse() const;
  Eigen::MatrixXd kernel() const;  // in its columns; no columns if it is trivial

 private:
  std::shared_ptr<const Eigen::FullPivLU<Eigen::MatrixXd>> parts_;
};

// A = Q R.
class Qr {
 public:
  Qr() = default;
  explicit Qr(const Eigen::MatrixXd& a);

  Eigen::MatrixXd q() const;         // square
  Eigen::MatrixXd triangle() const;  // the upper square part of R
  Eigen::MatrixXd transposed_q_times(const Eigen::MatrixXd& right) const;
  Eigen::VectorXd transposed_q_times(const Eigen::VectorXd& right) const;
  Eigen::MatrixXd solve(const Eigen::MatrixXd& right) const;           // least squares, columns independent
  Eigen::VectorXd solve_triangle(const Eigen::VectorXd& right) const;  // R x = right

 private:
  std::shared_ptr<const Eigen::HouseholderQR<Eigen::MatrixXd>> parts_;
};

// A P = Q R with the largest columns first, which reveals the rank.
class PivotedQr {
 public:
  PivotedQr() = default;
  explicit PivotedQr(const Eigen::MatrixXd& a);
  PivotedQr(const Eigen::MatrixXd& a, double threshold);  // pivots below this part of the largest count as zero

  Eigen::Index rank() const;
  bool has_rank(Eigen::Index rank, double vanished) const;  // with pivots above `vanished` times the largest one
  double pivot(Eigen::Index k) const;                       // its size
  Eigen::Index column(Eigen::Index k) const;                // of A, which is column k of A P
  Eigen::MatrixXd q() const;                                // square
  Eigen::MatrixXd transposed_q_times(const Eigen::MatrixXd& right) const;
  Eigen::VectorXd transposed_q_times(const Eigen::VectorXd& right) const;
  Eigen::MatrixXd solve(const Eigen::MatrixXd& right) const;
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const;
  Eigen::VectorXd solve_triangle(const Eigen::VectorXd& right) const;  // with as many of its first rows and columns

 private:
  std::shared_ptr<const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>> parts_;
};

// A P = Q (T 0; 0 0) Z with a regular triangle T, for matrices of any rank.
class CompleteQr {
 public:
  CompleteQr() = default;
  explicit CompleteQr(const Eigen::MatrixXd& a);
  CompleteQr(const Eigen::MatrixXd& a, double threshold);  // as that of PivotedQr

  Eigen::VectorXd solve(const Eigen::VectorXd& right) const;  // the shortest least-squares solution
  Eigen::MatrixXd pseudo_inverse() const;

 private:
  std::shared_ptr<const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>> parts_;
};

}  // namespace driftless::linear
