// Numbers that were computed from parameters when the model was read, as expressions of these parameters.
#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/language/elaboration.hpp"

namespace driftless::language {

namespace {

bool is_same(double a, double b) { return a == b || std::abs(a - b) <= 1e-12 * std::abs(b); }

// The expressions of all elements; invalid if the expression has another meaning with leaves.
Value with_leaves(const Environment& at, const Given& given) {
  Elaboration& all = at.all;
  const bool muted = std::exchange(all.muted, true);
  Value value = evaluate_given({all, at.scope, at.locals, Purpose::Equation}, given);
  all.muted = muted;
  return value;
}

}  // namespace

void add_bindings(const Environment& at, const Given& given, const std::vector<Component*>& used,
                  const BoundNumbers& bound) {
  if (used.empty()) return;
  Elaboration& all = at.all;
  const Value value = with_leaves(at, given);
  const auto number_of_leaf = [&](NodeId leaf) {
    const Node& node = all.pool[leaf];
    return node.op == Op::Parameter ? all.model.parameters[node.a].value : std::nan("");
  };
  const bool fits = value.valid() && (value.is_scalar() || value.size() == bound.numbers.size());
  bool complete = fits;
  for (std::size_t k = 0; fits && k < bound.numbers.size(); ++k) {
    const NodeId expression = value.is_scalar() ? value.scalar() : value[k];
    if (!is_same(driftless::evaluate(all.pool, expression, number_of_leaf), bound.numbers[k]))
      complete = false;
    else if (!all.pool.is_constant(expression))
      all.model.bindings.push_back({bound.of, bound.first + k, expression});
  }
  if (complete) return;
  for (Component* component : used) component->structural = true;
}

}  // namespace driftless::language
