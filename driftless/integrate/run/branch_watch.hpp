// Equations that are nonlinear in the unknowns they determine may have several solutions, and a step may begin on one
// of them and end on another. If nothing else depends on such an unknown, no error test notices, as the point satisfies
// every equation. So the unknowns are checked where the polynomial of the step is far from its known points: the
// solution of the equations, computed from the polynomial, must lie near it. Otherwise the step is too long for this
// unknown, and is repeated with a smaller size. A step from one solution to another is never right, however short it
// is.
//
// A multistep method, whose polynomial goes through the last points, is trusted where the line through the last two
// points leads near the next one.
//
// Not checked: unknowns of blocks that have one solution at most (expr/injective.hpp), as diodes with resistors, whose
// currents change by orders in a step; slots with a slope of their own, which the error test sees; methods without
// states.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "driftless/integrate/run/context.hpp"
#include "driftless/integrate/states/nonlinear_blocks.hpp"

namespace driftless {

class BranchWatch {
 public:
  explicit BranchWatch(RunContext& run) : run_(run) {}

  void forget();  // after a jump

  // Did the last step stay on one solution, with unknowns near its polynomial?
  bool trusts_step();
  // After a step that is not trusted: makes the repeated step shorter. False if it cannot be shorter.
  bool shorten();
  // Why the run ends where a step cannot be shorter.
  StepReport leap() const;
  // The last step is delivered.
  void take_step();
  // To be called after another stepper has taken over or the run was read from an archive.
  void limit_steps() const;

  void archive(Archive& archive);

 private:
  void find_blocks();
  bool knows_blocks() const;  // those of the present states
  void find_slots();          // with the present parameters
  void store_polynomial(double a, double b);
  bool line_leads_there() const;
  bool may_be_shorter() const;
  bool is_near(double t);
  double allowance(int slot, double third) const;

  RunContext& run_;
  std::shared_ptr<const std::vector<NonlinearBlock>> blocks_;
  bool of_every_choice_ = false;           // blocks_ belongs to every choice of states,
  std::vector<int> of_states_;             // or to these active kinematic relations
  std::optional<std::vector<int>> slots_;  // of those blocks that may have several solutions,
  long version_ = -1;                      // with this version of the parameters
  std::vector<OneSolution> one_solution_;  // of each block
  Segment polynomial_;                     // of the last step
  std::vector<double> of_polynomial_;      // a point of it
  bool has_before_ = false;
  double before_ = 0.0;  // the beginning of the step before the last one
  std::vector<double> y_before_;
  double longest_ = HUGE_VAL;
  int leaps_ = -1;  // the slot whose solution was too far from the polynomial
};

}  // namespace driftless
