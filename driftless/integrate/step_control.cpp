#include "driftless/integrate/step_control.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {
constexpr double safety = 0.9;
constexpr double smallest_error = 1e-4;
}  // namespace

double StepControl::exponent() const { return 1.0 / order_ - 0.75 * limits_.beta; }

double StepControl::accepted(double h, double error) {
  const double factor = safety * std::pow(error_before_, limits_.beta) / std::pow(error, exponent());
  error_before_ = std::max(error, smallest_error);
  const double growth = after_rejection_ ? 1.0 : limits_.strongest_growth;
  after_rejection_ = false;
  return h * std::clamp(factor, limits_.strongest_cut, growth);
}

double StepControl::rejected(double h, double error) {
  after_rejection_ = true;
  return h * std::max(limits_.strongest_cut, safety / std::pow(error, exponent()));
}

}  // namespace driftless
