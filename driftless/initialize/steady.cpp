#include "driftless/initialize/steady.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/initialize/findings.hpp"
#include "driftless/initialize/contradiction.hpp"
#include "driftless/initialize/start.hpp"

namespace driftless {
namespace {

InitialUnknown unknown_of(const Reduced& reduced, int variable) {
  const Variable& given = reduced.model->variables[variable];
  const bool differentiated = reduced.offsets.d[variable] > 0;
  InitialUnknown unknown;
  unknown.quantity = {VarId{variable}, 0};
  unknown.given = given.start.has_value();
  unknown.nominal = unknown.reach = given.nominal;
  unknown.min = given.min;
  unknown.max = given.max;
  unknown.guess = given.start.value_or(std::clamp(0.0, given.min, given.max));
  unknown.grade =
      (differentiated ? start_grade::candidate : start_grade::follows) + (unknown.given ? start_grade::with_start : 0);
  return unknown;
}

InitialProblem steady_problem(const Reduced& reduced) {
  const Model& model = *reduced.model;
  Pool& pool = *model.pool;
  InitialProblem problem;
  problem.pool = model.pool;
  for (int j = 0; j < static_cast<int>(model.variables.size()); ++j) problem.unknowns.push_back(unknown_of(reduced, j));
  Substitution at_rest(pool, [&](NodeId leaf) -> std::optional<NodeId> {
    if (pool[leaf].op != Op::Variable || pool[leaf].b == 0) return {};
    return pool.constant(0.0);
  });
  for (int i = 0; i < static_cast<int>(model.equations.size()); ++i) {
    const NodeId residual = at_rest(model.equations[i].residual);
    problem.rows.push_back({InitialRow::Kind::Equation, residual, i, 0});
    auto& entries = problem.gradients.emplace_back();
    for (const Partial& p : gradient(pool, residual))
      entries.emplace_back(static_cast<int>(pool[p.leaf].a), p.derivative);
  }
  return problem;
}

bool contains_time(const Model& model) {
  return std::ranges::any_of(model.equations, [&](const Equation& equation) {
    return any_node(*model.pool, equation.residual, [&](NodeId node) { return (*model.pool)[node].op == Op::Time; });
  });
}

}  // namespace

SteadyPoint find_steady_point(const Reduced& reduced, double t) {
  const InitialProblem problem = steady_problem(reduced);
  const FoundStart found = find_start(*reduced.model, problem, t);
  SteadyPoint steady;
  steady.t = t;
  steady.found = found.solved;
  steady.values = found.values;
  steady.trials = found.trials;
  steady.depends_on_time = contains_time(*reduced.model);
  steady.violations = violations_of(reduced, problem, found, t, steady.largest_residual);
  if (found.solved) {
    steady.violations.clear();
    steady.branches = other_branches(reduced, problem, found, t);
    for (std::size_t k = 0; k < problem.unknowns.size(); ++k)
      if (found.plan->row_of[k] < 0) steady.open.push_back(reduced.name(problem.unknowns[k].quantity));
  } else {
    steady.proven_absent = found.evaluated && is_contradiction(reduced, problem, t);
  }
  return steady;
}

}  // namespace driftless
