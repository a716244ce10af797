#include "driftless/integrate/steppers/runge_kutta/stage_equations.hpp"

#include <algorithm>

namespace driftless {

StageEquations::StageEquations(Problem& problem, const Tableau& tableau)
    : problem_(problem), stages_(problem, tableau), stage_(problem.size()), slope_(problem.size()) {
  states_changed();
}

void StageEquations::states_changed() {
  const linear::Pattern& block = problem_.pattern();
  const int m = stages_.count(), n = problem_.size();
  std::vector<linear::Coordinate> coordinates;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j)
      for (int column = 0; column < n; ++column)
        for (int k = block.starts[column]; k < block.starts[column + 1]; ++k)
          if (i == j || problem_.rate_enters()[k]) coordinates.push_back({i * n + block.rows[k], j * n + column});
  assembly_ = linear::assemble(m * n, coordinates);
  grading_ = grade(problem_);
  by_value_.resize(block.rows.size());
  by_rate_.resize(block.rows.size());
}

void StageEquations::scales(double h, std::span<double> rows, std::span<double> columns) const {
  const int n = problem_.size();
  for (int i = 0; i < stages_.count(); ++i) grading_.scales(h, rows.subspan(i * n, n), columns.subspan(i * n, n));
}

// Block (i, j) is delta_ij ∂F/∂y + (w_ij / h) ∂F/∂y'.
bool StageEquations::matrix(std::span<const double> z, std::span<double> values) {
  std::ranges::fill(values, 0.0);
  const int m = stages_.count();
  const double h = stages_.step();
  std::size_t position = 0;
  for (int i = 0; i < m; ++i) {
    stages_.value(z, i, stage_);
    stages_.slope(z, i, slope_);
    if (!problem_.derivatives(stages_.begin() + stages_.node(i) * h, stage_, slope_, by_value_, by_rate_)) return false;
    for (int j = 0; j < m; ++j) {
      const double weight = stages_.inverse()[i * m + j] / h;
      for (std::size_t k = 0; k < by_value_.size(); ++k) {
        if (i != j && !problem_.rate_enters()[k]) continue;
        const double of_rate = weight * by_rate_[k];
        values[assembly_.position[position++]] += i == j ? by_value_[k] + of_rate : of_rate;
      }
    }
  }
  return true;
}

}  // namespace driftless
