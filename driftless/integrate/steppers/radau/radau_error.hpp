// The error estimate of a Radau step (radau.hpp): an embedded method whose extra stage is implicit with the real
// eigenvalue of A^-1, evaluated at the start of the step and, for components damped there, between the stages.
#pragma once

#include <span>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/steppers/radau/radau_formula.hpp"
#include "driftless/integrate/steppers/radau/stage_solver.hpp"

namespace driftless {

class RadauError {
 public:
  // `solver` must have the matrices of the step.
  RadauError(Problem& problem, StageSolver& solver);

  struct Step {
    const RadauFormula& formula;
    double t, h;
    std::span<const double> y, z;     // z: the stages, as differences to y
    std::span<const double> weights;  // an error of 1 / weight counts as 1
    bool is_first_or_repeated, may_look_between;
  };
  double operator()(const Step& step);

  long evaluations() const { return evaluations_; }
  void archive(Archive& archive) { archive(evaluations_); }

 private:
  double between(const Step& step);
  double at(double t, const std::vector<double>& y, const Step& step);

  Problem& problem_;
  StageSolver& solver_;
  std::vector<double> y_, slope_, error_;
  long evaluations_ = 0;  // of the equations
};

}  // namespace driftless
