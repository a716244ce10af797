// Problem::residual at several points at once, as the stages of a step are: the same bits, in less time while the rows
// are interpreted (compile/at_points.hpp).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "driftless/compile/at_points.hpp"
#include "driftless/integrate/system/problem.hpp"

namespace driftless {

class ResidualsAtPoints {
 public:
  // With the parameters and states that the problem has at each call.
  explicit ResidualsAtPoints(Problem& problem) : problem_(problem) {}

  // Of one point after the other. False if some value does not exist; undefined_at() is then the first such point.
  bool operator()(std::span<const System::Point> points, std::span<double> out);

 private:
  bool gain(std::size_t points);
  void evaluate(std::span<const System::Point> points);

  Problem& problem_;
  std::optional<RunAtPoints> rows_;          // at the first call
  std::vector<std::vector<double>> inputs_;  // of each point
  std::vector<double> rows_and_rates_, work_;
};

// The residual at a point whose rows and rates are known. False if some value does not exist.
bool residual_by_rows(const Problem& problem, std::span<const double> yp, std::span<const double> rows_and_rates,
                      std::span<double> out);

// What kernels read at a point, with the parameters that the system has.
void load_inputs(const System& system, const System::Point& at, std::vector<double>& inputs);

}  // namespace driftless
