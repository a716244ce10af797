// All series of a run at a time between the ends of its last step, on every constraint, as dense output gives them
// after the run. Reading them changes no step.
#pragma once

#include <memory>
#include <vector>

#include "driftless/integrate/run/context.hpp"
#include "driftless/integrate/run/dense_output.hpp"
#include "driftless/integrate/run/path_points.hpp"
#include "driftless/integrate/run/pivoting.hpp"

namespace driftless {

class ValuesBetween {
 public:
  ValuesBetween(RunContext& run, const Pivoting& pivoting) : run_(run), pivoting_(pivoting) {}

  // Stores the polynomial of the last step, which the stepper loses if it restarts afterwards.
  void keep_step();

  // `path`: of a run without states, or null.
  void at(double t, const PathPoints* path, std::vector<double>& series);

  std::shared_ptr<DenseOutput> dense_output() const;

  void archive(Archive& archive) { archive(step_); }

 private:
  RunContext& run_;
  const Pivoting& pivoting_;
  Segment step_;
  std::shared_ptr<DenseOutput> observer_;
};

}  // namespace driftless
