#include "driftless/initialize/contradiction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "driftless/expr/calculus.hpp"
#include "driftless/linear/graded_elimination.hpp"

namespace driftless {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Interval {
  double low = -infinity, high = infinity;
  bool is_point() const { return low == high; }
};

// Wider by more than any rounding of one operation.
Interval widened(double low, double high) {
  if (!(low <= high)) return {};  // also where a bound has no value
  const double margin = 1e-14;
  return {low - margin * std::abs(low) - std::numeric_limits<double>::min(),
          high + margin * std::abs(high) + std::numeric_limits<double>::min()};
}

Interval hull(std::initializer_list<double> values) {
  for (const double v : values)
    if (std::isnan(v)) return {};
  return widened(std::min(values), std::max(values));
}

Interval product(Interval a, Interval b, bool same) {
  if (same) {
    const double low = a.low <= 0.0 && a.high >= 0.0 ? 0.0 : std::min(a.low * a.low, a.high * a.high);
    return {low == 0.0 ? 0.0 : widened(low, low).low, widened(0.0, std::max(a.low * a.low, a.high * a.high)).high};
  }
  const auto times = [](double u, double v) { return u == 0.0 || v == 0.0 ? 0.0 : u * v; };
  return hull({times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)});
}

Interval power(const Pool& pool, NodeId exponent, Interval a) {
  if (!pool.is_constant(exponent)) return {};
  const double p = pool.constant_value(exponent);
  if (p == 2.0) return product(a, a, true);
  if (p > 0.0 && p == std::floor(p) && p < 64.0) {
    if (std::fmod(p, 2.0) != 0.0) return hull({std::pow(a.low, p), std::pow(a.high, p)});
    const double smallest = a.low <= 0.0 && a.high >= 0.0 ? 0.0 : std::min(std::abs(a.low), std::abs(a.high));
    const double largest = std::max(std::abs(a.low), std::abs(a.high));
    return {smallest == 0.0 ? 0.0 : widened(std::pow(smallest, p), std::pow(smallest, p)).low,
            widened(0.0, std::pow(largest, p)).high};
  }
  return {};
}

// Where nothing better is known the range is everything.
Interval range_of(const Pool& pool, const Node& node, Interval a, Interval b) {
  switch (node.op) {
    case Op::Neg: return {-a.high, -a.low};
    case Op::Add: return hull({a.low + b.low, a.high + b.high});
    case Op::Sub: return hull({a.low - b.high, a.high - b.low});
    case Op::Mul: return product(a, b, node.operand(0) == node.operand(1));
    case Op::Div:
      return b.low <= 0.0 && b.high >= 0.0 ? Interval{} : product(a, hull({1.0 / b.low, 1.0 / b.high}), false);
    case Op::Pow: return power(pool, node.operand(1), a);
    case Op::Exp:
      return {std::max(0.0, widened(std::exp(a.low), std::exp(a.low)).low), hull({0.0, std::exp(a.high)}).high};
    case Op::Sqrt: return {0.0, a.high >= 0.0 ? hull({0.0, std::sqrt(a.high)}).high : infinity};
    case Op::Abs: return {0.0, hull({0.0, std::abs(a.low), std::abs(a.high)}).high};
    case Op::Sin:
    case Op::Cos: return {-1.0, 1.0};
    case Op::Tanh: return hull({std::tanh(a.low), std::tanh(a.high)});
    default: return {};
  }
}

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
  const Pool& pool = *reduced.model->pool;
  NodeMap<Interval> ranges;
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
  for (const NodeId id : nodes_of(pool, problem.rows[row].residual)) {
    const Node& node = pool[id];
    if (node.op == Op::Constant)
      ranges[id] = {pool.constant_value(id), pool.constant_value(id)};
    else if (arity(node.op) == 0)
      ranges[id] = node.op == Op::Call || node.op == Op::Local ? Interval{} : of_leaf(node);
    else
      ranges[id] = range_of(pool, node, ranges.at(node.operand(0)),
                            arity(node.op) > 1 ? ranges.at(node.operand(1)) : Interval{});
  }
  const Interval range = ranges.at(problem.rows[row].residual);
  const double least = 1e-9;  // what inexact decimals in the text may leave
  return range.low > least || range.high < -least;
}

// The right side is one more column, which is a pivot only if nothing else is left of a row.
bool affine_rows_contradict(const Reduced& reduced, const InitialProblem& problem, double t) {
  const Pool& pool = *reduced.model->pool;
  std::vector<int> affine;
  for (std::size_t i = 0; i < problem.rows.size(); ++i)
    if (std::ranges::all_of(problem.gradients[i],
                            [&](const auto& entry) { return variables_of(pool, entry.second).empty(); }))
      affine.push_back(static_cast<int>(i));
  InitialRows rows(reduced, problem, t, {affine});
  const int n = static_cast<int>(problem.unknowns.size());
  rows.set_values(std::vector<double>(problem.unknowns.size(), 0.0));
  std::vector<std::vector<std::pair<int, double>>> matrix(problem.rows.size());
  for (const InitialRows::Entry& entry : rows.jacobian(0)) {
    if (!std::isfinite(entry.value)) return false;
    matrix[entry.row].emplace_back(entry.col, entry.value);
  }
  const std::vector<double>& right = rows.residual(0);
  for (std::size_t k = 0; k < affine.size(); ++k) {
    if (!std::isfinite(right[k])) return false;
    matrix[affine[k]].emplace_back(n, right[k]);
  }
  std::vector<int> grade(n + 1, 0);
  grade[n] = 1;
  const auto result = linear::eliminate_by_grade(matrix, grade);
  return std::ranges::any_of(result.pivots, [&](const auto& pivot) { return pivot.col == n; });
}

}  // namespace

bool is_contradiction(const Reduced& reduced, const InitialProblem& problem, double t) {
  const std::vector<Interval> values = fixed_values(reduced, problem);
  for (std::size_t row = 0; row < problem.rows.size(); ++row)
    if (excludes_zero(reduced, problem, row, values, t)) return true;
  return affine_rows_contradict(reduced, problem, t);
}

}  // namespace driftless
