#include "driftless/events/impulsive_relations.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/hybrid/surface.hpp"

namespace driftless {
namespace {

constexpr double cancels = 1e-9;  // of its terms: a sum of impulses below this counts as 0

}  // namespace

std::vector<ImpulsiveValue> values_by_impulses(const Model& model, std::span<const Impulse> impulses,
                                               const std::function<double(NodeId leaf)>& value) {
  std::vector<ImpulsiveValue> result;
  const std::shared_ptr<Pool> pool = growable(model.pool);
  for (std::size_t k = 0; k < model.discrete.held.size(); ++k) {
    const auto surface = surface_of(*pool, model.discrete.held[k].expression);
    if (!surface) continue;
    double sum = 0.0, size = 0.0;
    for (const Partial& p : gradient(*pool, *surface)) {
      const Node leaf = (*pool)[p.leaf];
      if (leaf.b != 0) continue;
      const auto impulse = std::ranges::find(impulses, model.variables[leaf.a].name, &Impulse::name);
      if (impulse == impulses.end()) continue;
      const double term = evaluate(*pool, p.derivative, value) * impulse->size;
      sum += term;
      size += std::abs(term);
    }
    if (std::abs(sum) > cancels * size) result.push_back({k, sum < 0.0 ? 1.0 : 0.0});
  }
  return result;
}

}  // namespace driftless
