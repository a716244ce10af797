#include "driftless/formulate/expansion.hpp"

#include "driftless/expr/calculus.hpp"

namespace driftless {

Expansion::Expansion(const Reduced& reduced, const std::set<NodeId>& symbols)
    : reduced_(reduced),
      pool_(*reduced.model->pool),
      derivative_(pool_),
      substitution_(pool_, [this](NodeId leaf) -> std::optional<NodeId> {
        const auto known = written_out_.find(leaf);
        return known == written_out_.end() ? std::nullopt : std::optional(known->second);
      }) {
  // In the order in which each uses only earlier ones. The reduction stores a definition with all others substituted,
  // so its equation is solved for its leaf again.
  for (const Definition& definition : reduced.definitions) {
    const NodeId leaf = pool_.variable(definition.quantity.variable, definition.quantity.order);
    if (symbols.contains(leaf)) continue;
    const NodeId residual = derivative_((*reduced.model)[definition.equation].residual, definition.level);
    const auto form = linear_in(pool_, residual, leaf);
    const NodeId value = form ? pool_.div(pool_.neg(form->rest), form->coefficient) : definition.value;
    written_out_.emplace(leaf, substitution_(value));
  }
}

NodeId Expansion::operator()(EqnId equation, int level) {
  return substitution_(derivative_((*reduced_.model)[equation].residual, level));
}

}  // namespace driftless
