#include "driftless/hybrid/surface.hpp"

#include <algorithm>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/model/hold.hpp"

namespace driftless {
namespace {

constexpr int deepest_definition = 20;

// x, if the equation is x = expression or expression = x.
std::optional<NodeId> defined_by(const Pool& pool, NodeId residual, NodeId x) {
  const Node node = pool[residual];
  if (node.op != Op::Sub) return {};
  for (const int side : {0, 1})
    if (node.operand(side) == x) return node.operand(1 - side);
  return {};
}

}  // namespace

NodeId with_definitions(const Model& model, Pool& pool, NodeId expression, std::span<const NodeId> kept) {
  const auto definition = [&](NodeId leaf) -> std::optional<NodeId> {
    if (pool[leaf].op != Op::Variable || pool[leaf].b > 0 || std::ranges::find(kept, leaf) != kept.end()) return {};
    for (const Equation& equation : model.equations)
      if (const auto value = defined_by(pool, equation.residual, leaf)) {
        const std::vector<NodeId> leaves = variables_of(pool, *value);
        const bool is_rate = std::ranges::any_of(leaves, [&](NodeId id) { return id == leaf || pool[id].b > 0; });
        if (!is_rate) return value;
      }
    return {};
  };
  for (int depth = 0; depth < deepest_definition; ++depth) {
    const NodeId before = expression;
    expression = Substitution(pool, definition)(before);
    if (expression == before) break;
  }
  return expression;
}

std::optional<NodeId> surface_of(Pool& pool, NodeId relation) {
  const Node node = pool[relation];
  if (node.op != Op::Less && node.op != Op::LessEqual) return {};
  return pool.sub(node.operand(0), node.operand(1));
}

std::size_t add_end(Model& model, NodeId relation, SourceRange range) {
  std::string text = to_string(*model.pool, relation, names_of(model));
  const ParamId id = add_parameter(model, Parameter::Role::Held, text, 0.0, range);
  model.discrete.held.push_back({relation, id, std::move(text), range});
  return model.discrete.held.size() - 1;
}

}  // namespace driftless
