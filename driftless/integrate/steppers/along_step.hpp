// A linear function of y along the polynomial of a step.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace driftless {

// A term of the function.
struct SlotWeight {
  std::size_t slot = 0;
  double weight = 0.0;
};

// c_0 + c_1 x + c_2 x^2 + ..., x = (t - origin)/h: the origin is one end of the step, so |x| <= 1 in it.
struct AlongStep {
  double origin = 0.0, h = 1.0;
  std::vector<double> c;

  // A bound of |p - p(origin)| in the step, but for rounding.
  double deviation() const {
    double sum = 0.0;
    for (std::size_t k = 1; k < c.size(); ++k) sum += std::abs(c[k]);
    return sum;
  }
  struct Value {
    double value, slope;
  };
  Value operator()(double t) const {  // Horner's scheme
    const double x = (t - origin) / h;
    double p = 0.0, dp = 0.0;
    for (std::size_t k = c.size(); k-- > 0;) {
      dp = dp * x + p;
      p = p * x + c[k];
    }
    return {p, dp / h};
  }
};

}  // namespace driftless
