// The stages of the Sigma-method (Pryce 2001): at stage k the equations f_i at order k + c_i are solved for the Taylor
// coefficients of order k + d_j. With r the residual coefficients and J_ij = ∂f_i/∂x_j^(d_j - c_i),
//
//   sum_j J_ij (k + d_j)! x_j,[k + d_j] = -(k + c_i)! r_i,[k + c_i]      (unknown coefficients at 0 in r)
//
// for k > 0, with one factorization of J for all k. The stages k <= 0 put a predicted point onto all levels of all
// constraints: their equations are nonlinear or have more unknowns than equations, so the smallest correction in units
// of the nominal values is applied. Its matrix is the part of J with k + c_i >= 0 and k + d_j >= 0 (Griewank's lemma).
//
// Series are in the time τ = (t - t_0) / unit, with a unit near the step size and a power of two: their coefficients
// neither overflow nor change by rounding.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driftless/taylor/recurrences.hpp"
#include "driftless/taylor/series.hpp"
#include "driftless/taylor/square_solver.hpp"
#include "driftless/taylor/straight_line.hpp"

namespace driftless::taylor {

struct ExpansionCounts {
  long projections = 0, iterations = 0, jacobians = 0, factorizations = 0, stages = 0;
};

enum class ExpansionFailure { None, NoValue, Singular, NoConvergence };

template <class Scalar>
class Expansion {
 public:
  // Computes coefficients up to stage `last_stage` > 0. `code`: of the recurrences, used in double precision only.
  Expansion(std::shared_ptr<const Recurrences> recurrences, int last_stage, const Code& code);
  ~Expansion();
  Expansion(Expansion&&) noexcept;
  // The same compiled formulas and parameters, with numbers of its own.
  Expansion(const Expansion& other, int last_stage);

  void set_parameters(std::span<const double> values);  // of the model; by default the model's own values

  int unknowns() const;
  int rows() const;  // of a series: the highest order plus one
  Series<Scalar> make_series() const;

  using Failure = ExpansionFailure;

  // Performs the stages up to 0 on the coefficients of order 0 to d_j, which are a prediction on entry. `weights`: the
  // size of each unknown, for judging corrections. On success `corrections` holds, by stage -d_max, ..., 0 and unknown,
  // the change of the coefficient of order k + d_j. Iterations end when the next correction would be far below
  // `precision`, relative to the weights. The matrix used for the series is that of the prediction if the point has
  // moved by less than `precision`: its error is then as small as that of the prediction.
  Failure project(Series<Scalar>& series, std::span<const double> weights, double precision);
  // The same for a point that is not expanded: the stages up to 0 are solved to rounding.
  Failure project_to_rounding(Series<Scalar>& series, std::span<const double> weights);
  std::span<const Scalar> corrections() const;
  // Did the last `project` find a point that satisfies the equations to rounding, and the matrix of that point?
  bool begins_at_rounding() const;
  int stages_up_to_zero() const;  // d_max + 1

  // Stages 1 to last_stage, after project() of the same series. Coefficients that are not finite appear in the result.
  void expand(Series<Scalar>& series);

  const ExpansionCounts& counts() const;

  // Archives the last projection, which may be expanded, with the matrices; reads into one for the same equations and
  // stages.
  void archive(Archive& archive);
  // The same if it will project before it expands: only pivots.
  void archive_pivots(Archive& archive);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace driftless::taylor
