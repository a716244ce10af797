#include "driftless/hybrid/modes.hpp"

#include <utility>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/hybrid/structural_conditions.hpp"

namespace driftless {
namespace {

std::vector<bool> values_of(const Pool& pool, const std::vector<NodeId>& conditions,
                            std::span<const double> parameters) {
  std::vector<bool> values;
  for (const NodeId condition : conditions)
    values.push_back(evaluate(pool, condition, [&](NodeId leaf) { return parameters[pool[leaf].a]; }) != 0.0);
  return values;
}

std::string describe(const Model& model, NodeId condition, bool value) {
  const Pool& pool = *model.pool;
  const Node& node = pool[condition];
  const bool is_name = node.op == Op::Parameter && model.parameters[node.a].role != Parameter::Role::Held;
  return fmt::format("{}{}{}", to_string(pool, condition, names_of(model)), is_name ? " = " : ": ", value);
}

}  // namespace

Modes::Modes(std::shared_ptr<const Model> model) { add(std::move(model), {}); }

int Modes::add(std::shared_ptr<const Model> model, std::string description) {
  Branching branching{model, description, structural_conditions(*model)};
  if (branching.conditions.empty()) {
    branching.mode = size();
    modes_.push_back({std::move(model), std::move(description)});
  }
  tree_.push_back(std::move(branching));
  return static_cast<int>(tree_.size()) - 1;
}

int Modes::at(std::span<const double> parameters) {
  int at = 0;
  while (tree_[at].mode < 0) {
    const Branching& here = tree_[at];
    const std::vector<bool> values = values_of(*here.model->pool, here.conditions, parameters);
    const auto known = here.next.find(values);
    if (known != here.next.end()) {
      at = known->second;
      continue;
    }
    std::string description = here.description;
    for (std::size_t k = 0; k < values.size(); ++k)
      description += (description.empty() ? "" : ", ") + describe(*here.model, here.conditions[k], values[k]);
    const int next =
        add(std::make_shared<const Model>(with_branches(*here.model, here.conditions, values)), std::move(description));
    tree_[at].next.emplace(values, next);
    at = next;
  }
  return tree_[at].mode;
}

}  // namespace driftless
