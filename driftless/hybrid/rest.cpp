#include "driftless/hybrid/rest.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/hybrid/surface.hpp"
#include "driftless/reduce/signature.hpp"
#include "driftless/structure/analysis.hpp"

namespace driftless {
std::variant<RestModel, std::string> rest_model(const Model& model, std::size_t held, std::size_t reinit, bool rises) {
  const Held relation = model.discrete.held[held];
  const Reinit impact = model.discrete.reinits[reinit];
  RestModel rest{model, VarId{static_cast<int>(model.variables.size())}};
  Model& result = rest.model;
  result.pool = growable(model.pool);
  Pool& pool = *result.pool;
  const auto surface = surface_of(pool, relation.expression);
  if (!surface) return fmt::format("{} is no relation between two expressions", relation.text);
  const std::string name = derivative_name(model[impact.variable].name, impact.order);
  const NodeId force = pool.variable(rest.force);
  const NodeId rate = pool.variable(impact.variable, impact.order + 1);
  Substitution pushed(pool, [&](NodeId leaf) -> std::optional<NodeId> {
    if (leaf == rate) return pool.sub(rate, force);
    return {};
  });
  bool is_pushed = false;
  for (Equation& equation : result.equations) {
    const NodeId before = equation.residual;
    equation.residual = pushed(before);
    is_pushed = is_pushed || equation.residual != before;
    if (equation.simplified) equation.simplified = pushed(*equation.simplified);
  }
  if (!is_pushed) return fmt::format("the derivative of {} does not occur in the equations", name);
  Variable variable;
  variable.name = fmt::format("rest({})", relation.text);
  variable.range = relation.range;
  variable.auxiliary = true;
  result.variables.push_back(std::move(variable));
  result.equations.push_back({*surface, fmt::format("rest at {}", relation.text), relation.text, relation.range});
  if (std::holds_alternative<structure::Singular>(structure::analyze(signature_of(result))))
    return fmt::format("{} does not lead to {}", name, relation.text);
  const NodeId end = rises ? pool.binary(Op::Less, force, pool.zero()) : pool.binary(Op::Less, pool.zero(), force);
  rest.ends = add_end(result, end, relation.range);
  return rest;
}

std::vector<std::size_t> reinits_of(const Model& model, std::size_t held) {
  const Pool& pool = *model.pool;
  std::vector<ParamId> follow = {model.discrete.held[held].held};  // it, and discrete variables that depend on it
  const auto depends = [&](NodeId expression) {
    return any_node(pool, expression, [&](NodeId id) {
      return pool[id].op == Op::Parameter &&
             std::ranges::find(follow, ParamId{static_cast<int>(pool[id].a)}) != follow.end();
    });
  };
  for (bool grows = true; grows;) {
    grows = false;
    for (const DiscreteEquation& equation : model.discrete.equations) {
      if (pool[equation.left].op != Op::Parameter || depends(equation.left) || !depends(equation.right)) continue;
      follow.push_back(ParamId{static_cast<int>(pool[equation.left].a)});
      grows = true;
    }
  }
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < model.discrete.reinits.size(); ++k)
    if (depends(model.discrete.reinits[k].condition)) found.push_back(k);
  return found;
}

}  // namespace driftless
