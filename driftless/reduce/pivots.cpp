#include "driftless/reduce/pivots.hpp"

#include <cmath>
#include <functional>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

constexpr double threshold = 0.1;
constexpr unsigned seed = 1;

}  // namespace

Pivots::Pivots(const Model& model, const structure::Offsets& offsets)
    : model_(model), offsets_(offsets), terms_(model.equations.size()) {}

const std::vector<Pivots::Term>& Pivots::terms_of(EqnId equation) {
  std::optional<std::vector<Term>>& terms = terms_[static_cast<std::size_t>(index(equation))];
  if (terms) return *terms;
  if (!point_) point_.emplace(model_, offsets_, seed);
  terms.emplace();
  Pool& pool = *model_.pool;
  for (const Partial& p : gradient(pool, model_[equation].residual))
    terms->push_back({p.leaf, std::abs(evaluate(pool, p.derivative, std::cref(*point_))) *
                                  size_of(model_.variables[pool[p.leaf].a])});
  return *terms;
}

bool Pivots::may_divide(EqnId equation, NodeId leaf) {
  const Pool& pool = *model_.pool;
  const int c = offsets_.c[static_cast<std::size_t>(index(equation))];
  const auto is_of_stage = [&](const Node& node) { return static_cast<int>(node.b) == offsets_.d[node.a] - c; };
  const bool is_derivative = pool[leaf].b > 0;
  double own = 0.0, largest = 0.0;
  bool alone = true;
  for (const Term& term : terms_of(equation)) {
    const Node& node = pool[term.leaf];
    if (term.leaf == leaf)
      own = term.size;
    else if (is_of_stage(node))
      alone = false;
    const bool compared = is_derivative ? node.b > 0 && is_of_stage(node) : node.b == 0;
    if (compared && term.size > largest) largest = term.size;  // a slope without a value there is ignored
  }
  return alone || own >= threshold * largest;
}

}  // namespace driftless
