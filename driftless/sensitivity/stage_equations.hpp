// The linear equations of one step of collocation for s' = C(t) s + d(t),
//
//   S_k = s_0 + h Σ a_kl (C_l S_l + d_l).
//
// Few unknowns are eliminated as a full matrix. Many are computed by GMRES (Saad, Schultz 1986), which needs products
// with the matrices C_l only, preconditioned by a sweep over the stages: with the lower triangular factor Q of A = Q R
// instead of A, the stages follow one by one, and fast modes vanish after as many sweeps as there are stages (Weiser
// 2015).
#pragma once

#include <vector>

#include <Eigen/Core>

#include "driftless/linear/dense.hpp"
#include "driftless/sensitivity/linearization.hpp"
#include "driftless/sensitivity/radau_basis.hpp"
#include "driftless/sensitivity/small_lu.hpp"

namespace driftless::sensitivity {

class StageEquations {
 public:
  enum class Way { BySize, Direct, Iterative };

  // `scale`: sizes of the states, > 0. Columns of `start` and of the result are directions, stages are stacked. False
  // if the equations are singular.
  bool solve(const RadauBasis& basis, double h, const std::vector<Linearization::Dynamics>& dynamics,
             const Eigen::MatrixXd& start, const Eigen::VectorXd& scale, Eigen::MatrixXd& stages,
             Way way = Way::BySize);

 private:
  void solve_directly(Eigen::MatrixXd& stages);
  bool iterate(Eigen::MatrixXd& stages);
  bool iterate(Eigen::Ref<Eigen::VectorXd> stages);
  void apply(const Eigen::VectorXd& x, Eigen::VectorXd& y) const;
  void sweep(const Eigen::VectorXd& r, Eigen::VectorXd& x) const;

  const RadauBasis* basis_ = nullptr;
  double h_ = 0.0;
  Eigen::Index n_ = 0, s_ = 0;
  std::vector<Eigen::MatrixXd> matrices_;   // C_l, scaled
  std::vector<linear::Lu> eliminated_;      // I - h q_ll C_l
  SmallLu all_;                             // I - h A ⊗ C
  mutable Eigen::VectorXd slope_;           // C_l times a stage
  Eigen::MatrixXd basis_of_space_, upper_;  // of Krylov's space, and of the projected equations
};

// The approximate number of operations for these equations.
double cost_of_stage_equations(int stages, Eigen::Index states, Eigen::Index directions);

}  // namespace driftless::sensitivity
