#include "driftless/reduce/repetition.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/reduce/list_names.hpp"
#include "driftless/reduce/vanishing_combination.hpp"

namespace driftless {
namespace {

constexpr std::size_t most_equations = 1000;
constexpr double rounding = 1e-9;  // of the terms

structure::Offsets orders_in(const Model& model, const std::vector<EqnId>& equations) {
  structure::Offsets offsets;
  offsets.c.assign(model.equations.size(), 0);
  offsets.d.assign(model.variables.size(), 0);
  for (const EqnId e : equations)
    for (const NodeId leaf : variables_of(*model.pool, model[e].residual)) {
      const Node& node = (*model.pool)[leaf];
      offsets.d[node.a] = std::max(offsets.d[node.a], static_cast<int>(node.b));
    }
  return offsets;
}

// By all quantities in them, and by the time.
std::pair<ExpressionRows, int> slopes_of(const Model& model, const std::vector<EqnId>& equations) {
  Pool& pool = *model.pool;
  std::map<NodeId, int> column;  // by handle: deterministic
  ExpressionRows rows;
  for (const EqnId e : equations) {
    std::vector<ExpressionEntry>& row = rows.emplace_back();
    const auto add = [&](NodeId leaf, NodeId slope) {
      row.push_back({column.emplace(leaf, static_cast<int>(column.size())).first->second, slope});
    };
    for (const Partial& p : gradient(pool, model[e].residual)) add(p.leaf, p.derivative);
    const NodeId by_time = partial(pool, model[e].residual, pool.time());
    if (!pool.is_constant(by_time, 0.0)) add(pool.time(), by_time);
  }
  return {std::move(rows), static_cast<int>(column.size())};
}

struct Sum {
  double value = 0.0, terms = 0.0;
};

}  // namespace

std::optional<std::string> repetition_in_words(const Model& model, std::vector<EqnId> equations) {
  if (equations.size() > most_equations) return {};
  std::ranges::sort(equations);
  Pool& pool = *model.pool;
  const structure::Offsets offsets = orders_in(model, equations);
  std::vector<GenericPoint> points;
  for (unsigned seed = 1; seed <= 3; ++seed) points.emplace_back(model, offsets, seed);
  const auto [rows, columns] = slopes_of(model, equations);
  const auto found = find_vanishing_combination(pool, rows, columns, points);
  if (!found || found->rows.size() < 2) return {};
  const auto sum_at = [&](const GenericPoint& point) {
    Sum sum;
    for (std::size_t k = 0; k < found->rows.size(); ++k) {
      const NodeId residual = model[equations[found->rows[k]]].residual;
      const double term =
          evaluate(pool, found->factors[k], std::cref(point)) * evaluate(pool, residual, std::cref(point));
      sum.value += term, sum.terms += std::abs(term);
    }
    return sum;
  };
  const bool is_constant =
      std::ranges::all_of(found->factors, [&](NodeId factor) { return variables_of(pool, factor).empty(); });
  bool follows = true;
  for (const GenericPoint& point : points) {
    const Sum sum = sum_at(point);
    if (!std::isfinite(sum.value)) return {};
    follows = follows && std::abs(sum.value) <= rounding * sum.terms;
  }
  if (!follows && !is_constant) return {};
  std::vector<std::string> others;
  for (const int row : found->rows) others.push_back(model[equations[row]].label);
  if (!follows)
    return fmt::format("{} contradict each other: a combination of them, in which all unknowns cancel, says 0 = {:.6g}",
                       list_names(std::move(others)), sum_at(points.front()).value);
  others.pop_back();
  const bool one = others.size() == 1;
  const Equation& last = model[equations[found->rows.back()]];
  return fmt::format("{}: {} follows from {}: remove it, or {}", last.label, last.text, list_names(std::move(others)),
                     one ? "the other one" : "one of these");
}

}  // namespace driftless
