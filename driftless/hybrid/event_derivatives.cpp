#include "driftless/hybrid/event_derivatives.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

// By variable: the highest order that the discrete part reads, and where it first does.
struct Read {
  int order = 0;
  SourceRange range;
};

std::vector<Read> read_by_discrete_part(const Model& model) {
  std::vector<Read> all(model.variables.size());
  const auto visit = [&](NodeId expression, SourceRange range) {
    for (const NodeId leaf : variables_of(*model.pool, expression)) {
      const Node node = (*model.pool)[leaf];
      if (static_cast<int>(node.b) > all[node.a].order) all[node.a] = {static_cast<int>(node.b), range};
    }
  };
  const DiscretePart& part = model.discrete;
  for (const Held& held : part.held) visit(held.expression, held.range);
  for (const DiscreteEquation& equation : part.equations)
    visit(equation.left, equation.range), visit(equation.right, equation.range);
  for (const Reinit& reinit : part.reinits) visit(reinit.condition, reinit.range), visit(reinit.value, reinit.range);
  for (const Termination& termination : part.terminations) visit(termination.condition, termination.range);
  for (const EventAssertion& assertion : part.assertions) visit(assertion.condition, assertion.range);
  return all;
}

}  // namespace

std::shared_ptr<const Model> with_event_derivatives(const std::shared_ptr<const Model>& model,
                                                    const std::vector<int>& highest) {
  const std::vector<Read> read = read_by_discrete_part(*model);
  std::shared_ptr<Model> result;
  for (std::size_t v = 0; v < read.size(); ++v) {
    if (v >= highest.size() || read[v].order <= highest[v]) continue;
    if (!result) {
      result = std::make_shared<Model>(*model);
      result->pool = growable(model->pool);
    }
    Pool& pool = *result->pool;
    const VarId of{static_cast<std::int32_t>(v)}, own{static_cast<std::int32_t>(result->variables.size())};
    const std::string derivative = derivative_name(model->variables[v].name, read[v].order);
    Variable variable;
    variable.name = fmt::format("{} at events", derivative);
    variable.range = read[v].range;
    variable.nominal = model->variables[v].nominal;
    variable.auxiliary = true;
    result->variables.push_back(std::move(variable));
    result->equations.push_back({pool.sub(pool.variable(own), pool.variable(of, read[v].order)), derivative,
                                 fmt::format("{} at events", derivative), read[v].range});
  }
  return result ? result : model;
}

}  // namespace driftless
