// The equations of all stages of a step (stages.hpp) as one system, each stage with its own Jacobian: for Newton's
// iteration to rounding.
#pragma once

#include <span>
#include <vector>

#include "driftless/integrate/solve/index_scaling.hpp"
#include "driftless/integrate/solve/newton.hpp"
#include "driftless/integrate/steppers/runge_kutta/stages.hpp"

namespace driftless {

class StageEquations final : public Equations {
 public:
  StageEquations(Problem& problem, const Tableau& tableau);

  void states_changed();

  // A step from (t, y) where the slope is yp.
  void begin(double t, double h, std::span<const double> y, std::span<const double> yp) { stages_.begin(t, h, y, yp); }
  const Stages& stages() const { return stages_; }

  // Powers of h by which the equations of every stage and its unknowns are scaled, the same for all stages.
  void scales(double h, std::span<double> rows, std::span<double> columns) const;
  const IndexScaling& grading() const { return grading_; }

  const linear::Pattern& pattern() const override { return assembly_.pattern; }
  bool residual(std::span<const double> z, std::span<double> out) override { return stages_.residual(z, out); }
  bool matrix(std::span<const double> z, std::span<double> values) override;

 private:
  Problem& problem_;
  Stages stages_;
  linear::Assembly assembly_;
  IndexScaling grading_;
  std::vector<double> stage_, slope_, by_value_, by_rate_;
};

}  // namespace driftless
