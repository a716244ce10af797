// The polynomial that has given values and slopes at several times of a step (Hermite's interpolation): with m times
// its degree is 2 m - 1, and its error of the order h^(2m). Slots without a slope of their own lie on the chord.
#pragma once

#include <span>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/steppers/step_polynomial.hpp"

namespace driftless {

class HermitePolynomial {
 public:
  using End = StepPolynomial::End;  // a point with its time
  // In ascending order of time; the first and the last are the ends of the step. `sloped`: the slots that have slopes.
  void set(const std::vector<End>& points, const std::vector<int>& sloped);

  void evaluate(double t, std::span<double> y, std::span<double> yp) const;
  void store(Segment& segment) const { segment = segment_; }

  void archive(Archive& archive) { archive(segment_); }

 private:
  Segment segment_;
};

}  // namespace driftless
