#include "driftless/reduce/undefined.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <optional>
#include <vector>

#include "driftless/expr/apply.hpp"
#include "driftless/expr/calculus.hpp"
#include "driftless/expr/print.hpp"

namespace driftless {
namespace {

constexpr std::size_t longest_text = 80;
constexpr std::size_t most_values = 6;

using Values = NodeMap<double>;

Values values_at(const Pool& pool, NodeId expression, const std::function<double(NodeId)>& value_of_leaf) {
  Values values;
  for (const NodeId id : nodes_of(pool, expression)) {
    const Node& node = pool[id];
    const int n = arity(node.op);
    const auto operand = [&](int k) { return k < n ? values.at(node.operand(k)) : 0.0; };
    const double value = n > 0 ? apply(node.op, operand(0), operand(1), operand(2)) : evaluate(pool, id, value_of_leaf);
    values[id] = value;
  }
  return values;
}

// The operands on which the value of a node depends at this point.
std::vector<NodeId> operands_in_force(const Pool& pool, NodeId id, const Values& values) {
  const Node& node = pool[id];
  if (node.op == Op::Call) return pool.call_site(node).arguments;
  if (node.op == Op::IfElse)
    return {node.operand(0), values.at(node.operand(0)) != 0.0 ? node.operand(1) : node.operand(2)};
  std::vector<NodeId> operands;
  for (int k = 0; k < arity(node.op); ++k) operands.push_back(node.operand(k));
  return operands;
}

std::optional<NodeId> culprit(const Pool& pool, NodeId expression, const Values& values) {
  std::vector<NodeId> open{expression};
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (std::isfinite(values.at(id))) continue;
    const std::vector<NodeId> operands = operands_in_force(pool, id, values);
    bool handed_on = operands.empty();
    for (const NodeId operand : operands) handed_on = handed_on || !std::isfinite(values.at(operand));
    if (!handed_on) return id;
    open.insert(open.end(), operands.rbegin(), operands.rend());
  }
  return {};
}

std::string point(const Model& model, NodeId expression, const Values& values) {
  const Pool& pool = *model.pool;
  std::vector<std::string> parts;
  for (const NodeId leaf : variables_of(pool, expression))
    parts.push_back(fmt::format("{} = {:.6g}",
                                derivative_name(model.variables[pool[leaf].a].name, static_cast<int>(pool[leaf].b)),
                                values.at(leaf)));
  for (const NodeId id : nodes_of(pool, expression)) {
    if (pool[id].op == Op::Time) parts.push_back(fmt::format("time = {:.6g}", values.at(id)));
    if (pool[id].op == Op::Parameter)
      parts.push_back(fmt::format("{} = {:.6g}", model.parameters[pool[id].a].name, values.at(id)));
  }
  if (parts.empty()) return {};
  if (parts.size() > most_values) {
    parts.resize(most_values);
    parts.push_back("...");
  }
  return fmt::format(" at {}", fmt::join(parts, ", "));
}

}  // namespace

std::string undefined_operation(const Model& model, NodeId expression,
                                const std::function<double(NodeId leaf)>& value_of_leaf) {
  const Pool& pool = *model.pool;
  const Values values = values_at(pool, expression, value_of_leaf);
  const std::optional<NodeId> found = culprit(pool, expression, values);
  if (!found) return {};
  std::string text = to_string(pool, *found, names_of(model));
  if (text.size() > longest_text) text = text.substr(0, longest_text) + "...";
  const Node& node = pool[*found];
  const char* what = node.op == Op::Div && values.at(node.operand(1)) == 0.0 ? "divides by zero"
                     : std::isnan(values.at(*found))                         ? "has no value"
                                                                             : "is infinite";
  return fmt::format("{} {}{}", text, what, point(model, *found, values));
}

}  // namespace driftless
