#include "driftless/sensitivity/parameters_in_programs.hpp"

#include <set>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/function.hpp"
#include "driftless/sensitivity/directions.hpp"

namespace driftless::sensitivity {
namespace {

// All expressions of a program.
std::vector<NodeId> expressions_of(const Function& function) {
  std::vector<NodeId> expressions;
  std::vector<const std::vector<Statement>*> ahead{&function.body};
  while (!ahead.empty()) {
    const std::vector<Statement>& statements = *ahead.back();
    ahead.pop_back();
    for (const Statement& statement : statements) {
      if (statement.kind != Statement::Kind::Return && statement.kind != Statement::Kind::Break)
        expressions.push_back(statement.expression);
      ahead.push_back(&statement.body);
      ahead.push_back(&statement.otherwise);
    }
  }
  return expressions;
}

}  // namespace

void expect_none_in_programs(const Model& model, const std::vector<bool>& moves) {
  const Pool& pool = *model.pool;
  std::set<FunctionId> known;
  std::vector<FunctionId> ahead;
  const auto look_for_calls = [&](NodeId expression) {
    for (const NodeId id : nodes_of(pool, expression))
      if (pool[id].op == Op::Call)
        if (const FunctionId function = pool.call_site(pool[id]).function; known.insert(function).second)
          ahead.push_back(function);
  };
  for (const Equation& equation : model.equations) look_for_calls(equation.residual);
  for (const Equation& equation : model.initial_equations) look_for_calls(equation.residual);
  for (const Binding& binding : model.bindings) look_for_calls(binding.value);
  for (const Held& held : model.discrete.held) look_for_calls(held.expression);
  for (const Reinit& reinit : model.discrete.reinits) look_for_calls(reinit.value);
  for (const DiscreteEquation& equation : model.discrete.equations)
    look_for_calls(equation.left), look_for_calls(equation.right);
  while (!ahead.empty()) {
    const Function& function = pool.function(ahead.back());
    ahead.pop_back();
    for (const NodeId expression : expressions_of(function)) {
      look_for_calls(expression);
      for (const NodeId id : nodes_of(pool, expression))
        if (pool[id].op == Op::Parameter && moves[pool[id].a])
          throw NotAvailable(
              fmt::format("a loop or function of the model that runs as a program reads the parameter "
                          "'{}', with respect to which programs are not differentiated",
                          model.parameters[pool[id].a].name));
    }
  }
}

}  // namespace driftless::sensitivity
