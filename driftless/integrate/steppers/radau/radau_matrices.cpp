#include "driftless/integrate/steppers/radau/radau_matrices.hpp"

namespace driftless {
namespace {

constexpr double trusted_ahead = 2.5;  // extrapolation of the polynomial for a Jacobian, in units of the last step

}  // namespace

RadauMatrices::RadauMatrices(Problem& problem, StageSolver& solver)
    : problem_(problem),
      solver_(solver),
      guard_(problem.system().guard()),
      middle_y_(problem.size()),
      middle_yp_(problem.size()) {}

void RadauMatrices::forget() {
  jacobian_ = Jacobian::Missing;
  factorized_step_ = 0.0;
}

void RadauMatrices::step_has_failed() {
  if (jacobian_ != Jacobian::Here) jacobian_ = Jacobian::Missing;
}

RadauMatrices::Made RadauMatrices::prepare(const Step& step, Counts& counts) {
  if (jacobian_ == Jacobian::Missing && !linearize(step, counts)) return Made::Undefined;
  if (factorized_step_ == step.h) return Made::Yes;
  ++counts.factorizations;
  factorized_step_ = 0.0;
  if (!solver_.factorize(step.formula.transformation, step.h)) return Made::Singular;
  factorized_step_ = step.h;
  return Made::Yes;
}

// Evaluates the Jacobian in the middle of the step, as predicted by the polynomial, since no stage is far from there;
// or at its beginning if the polynomial is unusable.
bool RadauMatrices::linearize(const Step& step, Counts& counts) {
  factorized_step_ = 0.0;
  if (step.last && step.failures < 2 && step.h < trusted_ahead * step.last_step) {
    const double middle = step.t + 0.5 * step.h;
    step.last->polynomial.extrapolate(middle, step.from_start, middle_y_);
    step.last->polynomial.slope(middle, middle_yp_);
    ++counts.jacobian_evaluations;
    jacobian_ = Jacobian::Ahead;
    if (solver_.linearize(middle, middle_y_, middle_yp_)) return true;
  }
  ++counts.jacobian_evaluations;
  jacobian_ = Jacobian::Here;
  if (!guard_ || step.failures == 0) return solver_.linearize(step.t, step.y, step.yp);
  guard_->place({step.t, step.y, step.yp}, 1.0 / step.h);  // functions that are switched off keep a slope
  problem_.system().use_guard(true);
  const bool exists = solver_.linearize(step.t, step.y, step.yp);
  problem_.system().use_guard(false);
  return exists;
}

}  // namespace driftless
