#include "driftless/integrate/steppers/bdf/bdf_weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/integrate/system/norms.hpp"

namespace driftless {
namespace {

constexpr double sharpest_algebraic = 1e-10;
constexpr double loosest_multiplier =
    1e-3;  // relative: a loose multiplier harms no other unknown, but is in the output
constexpr double multiple_of_rounding = 4.0;

// The rounding error of the constraints, amplified by division by powers of h: in a tiny first step, multipliers of
// index 3 have no correct digit.
double rounding_of(int index, double h) {
  return index <= 1 || !(h > 0.0) ? 0.0 : 4.0 * std::numeric_limits<double>::epsilon() * std::pow(h, 1 - index);
}

double mean_root(std::span<const double> weights, std::span<const double> x) {
  return root_mean_square(weights.size(), [&](std::size_t i) { return weights[i] * x[i]; });
}

}  // namespace

BdfWeights::BdfWeights(Problem& problem, double tolerance, bool is_fixed)
    : problem_(problem),
      tolerance_(safety * tolerance),
      is_fixed_(is_fixed),
      relative_(problem.size()),
      of_iteration_(problem.size()),
      of_error_test_(problem.size()) {
  for (const Slot& slot : problem.reduced().slots) nominal_.push_back(slot.nominal);
}

void BdfWeights::states_changed() {
  grading_ = grade_again(problem_, grading_);
  is_in_error_test_ = in_error_test(problem_, grading_);
  relative_step_ = 0.0;
}

// Components outside the error test enter Newton's iteration only; highest derivatives and multipliers cannot be solved
// more accurately than rounding allows.
void BdfWeights::set_relative(double h) {
  for (std::size_t i = 0; i < relative_.size(); ++i) {
    const double relative = std::max(tolerance_, is_in_error_test_[i] || is_fixed_ ? 0.0 : sharpest_algebraic);
    const double allowance = is_fixed_ ? 1.0 : newton_allowance(grading_.index[i], h);
    const double looser = std::min(relative * allowance, loosest_multiplier);
    relative_[i] = std::max({relative, looser, rounding_of(grading_.index[i], h)});
    if (const Slot& slot = problem_.reduced().slots[i]; slot.tested) relative_[i] = tolerance_ * slot.allowance;
  }
  relative_step_ = h;
}

void BdfWeights::prepare(double h, std::span<const double> y) {
  if (h != relative_step_ || h == 0.0) set_relative(h);
  for (std::size_t i = 0; i < of_iteration_.size(); ++i)
    of_iteration_[i] = 1.0 / (relative_[i] * (std::abs(y[i]) + nominal_[i]));
  for (std::size_t i = 0; i < of_iteration_.size(); ++i)
    of_error_test_[i] = is_in_error_test_[i] ? of_iteration_[i] : 0.0;
}

double BdfWeights::norm(std::span<const double> x) const { return mean_root(of_iteration_, x); }

double BdfWeights::norm_in_error_test(std::span<const double> x) const { return mean_root(of_error_test_, x); }

double BdfWeights::rounding_of_values() const {
  return multiple_of_rounding * std::numeric_limits<double>::epsilon() / tolerance_;
}

}  // namespace driftless
