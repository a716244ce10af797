// Quantities within a step of a run without solving equations: the states with the accuracy of the run, by the
// polynomial of its method, and the others approximately, by that polynomial or through neighbouring output points.
#pragma once

#include <vector>

#include "driftless/reduce/reduced.hpp"
#include "driftless/sensitivity/output_interpolation.hpp"
#include "driftless/sensitivity/variational_array.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless::sensitivity {

class StepValues {
 public:
  // A point at which all quantities are known.
  struct Sample {
    double t;
    std::vector<double> quantities;
  };
  // `reduced`: the equations that were integrated. A component of a polynomial is used only if it agrees with its
  // quantity at all samples. Solution and rows must outlive this object.
  StepValues(const Solution& solution, const Reduced& reduced, const VariationalArray& array,
             const OutputInterpolation& rows, const std::vector<Sample>& samples);

  // False if a state is unknown, or another quantity is not even known approximately.
  bool operator()(double t, const std::vector<int>& states, std::vector<double>& quantities) const;

 private:
  void check(const Sample& sample);
  const Segment& segment_at(double t) const;

  const Solution& solution_;
  std::vector<int> slot_, rate_;  // by quantity: the component of y, or of y', or -1
  const OutputInterpolation& rows_;
  std::vector<double> nominal_;
  bool needs_rows_ = false;
  mutable std::vector<double> y_, yp_;
};

}  // namespace driftless::sensitivity
