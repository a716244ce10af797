// The matrices of Newton's iteration of a Radau method (radau.hpp): they keep the point of their Jacobian and the step
// size of their factors. Both are reused as long as possible: a Jacobian while the iteration converges quickly, the
// factors as long as the step size and the number of stages stay.
#pragma once

#include <span>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/steppers/radau/radau_formula.hpp"
#include "driftless/integrate/steppers/radau/stage_solver.hpp"
#include "driftless/integrate/system/guard.hpp"

namespace driftless {

class RadauMatrices {
 public:
  RadauMatrices(Problem& problem, StageSolver& solver);

  struct Step {
    double t, h;
    std::span<const double> y, yp;
    const RadauFormula& formula;
    const RadauFormula* last;  // of the last step, with its polynomial; null: there is none
    double last_step;
    int failures;                        // of this step so far
    std::span<const double> from_start;  // as for StagePolynomial::extrapolate
  };
  enum class Made { Yes, Undefined, Singular };
  Made prepare(const Step& step, Counts& counts);

  void forget();  // to be called when the states or the point have changed
  void forget_factors() { factorized_step_ = 0.0; }
  void step_has_failed();
  void step_has_succeeded(bool keeps_jacobian) { jacobian_ = keeps_jacobian ? Jacobian::Old : Jacobian::Missing; }
  bool keep_jacobian() const { return jacobian_ == Jacobian::Old; }

  void archive(Archive& archive) { archive(jacobian_, factorized_step_); }

 private:
  bool linearize(const Step& step, Counts& counts);

  Problem& problem_;
  StageSolver& solver_;
  Guard* guard_;  // null: no function is steep
  enum class Jacobian { Missing, Old, Ahead, Here } jacobian_ = Jacobian::Missing;
  double factorized_step_ = 0.0;  // the step size the factors belong to; 0: there are none
  std::vector<double> middle_y_, middle_yp_;
};

}  // namespace driftless
