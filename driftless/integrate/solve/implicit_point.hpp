// Solves F(t, y, y') = 0 at a point between the ends of a step where no states are known. The polynomial of a step
// gives y within the tolerance, but its slope y' only within the tolerance divided by the step size. So y' is changed
// such that F = 0, and y only where no y' solves F = 0; each as little as possible in units of |v| + nominal.
#pragma once

#include <vector>

#include "driftless/integrate/solve/point_solver.hpp"
#include "driftless/integrate/system/system.hpp"

namespace driftless {

class ImplicitPoint final : public PointSolver {
 public:
  explicit ImplicitPoint(System& system);

  bool operator()(double t, std::span<double> y, std::span<double> yp) override;
  void archive(Archive&) override {}  // points do not depend on earlier ones

 private:
  double freedom_of_slopes() const;
  double correct(double t);  // the size of the correction of y_ and yp_; not finite if it has none

  System& system_;
  std::vector<double> rows_, jacobian_, sizes_, y_, yp_;  // sizes of y, then of y'
};

}  // namespace driftless
