#include "driftless/hybrid/rest.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/hybrid/surface.hpp"
#include "driftless/reduce/signature.hpp"
#include "driftless/structure/analysis.hpp"

namespace driftless {
namespace {

// Relations that become true where the surface gets a slope along an idle coordinate.
std::vector<std::size_t> add_turns(Model& model, std::size_t held, std::span<const RestPush> pushes,
                                   std::span<const Quantity> idle) {
  Pool& pool = *model.pool;
  const auto size = [&](const std::optional<Quantity>& coordinate) {
    const auto slope = coordinate ? slope_of_surface(model, pool, held, *coordinate) : std::nullopt;
    return slope ? pool.unary(Op::Abs, *slope) : pool.zero();
  };
  NodeId others = pool.zero();
  for (const RestPush& push : pushes)
    others = pool.add(others, size(coordinate_of(model, model.discrete.reinits[push.reinit])));
  if (others == pool.zero()) others = pool.one();
  std::vector<std::size_t> turned;
  for (const Quantity& coordinate : idle) {
    const NodeId end = pool.binary(Op::Less, pool.mul(pool.constant(part_of_slope), others), size(coordinate));
    turned.push_back(add_end(model, end, model.discrete.held[held].range));
  }
  return turned;
}

// The parameters on which an expression depends, directly or through discrete equations.
std::set<std::uint32_t> parameters_behind(const Pool& pool, NodeId expression,
                                          const std::map<std::uint32_t, std::vector<NodeId>>& defined) {
  std::set<std::uint32_t> found;
  std::vector<NodeId> ahead = {expression};
  while (!ahead.empty()) {
    const NodeId next = ahead.back();
    ahead.pop_back();
    for (const NodeId id : nodes_of(pool, next)) {
      if (pool[id].op != Op::Parameter || !found.insert(pool[id].a).second) continue;
      if (const auto given = defined.find(pool[id].a); given != defined.end())
        ahead.insert(ahead.end(), given->second.begin(), given->second.end());
    }
  }
  return found;
}

}  // namespace

std::optional<Quantity> coordinate_of(const Model& model, const Reinit& reinit) {
  if (reinit.order > 0) return Quantity{reinit.variable, reinit.order - 1};
  const Pool& pool = *model.pool;
  for (const Equation& equation : model.equations) {
    const Node node = pool[equation.residual];
    if (node.op != Op::Sub) continue;
    for (const int side : {0, 1}) {
      const Node speed = pool[node.operand(side)], rate = pool[node.operand(1 - side)];
      const bool is_speed =
          speed.op == Op::Variable && VarId{static_cast<int>(speed.a)} == reinit.variable && speed.b == 0;
      if (is_speed && rate.op == Op::Variable && rate.b == 1) return Quantity{VarId{static_cast<int>(rate.a)}, 0};
    }
  }
  return {};
}

std::optional<NodeId> slope_of_surface(const Model& model, Pool& pool, std::size_t held, Quantity coordinate) {
  const auto surface = surface_of(pool, model.discrete.held[held].expression);
  if (!surface) return {};
  const NodeId x = pool.variable(coordinate.variable, coordinate.order);
  return partial(pool, with_definitions(model, pool, *surface, {&x, 1}), x);
}

std::variant<RestModel, std::string> rest_model(const Model& model, std::size_t held, std::size_t reinit, bool rises) {
  const RestPush push{reinit, rises ? 1.0 : -1.0, {}};
  return rest_model(model, held, std::span(&push, 1));
}

std::variant<RestModel, std::string> rest_model(const Model& model, std::size_t held, std::span<const RestPush> pushes,
                                                std::span<const Quantity> idle) {
  const Held relation = model.discrete.held[held];
  RestModel rest{model, VarId{static_cast<int>(model.variables.size())}};
  Model& result = rest.model;
  result.pool = growable(model.pool);
  Pool& pool = *result.pool;
  const auto surface = surface_of(pool, relation.expression);
  if (!surface) return fmt::format("{} is no relation between two expressions", relation.text);
  const NodeId force = pool.variable(rest.force);
  const bool is_one = pushes.size() == 1;
  std::vector<std::pair<NodeId, NodeId>> pushed_rates;
  for (const RestPush& push : pushes) {
    const Reinit& impact = model.discrete.reinits[push.reinit];
    const NodeId rate = pool.variable(impact.variable, impact.order + 1);
    NodeId part = is_one ? force : pool.mul(pool.constant(push.weight), force);
    if (push.coordinate) {
      const auto slope = slope_of_surface(result, pool, held, *push.coordinate);
      if (slope) part = pool.mul(part, *slope);
    }
    pushed_rates.emplace_back(rate, pool.sub(rate, part));
  }
  const std::string name = derivative_name(model[model.discrete.reinits[pushes[0].reinit].variable].name,
                                           model.discrete.reinits[pushes[0].reinit].order);
  Substitution pushed(pool, [&](NodeId leaf) -> std::optional<NodeId> {
    for (const auto& [rate, by] : pushed_rates)
      if (leaf == rate) return by;
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
  const bool rises = !is_one || pushes[0].weight > 0.0;
  const NodeId end = rises ? pool.binary(Op::Less, force, pool.zero()) : pool.binary(Op::Less, pool.zero(), force);
  rest.ends = add_end(result, end, relation.range);
  rest.turned = add_turns(result, held, pushes, idle);
  return rest;
}

std::vector<std::vector<std::size_t>> reinits_by_relation(const Model& model) {
  const DiscretePart& part = model.discrete;
  std::map<std::uint32_t, std::vector<NodeId>> defined;  // parameter -> expressions of discrete equations for it
  for (const DiscreteEquation& equation : part.equations)
    if (const Node left = (*model.pool)[equation.left]; left.op == Op::Parameter)
      defined[left.a].push_back(equation.right);
  std::map<std::uint32_t, std::size_t> relations;
  for (std::size_t k = 0; k < part.held.size(); ++k)
    relations.emplace(static_cast<std::uint32_t>(index(part.held[k].held)), k);
  std::vector<std::vector<std::size_t>> found(part.held.size());
  for (std::size_t r = 0; r < part.reinits.size(); ++r)
    for (const std::uint32_t parameter : parameters_behind(*model.pool, part.reinits[r].condition, defined))
      if (const auto relation = relations.find(parameter); relation != relations.end())
        found[relation->second].push_back(r);
  return found;
}

}  // namespace driftless
