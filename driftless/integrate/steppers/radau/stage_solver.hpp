// The linear systems of Newton's iteration for the stages of a step, in the coordinates in which they decouple
// (stage_transformation.hpp): one real and, for every conjugate pair, one complex matrix of the size of the model.
//
// The Jacobian is kept: matrices for another step size or another number of stages cost a factorization only. Rows and
// columns are scaled by powers of h (index_scaling.hpp).
#pragma once

#include <complex>
#include <memory>
#include <span>
#include <vector>

#include "driftless/integrate/solve/index_scaling.hpp"
#include "driftless/integrate/solve/iteration_matrix.hpp"
#include "driftless/integrate/steppers/radau/stage_transformation.hpp"
#include "driftless/linear/complex_factorization.hpp"

namespace driftless {

class StageSolver {
 public:
  // For methods of at most this number of stages.
  StageSolver(Problem& problem, int stages);

  void states_changed();

  // ∂F/∂y and ∂F/∂y' at a point; false if some value does not exist.
  bool linearize(double t, std::span<const double> y, std::span<const double> yp);
  // For steps of size h; false: singular.
  bool factorize(const StageTransformation& transformation, double h);

  void solve(std::span<double> stages);          // the right-hand sides of all stages become their solutions
  void solve_real(std::span<double> one) const;  // with the matrix of the real eigenvalue

  const IndexScaling& grading() const { return grading_; }
  const IterationMatrix& real_matrix() const { return real_; }

  // Reads into a solver of the same pattern; the factors belong to this transformation.
  void archive(Archive& archive, const StageTransformation& transformation);

 private:
  struct Pair {
    std::unique_ptr<linear::ComplexFactorization> factorization;
    std::vector<std::complex<double>> values;
  };

  void scale(double h);
  void share_pivots(const std::shared_ptr<const linear::PivotOrder>& order);
  bool factorize(Pair& pair, std::complex<double> alpha);

  Problem& problem_;
  int stages_;  // at most
  IndexScaling grading_;
  std::vector<double> by_value_, by_rate_;  // ∂F/∂y, ∂F/∂y'
  IterationMatrix real_;
  std::vector<Pair> pairs_;
  bool pairs_have_pivots_ = false;
  const StageTransformation* transformation_ = nullptr;
  std::vector<double> row_scale_, column_scale_, parts_;
  double scaled_for_ = 0.0;
};

}  // namespace driftless
