#include "driftless/reduce/requested_states.hpp"

#include <fmt/format.h>

namespace driftless {

std::shared_ptr<const Model> with_requested_states(const std::shared_ptr<const Model>& model,
                                                   const std::vector<int>& highest) {
  std::shared_ptr<Model> result;
  for (std::size_t v = 0; v < model->variables.size() && v < highest.size(); ++v) {
    const Variable& wanted = model->variables[v];
    if (wanted.state_select != StateSelect::Always || highest[v] > 0) continue;
    if (!result) {
      result = std::make_shared<Model>(*model);
      result->pool = growable(model->pool);
    }
    Pool& pool = *result->pool;
    const VarId of{static_cast<std::int32_t>(v)}, own{static_cast<std::int32_t>(result->variables.size())};
    Variable variable;
    variable.name = fmt::format("{} of the state asked for", derivative_name(wanted.name, 1));
    variable.range = wanted.range;
    variable.nominal = wanted.nominal;
    variable.auxiliary = true;
    result->equations.push_back({pool.sub(pool.variable(own), pool.variable(of, 1)), derivative_name(wanted.name, 1),
                                 variable.name, wanted.range});
    result->variables.push_back(std::move(variable));
  }
  return result ? result : model;
}

}  // namespace driftless
