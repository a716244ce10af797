#include "driftless/hybrid/surface.hpp"

#include "driftless/expr/print.hpp"
#include "driftless/model/hold.hpp"

namespace driftless {

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
