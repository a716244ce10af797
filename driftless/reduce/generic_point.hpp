// Random values near the starts for every variable and derivative: an expression that is zero there is almost certainly
// zero everywhere.
#pragma once

#include <cmath>
#include <vector>

#include "driftless/model/model.hpp"
#include "driftless/structure/analysis.hpp"

namespace driftless {

// The size of a variable: nominal plus the magnitude of its start.
inline double size_of(const Variable& variable) { return variable.nominal + std::abs(variable.start.value_or(0.0)); }

class GenericPoint {
 public:
  // With `other_parameters`, parameters are changed as well: then a zero does not depend on their values.
  GenericPoint(const Model& model, const structure::Offsets& offsets, unsigned seed, bool other_parameters = false);

  double operator()(NodeId leaf) const;  // of a variable, a parameter or the time

 private:
  const Model& model_;
  double time_;
  std::vector<std::vector<double>> values_;
  std::vector<double> parameters_;
};

}  // namespace driftless
