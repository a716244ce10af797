#include "driftless/initialize/contradiction.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/interval.hpp"
#include "driftless/linear/graded_elimination.hpp"
#include "driftless/linear/least_change.hpp"

namespace driftless {
namespace {

constexpr double more_than_rounding = 1e-14;  // of one operation
constexpr double inexact_decimals = 1e-9;     // possible error of numbers written as rounded decimals

// Unknowns that a fixed start sets.
std::vector<Interval> fixed_values(const Reduced& reduced, const InitialProblem& problem) {
  std::vector<Interval> values(problem.unknowns.size());
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    const InitialRow& row = problem.rows[i];
    if (row.kind != InitialRow::Kind::Fixed || problem.gradients[i].size() != 1) continue;
    const int unknown = problem.gradients[i][0].first;
    if (problem.unknowns[unknown].quantity != Quantity{VarId{row.source}, 0}) continue;
    const double value = reduced.model->variables[row.source].start.value_or(0.0);
    values[unknown] = {value, value};
  }
  return values;
}

bool excludes_zero(const Reduced& reduced, const InitialProblem& problem, std::size_t row,
                   const std::vector<Interval>& values, double t) {
  const auto of_leaf = [&](const Node& node) -> Interval {
    if (node.op == Op::Time) return {t, t};
    if (node.op == Op::Parameter)
      return {reduced.model->parameters[node.a].value, reduced.model->parameters[node.a].value};
    for (const auto& [col, derivative] : problem.gradients[row]) {
      const Quantity q = problem.unknowns[col].quantity;
      if (index(q.variable) == static_cast<int>(node.a) && q.order == static_cast<int>(node.b)) return values[col];
    }
    return {};
  };
  const Interval range = bounds_of(*reduced.model->pool, problem.rows[row].residual, of_leaf, more_than_rounding);
  return range.low > inexact_decimals || range.high < -inexact_decimals;
}

// The least-squares residual of the rows, whose right-hand sides are column n, relative to their terms.
double missed_at_best(const std::vector<std::vector<std::pair<int, double>>>& rows, int n) {
  std::vector<Eigen::Triplet<double>> entries;
  const auto m = static_cast<Eigen::Index>(rows.size());
  Eigen::VectorXd right = Eigen::VectorXd::Zero(m);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double largest = 0.0;
    for (const auto& [col, value] : rows[i]) largest = std::max(largest, std::abs(value));
    for (const auto& [col, value] : rows[i]) {
      if (col == n)
        right[static_cast<Eigen::Index>(i)] = -value / largest;
      else if (value != 0.0)
        entries.emplace_back(static_cast<int>(i), col, value / largest);
    }
  }
  Eigen::SparseMatrix<double> matrix(m, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::VectorXd best = linear::LeastChange(matrix).solve(right);
  const Eigen::SparseMatrix<double> sizes = matrix.cwiseAbs();
  const Eigen::VectorXd missed = (matrix * best - right).cwiseAbs(), terms = sizes * best.cwiseAbs() + right.cwiseAbs();
  double most = 0.0;
  for (Eigen::Index i = 0; i < m; ++i)
    if (terms[i] > 0.0) most = std::max(most, missed[i] / terms[i]);
  return most;
}

// The right-hand side is one more column, which becomes a pivot only if the rest of its row is zero.
bool affine_rows_contradict(const Reduced& reduced, const InitialProblem& problem, double t) {
  const Pool& pool = *reduced.model->pool;
  std::vector<int> affine;
  for (std::size_t i = 0; i < problem.rows.size(); ++i)
    if (std::ranges::all_of(problem.gradients[i],
                            [&](const auto& entry) { return variables_of(pool, entry.second).empty(); }))
      affine.push_back(static_cast<int>(i));
  InitialRows rows(*reduced.model, problem, t, {affine});
  const int n = static_cast<int>(problem.unknowns.size());
  rows.set_values(std::vector<double>(problem.unknowns.size(), 0.0));
  std::vector<std::vector<std::pair<int, double>>> matrix(problem.rows.size());
  for (const InitialRows::Entry& entry : rows.jacobian(0)) {
    if (!std::isfinite(entry.value)) return false;
    matrix[entry.row].emplace_back(entry.col, entry.value);
  }
  const std::span<const double> right = rows.residual(0);
  for (std::size_t k = 0; k < affine.size(); ++k) {
    if (!std::isfinite(right[k])) return false;
    matrix[affine[k]].emplace_back(n, right[k]);
  }
  std::vector<int> grade(n + 1, 0);
  grade[n] = 1;
  const auto result = linear::eliminate_by_grade(matrix, grade);
  return std::ranges::any_of(result.pivots, [&](const auto& pivot) { return pivot.col == n; }) &&
         missed_at_best(matrix, n) > inexact_decimals;
}

}  // namespace

bool is_contradiction(const Reduced& reduced, const InitialProblem& problem, double t) {
  const std::vector<Interval> values = fixed_values(reduced, problem);
  for (std::size_t row = 0; row < problem.rows.size(); ++row)
    if (excludes_zero(reduced, problem, row, values, t)) return true;
  return affine_rows_contradict(reduced, problem, t);
}

}  // namespace driftless
