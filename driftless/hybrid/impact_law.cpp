#include "driftless/hybrid/impact_law.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>

#include "driftless/expr/calculus.hpp"
#include "driftless/hybrid/surface.hpp"

namespace driftless {
namespace {

constexpr int deepest_condition = 20;

std::vector<NodeId> speeds_of(const Model& model, Pool& pool, std::span<const std::size_t> reinits) {
  std::vector<NodeId> speeds;
  for (const std::size_t r : reinits)
    speeds.push_back(pool.variable(model.discrete.reinits[r].variable, model.discrete.reinits[r].order));
  return speeds;
}

// The expression with relations, and discrete variables computed from them, instead of their present values.
NodeId with_conditions(const Model& model, Pool& pool, NodeId expression, std::size_t but) {
  std::map<std::uint32_t, NodeId> defined;
  for (const DiscreteEquation& equation : model.discrete.equations)
    if (const Node left = pool[equation.left]; left.op == Op::Parameter) defined.emplace(left.a, equation.right);
  for (std::size_t k = 0; k < model.discrete.held.size(); ++k) {
    const auto held = static_cast<std::uint32_t>(index(model.discrete.held[k].held));
    if (k == but)
      defined.erase(held);
    else
      defined[held] = model.discrete.held[k].expression;
  }
  const auto definition = [&](NodeId leaf) -> std::optional<NodeId> {
    if (pool[leaf].op != Op::Parameter) return {};
    const auto found = defined.find(pool[leaf].a);
    return found == defined.end() ? std::nullopt : std::optional(found->second);
  };
  for (int depth = 0; depth < deepest_condition; ++depth) {
    const NodeId before = expression;
    expression = Substitution(pool, definition)(before);
    if (expression == before) break;
  }
  return expression;
}

}  // namespace

std::vector<double> changes_of_slowest_impact(const Model& model, Pool& pool, std::span<const std::size_t> reinits,
                                              std::span<const double> slopes,
                                              const std::function<double(NodeId)>& value) {
  const std::vector<NodeId> speeds = speeds_of(model, pool, reinits);
  Differential along(pool, [&](NodeId leaf) {
    const auto speed = std::ranges::find(speeds, leaf);
    if (speed == speeds.end()) return pool.zero();
    return pool.constant(slopes[static_cast<std::size_t>(speed - speeds.begin())]);
  });
  std::vector<double> changes;
  for (std::size_t k = 0; k < reinits.size(); ++k) {
    const NodeId law = with_definitions(model, pool, model.discrete.reinits[reinits[k]].value, speeds);
    changes.push_back(slopes[k] - evaluate(pool, along(law), value));
    if (!std::isfinite(changes.back())) return {};
  }
  return changes;
}

bool is_law_for_all_speeds(const Model& model, Pool& pool, std::span<const std::size_t> reinits) {
  const std::vector<NodeId> speeds = speeds_of(model, pool, reinits);
  const auto chooses = [&](NodeId id) {
    const Op op = pool[id].op;
    if (std::ranges::find(speeds, id) != speeds.end() || op == Op::IfElse || is_piecewise_constant(op)) return true;
    const auto is_this = [&](ParamId parameter) { return pool[id].a == static_cast<std::uint32_t>(index(parameter)); };
    return pool[id].op == Op::Parameter &&
           (std::ranges::any_of(model.discrete.held, is_this, &Held::held) ||
            std::ranges::any_of(model.discrete.variables, is_this, &DiscreteVariable::value));
  };
  return std::ranges::none_of(reinits, [&](std::size_t r) {
    const NodeId law = with_definitions(model, pool, model.discrete.reinits[r].value, speeds);
    return std::ranges::any_of(speeds,
                               [&](NodeId speed) { return any_node(pool, partial(pool, law, speed), chooses); });
  });
}

std::vector<double> changes_at_speeds(const Model& model, Pool& pool, std::size_t relation,
                                      std::span<const std::size_t> reinits, std::span<const double> speeds,
                                      const std::function<double(NodeId)>& value) {
  const std::vector<NodeId> leaves = speeds_of(model, pool, reinits);
  const auto value_at_speeds = [&](NodeId leaf) {
    const auto speed = std::ranges::find(leaves, leaf);
    return speed == leaves.end() ? value(leaf) : speeds[static_cast<std::size_t>(speed - leaves.begin())];
  };
  std::vector<double> changes;
  for (std::size_t k = 0; k < reinits.size(); ++k) {
    const NodeId with_relations = with_conditions(model, pool, model.discrete.reinits[reinits[k]].value, relation);
    const NodeId law = with_definitions(model, pool, with_relations, leaves);
    changes.push_back(evaluate(pool, law, value_at_speeds) - speeds[k]);
    if (!std::isfinite(changes.back())) return {};
  }
  return changes;
}

}  // namespace driftless
