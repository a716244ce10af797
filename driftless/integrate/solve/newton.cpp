#include "driftless/integrate/solve/newton.hpp"

#include "driftless/integrate/system/norms.hpp"
#include "driftless/newton/rounding.hpp"

namespace driftless {
namespace {

constexpr int most_iterations = 25;
constexpr double matrix_serves = 1e-4;  // after a correction below this

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

newton::End Newton::factorize(std::span<const double> x) {
  ++counts_.jacobian_evaluations;
  if (!equations_.matrix(x, matrix_.values())) return newton::End::Undefined;
  ++counts_.factorizations;
  if (!matrix_.factorize()) return newton::End::Singular;
  stale_ = false;
  return newton::End::Converged;
}

newton::Correction Newton::correct(std::span<double> x, std::span<const double> weights) {
  ++counts_.residual_evaluations;
  if (!equations_.residual(x, delta_)) return newton::End::Undefined;
  matrix_.solve(delta_);
  ++counts_.newton_iterations;
  RelativeChange change;
  for (std::size_t i = 0; i < delta_.size(); ++i) {
    x[i] -= delta_[i];
    change.add(delta_[i], x[i], weights[i]);
  }
  return change.largest();
}

newton::Report Newton::solve_exactly(std::span<double> x, std::span<const double> weights) {
  newton::ToRounding test(newton::in_a_step);
  const auto correct_with_matrix = [&]() -> newton::Correction {
    if (test.last() > matrix_serves || stale_ || equations_.limit_depends_on_matrix())
      if (const newton::End end = factorize(x); end != newton::End::Converged) return end;
    return correct(x, weights);
  };
  return newton::iterate(most_iterations, correct_with_matrix, test);
}

void Newton::add_to(Statistics& statistics) const {
  statistics += counts_;
  statistics.largest_condition = matrix_.largest_condition();
}

}  // namespace driftless
