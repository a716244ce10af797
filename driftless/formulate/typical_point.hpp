// Values for choices that need a numeric matrix before there is a consistent start. Start values where the model gives
// them, otherwise irregular numbers; time is the start of the experiment. Deterministic.
#pragma once

#include <vector>

#include "driftless/reduce/reduced.hpp"

namespace driftless {

class TypicalPoint {
 public:
  // Different samples differ in all values, also in those with a start; sample 0 keeps the start values.
  explicit TypicalPoint(const Reduced& reduced, int sample = 0);

  double operator()(NodeId expression) const;

 private:
  const Reduced& reduced_;
  double time_;
  std::vector<std::vector<double>> values_;
};

}  // namespace driftless
