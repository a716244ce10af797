#include "driftless/formulate/typical_point.hpp"

#include <cmath>
#include <random>

#include "driftless/expr/calculus.hpp"

namespace driftless {

TypicalPoint::TypicalPoint(const Reduced& reduced, int sample) : reduced_(reduced) {
  std::mt19937_64 random(static_cast<unsigned>(sample) + 1);
  const auto noise = [&] { return 0.2 + 0.6 * static_cast<double>(random() >> 11) * 0x1p-53; };
  const Model& model = *reduced.model;
  time_ = model.experiment.start + (sample == 0 ? 0.0 : noise());
  for (const auto& places : reduced.addresses) values_.emplace_back(places.size());
  for (const Quantity q : reduced.quantities) {
    const Variable& variable = model[q.variable];
    const bool given = q.order == 0 && variable.start.has_value();
    const double start = given ? *variable.start : 0.0, other = noise() * (variable.nominal + std::abs(start));
    values_[index(q.variable)][q.order] = given && sample == 0 ? start : start + other;
  }
}

double TypicalPoint::operator()(NodeId expression) const {
  const Model& model = *reduced_.model;
  return evaluate(*model.pool, expression, [&](NodeId leaf) {
    const Node& node = (*model.pool)[leaf];
    if (node.op == Op::Time) return time_;
    return node.op == Op::Parameter ? model.parameters[node.a].value : values_[node.a][node.b];
  });
}

}  // namespace driftless
