// The projection of a run: the end of every step, and every output point, is moved onto the constraints and invariants
// that the formulation does not impose (projector.hpp). A stepper may do it itself.
#pragma once

#include <memory>

#include "driftless/integrate/run/context.hpp"
#include "driftless/integrate/solve/projector.hpp"

namespace driftless {

class EndProjection {
 public:
  explicit EndProjection(RunContext& run) : run_(run) {}

  void check() const;  // refuses a projection that does not fit the model or the method
  void prepare();      // for the present stepper
  void states_changed();

  // Do the steps continue from the projected point, or is only the output projected?
  bool acts_on_recurrence() const;
  bool moves_steps() const { return projector_ && acts_on_recurrence(); }

  StepReport project_end(double t);  // of the last step
  void project_output(double t);     // the present point

  void add_remark() const;  // if it moved points by far more than the tolerance

  void archive(Archive& archive);

 private:
  RunContext& run_;
  std::unique_ptr<Projector> projector_, output_projector_;  // null: no projection, or the stepper projects
  double largest_move_ = 0.0, moved_at_ = 0.0;
};

}  // namespace driftless
