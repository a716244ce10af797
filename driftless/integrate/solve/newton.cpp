#include "driftless/integrate/solve/newton.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/integrate/system/norms.hpp"

namespace driftless {
namespace {

constexpr int most_exact_iterations = 25;
constexpr double rounding = 4e-15;   // a correction of this size changes nothing
constexpr double stalled_at = 1e-7;  // a correction below this that no longer shrinks is rounding

}  // namespace

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
  ++counts_.jacobian_evaluations;
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
  ++counts_.residual_evaluations;
  if (!equations_.residual(x, delta_)) {
    report.end = NewtonReport::End::Undefined;
    return false;
  }
  matrix_.solve(delta_);
  ++counts_.newton_iterations;
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
    RelativeChange change;
    for (std::size_t i = 0; i < delta_.size(); ++i) {
      x[i] -= delta_[i];
      change.add(delta_[i], x[i], weights[i]);
    }
    const double size = change.largest();
    if (!std::isfinite(size)) break;
    if (size <= rounding || (size <= stalled_at && size >= 0.5 * before)) return report;
    before = size;
  }
  report.end = NewtonReport::End::Diverged;
  return report;
}

void Newton::add_to(Statistics& statistics) const {
  statistics += counts_;
  statistics.largest_condition = matrix_.largest_condition();
}

}  // namespace driftless
