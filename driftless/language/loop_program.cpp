// Turns the statements of a loop into the body of a separate program.
#include <algorithm>

#include "driftless/expr/calculus.hpp"
#include "driftless/language/functions.hpp"

namespace driftless::language {

namespace {

template <class Visit>
void for_each_statement(Statements& statements, Visit visit) {
  std::vector<Statements*> open{&statements};
  while (!open.empty()) {
    Statements& list = *open.back();
    open.pop_back();
    for (Statement& statement : list) {
      visit(statement);
      open.push_back(&statement.body);
      open.push_back(&statement.otherwise);
    }
  }
}

}  // namespace

std::vector<NodeId> leaves_to_slots(Pool& pool, Statements& statements, int own) {
  std::vector<NodeId> leaves;
  for_each_statement(statements, [&](const Statement& statement) {
    for (const NodeId node : nodes_of(pool, statement.expression))
      if (pool[node].op == Op::Time || pool[node].op == Op::Variable) leaves.push_back(node);
  });
  std::ranges::sort(leaves);
  leaves.erase(std::ranges::unique(leaves).begin(), leaves.end());

  const int more = static_cast<int>(leaves.size());
  Substitution substitution(pool, [&](NodeId leaf) -> std::optional<NodeId> {
    if (const auto place = std::ranges::lower_bound(leaves, leaf); place != leaves.end() && *place == leaf)
      return pool.local(own + static_cast<int>(place - leaves.begin()));
    const Node node = pool[leaf];
    if (node.op == Op::Local && static_cast<int>(node.a) >= own) return pool.local(static_cast<int>(node.a) + more);
    return std::nullopt;
  });
  for_each_statement(statements, [&](Statement& statement) {
    if (statement.target >= own) statement.target += more;
    statement.expression = substitution(statement.expression);
  });
  return leaves;
}

}  // namespace driftless::language
