#include "driftless/integrate/steppers/radau/radau_error.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/integrate/system/norms.hpp"

namespace driftless {

RadauError::RadauError(Problem& problem, StageSolver& solver)
    : problem_(problem), solver_(solver), y_(problem.size()), slope_(problem.size()), error_(problem.size()) {}

double RadauError::operator()(const Step& step) {
  const std::size_t n = y_.size();
  std::ranges::copy(step.y, y_.begin());
  std::ranges::fill(slope_, 0.0);
  for (int i = 0; i < step.formula.size(); ++i) {
    const double weight = -step.formula.of_error[i] / step.h;
    for (std::size_t k = 0; k < n; ++k) slope_[k] += weight * step.z[i * n + k];
  }
  double error = at(step.t, y_, step);
  if (error >= 1.0 && step.is_first_or_repeated) {
    for (std::size_t k = 0; k < n; ++k) y_[k] = step.y[k] + error_[k];
    error = std::min(error, at(step.t, y_, step));
  }
  if (error < 1.0 && step.may_look_between) error = std::max(error, between(step));
  return std::max(error, 1e-10);
}

// The defect of the polynomial between the stages. The estimate at the start is damped in stiff components and does not
// see constraints.
double RadauError::between(const Step& step) {
  const std::size_t n = y_.size();
  const BetweenNodes& between = step.formula.between;
  std::ranges::copy(step.y, y_.begin());
  std::ranges::fill(slope_, 0.0);
  for (int i = 0; i < step.formula.size(); ++i) {
    const double value = between.value[i], slope = between.slope[i] / step.h;
    for (std::size_t k = 0; k < n; ++k) {
      y_[k] += value * step.z[i * n + k];
      slope_[k] += slope * step.z[i * n + k];
    }
  }
  return at(step.t + between.at * step.h, y_, step);
}

double RadauError::at(double t, const std::vector<double>& y, const Step& step) {
  ++evaluations_;
  if (!problem_.residual(t, y, slope_, error_)) return HUGE_VAL;
  for (double& value : error_) value = -value;
  solver_.solve_real(error_);
  return root_mean_square(error_.size(), [&](std::size_t k) { return error_[k] * step.weights[k]; });
}

}  // namespace driftless
