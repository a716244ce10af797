#include "driftless/model/listing.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/expr/apply.hpp"
#include "driftless/expr/calculus.hpp"
#include "driftless/expr/function.hpp"

namespace driftless {

Listing::Listing(const Model& model, NodeId root) : model_(model), pool_(*model.pool), nodes_(nodes_of(pool_, root)) {
  values_.resize(nodes_.size());
  moving_.resize(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    place_[nodes_[i]] = static_cast<int>(i);
    bool moving = is_moving_leaf(pool_[nodes_[i]].op);
    NodeId buffer[3];
    for (const NodeId operand : pool_.operands(nodes_[i], buffer)) moving = moving || moving_[at(operand)];
    moving_[i] = moving;
  }
  evaluate({}, {}, 0.0);  // evaluates the constant nodes
}

void Listing::evaluate(const NodeMap<double>& point, std::optional<NodeId> held, double held_value) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) values_[i] = value_of(nodes_[i], point, held, held_value);
}

double Listing::scale() const {
  double largest = std::abs(result());
  for (const NodeId id : nodes_) {
    const Node& node = pool_[id];
    if (node.op != Op::Add && node.op != Op::Sub) continue;
    for (int k = 0; k < 2; ++k)
      if (const double size = std::abs(value(node.operand(k))); std::isfinite(size)) largest = std::max(largest, size);
  }
  return largest;
}

void Listing::push_deciding(NodeId id, bool only_lasting, std::vector<NodeId>& open) const {
  const Node& node = pool_[id];
  const auto settled = [&](NodeId condition) { return !only_lasting || !is_moving(condition); };
  if (node.op == Op::IfElse) {
    const NodeId condition = node.operand(0);
    open.push_back(condition);
    if (!settled(condition)) {
      open.push_back(node.operand(1));
      open.push_back(node.operand(2));
    } else {
      open.push_back(node.operand(value(condition) != 0.0 ? 1 : 2));
    }
    return;
  }
  if (node.op == Op::And || node.op == Op::Or) {
    for (int k = 0; k < 2; ++k) {
      const NodeId other = node.operand(1 - k);
      const bool decides = (value(other) != 0.0) == (node.op == Op::Or);
      if (!(settled(other) && decides)) open.push_back(node.operand(k));
    }
    return;
  }
  NodeId buffer[3];
  for (const NodeId operand : pool_.operands(id, buffer)) open.push_back(operand);
}

double Listing::value_of(NodeId id, const NodeMap<double>& point, std::optional<NodeId> held, double held_value) const {
  if (held == id) return held_value;
  const Node& node = pool_[id];
  switch (node.op) {
    case Op::Constant: return pool_.constant_value(id);
    case Op::Parameter: return model_.parameters[node.a].value;
    case Op::Time:
    case Op::Variable: {
      const double* given = point.find(id);
      return given ? *given : 0.0;
    }
    case Op::Call: {
      const CallSite& site = pool_.call_site(node);
      const Function& function = pool_.function(site.function);
      std::vector<double> locals(static_cast<std::size_t>(function.locals));
      for (std::size_t k = 0; k < site.arguments.size(); ++k) locals[k] = value(site.arguments[k]);
      return evaluate_function(
          pool_, function, site.output, [&](NodeId leaf) { return model_.parameters[pool_[leaf].a].value; }, locals);
    }
    default: {
      const int n = arity(node.op);
      const auto operand = [&](int k) { return k < n ? value(node.operand(k)) : 0.0; };
      return apply(node.op, operand(0), operand(1), operand(2));
    }
  }
}

}  // namespace driftless
