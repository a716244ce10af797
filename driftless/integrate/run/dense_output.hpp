// Dense output after the run: the polynomial of a step gives the states at any time, and the point is then solved and
// projected as the driver did for points of the trajectory.
#pragma once

#include <memory>
#include <vector>

#include "driftless/integrate/solve/algebraic.hpp"
#include "driftless/integrate/solve/completion.hpp"
#include "driftless/integrate/checks/delivered_point.hpp"
#include "driftless/integrate/solve/projector.hpp"
#include "driftless/integrate/steppers/stepper.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

// The states and the method that are used from a time on.
struct StateEpoch {
  double from;
  std::vector<Combination> states;
  bool completes_points;  // the polynomials of the method know the states only, or are not on the constraints
  std::shared_ptr<PointSolver> point_solver;  // of the method, or null
  Method method;                              // that stepped
};

class DenseOutput {
 public:
  DenseOutput(std::shared_ptr<System> system, std::vector<StateEpoch> epochs, double tolerance, bool constant_steps);

  // Replaces the epochs when the run has continued.
  void use(const std::vector<StateEpoch>& epochs) { epochs_ = epochs; }

  void project(const Projection& projection, const State& start);
  // The polynomials give the states only, and the rows do not determine the rest.
  void complete();

  // The point becomes the one that is delivered, with its series. Throws PointNotSatisfied (delivered_point.hpp).
  void operator()(double t, std::vector<double>& y, std::vector<double>& yp, std::vector<double>& series);

 private:
  std::shared_ptr<System> system_;
  std::vector<StateEpoch> epochs_;
  Problem problem_;
  AlgebraicSolve on_constraints_;
  std::unique_ptr<Projector> projector_;
  std::unique_ptr<Completion> completion_;
  DeliveredPoint may_be_delivered_;
};

}  // namespace driftless
