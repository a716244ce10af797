#include "driftless/hybrid/impact_law.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/hybrid/surface.hpp"

namespace driftless {

std::vector<double> changes_of_slowest_impact(const Model& model, Pool& pool, std::span<const std::size_t> reinits,
                                              std::span<const double> slopes,
                                              const std::function<double(NodeId)>& value) {
  std::vector<NodeId> speeds;
  for (const std::size_t r : reinits)
    speeds.push_back(pool.variable(model.discrete.reinits[r].variable, model.discrete.reinits[r].order));
  Differential along(pool, [&](NodeId leaf) {
    const auto speed = std::ranges::find(speeds, leaf);
    if (speed == speeds.end()) return pool.zero();
    return pool.constant(slopes[static_cast<std::size_t>(speed - speeds.begin())]);
  });
  std::vector<double> changes;
  for (std::size_t k = 0; k < reinits.size(); ++k) {
    const NodeId law = with_definitions(model, pool, model.discrete.reinits[reinits[k]].value, speeds);
    changes.push_back(slopes[k] - evaluate(pool, along(law), value));
    if (!std::isfinite(changes.back())) return {};
  }
  return changes;
}

}  // namespace driftless
