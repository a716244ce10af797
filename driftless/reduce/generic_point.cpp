#include "driftless/reduce/generic_point.hpp"

#include <random>

namespace driftless {

GenericPoint::GenericPoint(const Model& model, const structure::Offsets& offsets, unsigned seed, bool other_parameters)
    : model_(model) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> noise(0.3, 1.1);
  time_ = model.experiment.start + noise(random);
  values_.resize(offsets.d.size());
  for (std::size_t j = 0; j < values_.size(); ++j) {
    const Variable& variable = model.variables[j];
    for (int k = 0; k <= offsets.d[j]; ++k) {
      const double start = k == 0 ? variable.start.value_or(0.0) : 0.0;
      values_[j].push_back(start + 0.1 * (variable.nominal + std::abs(start)) * noise(random));
    }
  }
  for (const Parameter& parameter : model.parameters)
    parameters_.push_back(parameter.value + (!parameter.fixed ? 0.1 * parameter.nominal * noise(random)
                                             : other_parameters
                                                 ? 0.1 * (std::abs(parameter.value) + 1e-9) * noise(random)
                                                 : 0.0));
}

double GenericPoint::operator()(NodeId leaf) const {
  const Node& node = (*model_.pool)[leaf];
  switch (node.op) {
    case Op::Time: return time_;
    case Op::Parameter: return parameters_[node.a];
    case Op::Variable: return values_[node.a][node.b];
    default: return std::nan("");
  }
}

}  // namespace driftless
