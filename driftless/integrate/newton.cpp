#include "driftless/integrate/newton.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

constexpr int most_exact_iterations = 25;
constexpr double rounding = 4e-15;   // a correction of this size changes nothing
constexpr double stalled_at = 1e-7;  // a correction below this that no longer shrinks is rounding

constexpr int most_iterations = 10;
constexpr double accept_first_below = 3e-8;
constexpr double accept_later_below = 3.3e-5;
constexpr double worst_rate = 0.9;

double root_mean_square(std::span<const double> delta, std::span<const double> weights) {
  double sum = 0.0;
  for (std::size_t i = 0; i < delta.size(); ++i) sum += (delta[i] / weights[i]) * (delta[i] / weights[i]);
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(delta.size(), 1)));
}

}  // namespace

StepReport explain(const NewtonReport& report, const char* if_singular) {
  switch (report.end) {
    case NewtonReport::End::Undefined: return {Outcome::EvaluationFailed, "an expression has no value"};
    case NewtonReport::End::Singular: return {Outcome::SingularIteration, if_singular};
    default: return {Outcome::StepTooSmall, "Newton's iteration does not converge with this constant step size"};
  }
}

Newton::Newton(Equations& equations) : equations_(equations) { pattern_changed(); }

void Newton::pattern_changed() {
  const linear::Pattern& pattern = equations_.pattern();
  matrix_.reset(pattern, equations_.factorization());
  delta_.assign(pattern.size, 0.0);
  stale_ = true;
}

void Newton::scale(std::span<const double> rows, std::span<const double> columns) {
  matrix_.scale(rows, columns);
  stale_ = true;
}

bool Newton::factorize(std::span<const double> x, NewtonReport& report) {
  ++counts_.matrices;
  if (!equations_.matrix(x, matrix_.values())) {
    report.end = NewtonReport::End::Undefined;
    return false;
  }
  ++counts_.factorizations;
  if (!matrix_.factorize()) {
    report.end = NewtonReport::End::Singular;
    return false;
  }
  stale_ = false;
  return true;
}

// delta_ becomes what has to be subtracted from x.
bool Newton::correction(std::span<const double> x, NewtonReport& report) {
  ++counts_.residuals;
  if (!equations_.residual(x, delta_)) {
    report.end = NewtonReport::End::Undefined;
    return false;
  }
  matrix_.solve(delta_);
  ++counts_.iterations;
  ++report.iterations;
  return true;
}

NewtonReport Newton::solve_exactly(std::span<double> x, std::span<const double> weights) {
  NewtonReport report;
  double before = HUGE_VAL;
  for (int m = 0; m < most_exact_iterations; ++m) {
    if (before > 1e-4 || stale_ || equations_.limit_depends_on_matrix()) {  // else the last one is good enough
      if (!factorize(x, report)) return report;
    }
    if (!correction(x, report)) return report;
    double size = 0.0;
    for (std::size_t i = 0; i < delta_.size(); ++i) {
      x[i] -= delta_[i];
      const double part = std::abs(delta_[i]) / (std::abs(x[i]) + weights[i]);
      if (!(part <= size)) size = part;
    }
    if (!std::isfinite(size)) break;
    if (size <= rounding || (size <= stalled_at && size >= 0.5 * before)) return report;
    before = size;
  }
  report.end = NewtonReport::End::Diverged;
  return report;
}

NewtonReport Newton::solve(std::span<double> x, std::span<const double> weights, NewtonTest test, double tolerance) {
  NewtonReport report;
  if (stale_ && !factorize(x, report)) return report;
  double first = 0.0;
  for (int m = 0; m < most_iterations; ++m) {
    if (!correction(x, report)) return report;
    for (std::size_t i = 0; i < delta_.size(); ++i) x[i] -= delta_[i];
    const double norm = root_mean_square(delta_, weights);
    if (m == 0) {
      first = norm;
      if (norm <= accept_first_below || (test == NewtonTest::One && norm <= 0.1 * tolerance)) return report;
      continue;
    }
    if (norm <= accept_later_below * tolerance) return report;
    const double rate = std::pow(norm / first, 1.0 / m);
    if (!(rate <= worst_rate)) break;
    if (rate / (1.0 - rate) * norm <= tolerance) return report;
  }
  report.end = NewtonReport::End::Diverged;
  return report;
}

void Newton::add_to(Statistics& statistics) const {
  statistics.residual_evaluations += counts_.residuals;
  statistics.newton_iterations += counts_.iterations;
  statistics.jacobian_evaluations += counts_.matrices;
  statistics.factorizations += counts_.factorizations;
  statistics.largest_condition = matrix_.largest_condition();
}

}  // namespace driftless
