// Bounds of an expression of parameters and time over one interval of time after another, without a walk over nodes:
// exp(-((time - 50)/0.001)^2) lies between 0 and 1 for 0 <= time <= 100, and is 0 as far as numbers tell at both ends.
// What has no value is not reckoned with.
#pragma once

#include <span>
#include <vector>

#include "driftless/expr/interval.hpp"

namespace driftless {

class BoundsInTime {
 public:
  BoundsInTime() = default;
  // Precondition: neither variables nor calls occur.
  BoundsInTime(const Pool& pool, NodeId expression);

  void take_parameters(std::span<const double> values);

  Interval operator()(double from, double to);
  double value(double t);

 private:
  struct Operation {
    Op op;
    std::uint32_t a, b, c;  // places of the operands, which come earlier; of a parameter, its number
  };
  std::vector<Operation> operations_;
  std::vector<Interval> bounds_;  // of every operation
  std::vector<double> values_;
};

}  // namespace driftless
