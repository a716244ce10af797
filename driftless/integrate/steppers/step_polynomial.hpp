// The polynomial of a one-step method within a step, from the values and slopes at both ends, and perhaps more terms
// c_1, c_2, ... With θ = (t - t_0)/h and Δ = y_1 - y_0 (Hairer, Nørsett, Wanner 1993, Section II.6)
//
//   y(θ) = y_0 + θ (Δ + (1-θ) (A + θ (B + (1-θ) (c_1 + θ (c_2 + ...))))),   A = h y_0' - Δ,   B = Δ - h y_1' - A.
//
// Without more terms this is Hermite's cubic, with one the polynomial of DOPRI5, with four that of DOP853. Slots
// without a slope of their own lie on the chord.
#pragma once

#include <span>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/steppers/along_step.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

class StepPolynomial {
 public:
  struct End {
    double t;
    std::span<const double> y, yp;
  };
  // `sloped`: the slots that have slopes; `more`: rows of one number per slot, at most four.
  void set(const End& begin, const End& end, const std::vector<int>& sloped, std::span<const double> more);

  void evaluate(double t, std::span<double> y, std::span<double> yp) const;
  void store(Segment& segment) const;
  void along_step(std::span<const SlotWeight> function, AlongStep& out) const;

  void archive(Archive& archive) { archive(degree_, begin_, end_, coefficients_); }

 private:
  int degree_ = 0;
  double begin_ = 0.0, end_ = 0.0;
  std::vector<double> coefficients_;  // as in Segment
};

}  // namespace driftless
