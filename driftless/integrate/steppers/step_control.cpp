#include "driftless/integrate/steppers/step_control.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {
constexpr double smallest_error = 1e-4;
constexpr double smallest_in_prediction = 1e-2;
}  // namespace

double StepControl::exponent() const { return 1.0 / order_ - 0.75 * limits_.beta; }

double StepControl::accepted(double h, double error) {
  double factor = limits_.safety * std::pow(error_before_, limits_.beta) / std::pow(error, exponent());
  if (limits_.predicts && step_before_ > 0.0) {
    const double ratio = std::max(error_before_, smallest_in_prediction) / (error * error);
    factor = std::min(factor, limits_.safety * h / step_before_ * std::pow(ratio, 1.0 / order_));
  }
  double growth = step_before_ > 0.0 ? limits_.strongest_growth : limits_.growth_of_first;
  if (after_rejection_) growth = 1.0;
  after_rejection_ = false;
  step_before_ = h;
  error_before_ = std::max(error, smallest_error);
  return h * std::clamp(factor, limits_.strongest_cut, growth);
}

double StepControl::rejected(double h, double error) {
  after_rejection_ = true;
  return h * std::max(limits_.strongest_cut, limits_.safety / std::pow(error, exponent()));
}

}  // namespace driftless
