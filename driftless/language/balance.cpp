// Which component has too few or too many equations (Modelica 3.6, Section 4.7).
//
// A part is counted with its connectors open: the surrounding model must give one equation for each of their flows and
// inputs. With parts P of an instance I, the number of equations missing in I is
//   variables of I + sum over P of (flows + inputs of P) - equations of I - flows of I,
// where variables are those that are no inputs, and those of connectors and records of I belong to I. The sum over all
// instances is the number missing in the flat model, so a model with balanced parts can be unbalanced by its own
// equations only.
#include <fmt/format.h>

#include <cstdlib>
#include <unordered_map>

#include "driftless/language/overconstrained.hpp"

namespace driftless::language {

namespace {

struct Count {
  int variables = 0, flows = 0, inputs = 0, equations = 0, needed_by_parts = 0;
  int surplus = 0;  // of overdetermined records

  int missing() const { return variables + needed_by_parts - equations - flows - surplus; }
};

bool has_connector_kind(const Instance& instance) { return instance.as && instance.as->type.is_connector; }

void count_variables(const Component& component, Count& count) {
  const auto size = static_cast<int>(component.symbolic.size());
  if (component.prefixes.causality == ast::Causality::Input) {
    count.inputs += size;
    return;
  }
  count.variables += size;
  if (component.prefixes.connection == ast::Connection::Flow) count.flows += size;
}

void report(Elaboration& all, const Instance& instance, const Count& count) {
  const int missing = count.missing();
  const int unknowns = count.variables + count.needed_by_parts - count.flows - count.surplus;
  all.error(Code::UnbalancedClass, instance.of->syntax->name.range,
            fmt::format("{} has {} equation{} too {}: {} has {} for {} unknown{}", instance.path, std::abs(missing),
                        std::abs(missing) == 1 ? "" : "s", missing > 0 ? "few" : "many", instance.of->path,
                        count.equations, unknowns, unknowns == 1 ? "" : "s"))
      .note("flows of its connectors are left to the model around it, and so are its inputs")
      .note(fmt::format("{} is declared here", instance.path), instance.as->syntax->range);
}

}  // namespace

Instance& balanced_owner(Instance& instance) {
  Instance* owner = &instance;
  while (owner->parent && (has_connector_kind(*owner) || owner->of->syntax->kind == ast::ClassKind::Record ||
                           owner->of->syntax->kind == ast::ClassKind::OperatorRecord))
    owner = owner->parent;
  return *owner;
}

void check_balance(Elaboration& all, const Flat& flat) {
  if (all.has_errors() || flat.instances.size() == 1) return;
  if (all.model.equations.size() == all.model.variables.size()) return;
  std::unordered_map<const Instance*, Count> counts;
  for (Component* component : flat.components)
    if (component->kind == Component::Kind::Variable && component->symbolic.valid() && !is_discrete(*component))
      count_variables(*component, counts[&balanced_owner(*component->instance)]);
  for (const auto& [instance, equations] : all.equations_of) counts[&balanced_owner(*instance)].equations += equations;
  for (const auto& [instance, surplus] : surplus_of_instances(all)) counts[instance].surplus += surplus;
  for (Instance* instance : flat.instances) {
    if (instance == all.root || &balanced_owner(*instance) != instance) continue;
    const Count& count = counts[instance];
    counts[&balanced_owner(*instance->parent)].needed_by_parts += count.flows + count.inputs;
  }
  for (const Instance* instance : flat.instances)
    if (instance != all.root && counts.contains(instance) && counts[instance].missing() != 0)
      report(all, *instance, counts[instance]);
}

}  // namespace driftless::language
