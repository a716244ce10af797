// Equations that are nonlinear in the unknowns they determine may have several solutions, and a step may begin on one
// of them and end on another. No error test sees that where nothing depends on such an unknown, and the point satisfies
// every equation. So the unknowns are looked at where the polynomial of the step is far from its known points: there
// the equations, solved from the polynomial, must have their solution near it. Otherwise the step is too long for this
// unknown, and is taken again, shorter. A step from one solution to another is never right, however short it is.
//
// A multistep method, whose polynomial goes through the last points, is trusted where the line through the last two
// points leads near the next one.
//
// Not looked at: unknowns of blocks with exponentials and the like, whose solution is unique in most models and changes
// by orders (docs/newton.md); slots with a slope of their own, which the error test sees; methods without states.
#pragma once

#include <optional>
#include <vector>

#include "driftless/integrate/run/context.hpp"

namespace driftless {

class BranchWatch {
 public:
  explicit BranchWatch(RunContext& run) : run_(run) {}

  void forget();  // behind a jump

  // Did the last step stay on one solution, with unknowns near its polynomial?
  bool trusts_step();
  // After a step that is not trusted: the next one is shorter. False if it cannot be shorter.
  bool shorten();
  // Why the run ends where a step cannot be shorter.
  StepReport leap() const;
  // The last step is delivered.
  void take_step();
  // Of a stepper that another one has replaced, or that has been read from an archive.
  void limit_steps() const;

  void archive(Archive& archive);

 private:
  void find_slots();
  bool knows_slots() const;  // those of the present states
  void store_polynomial(double a, double b);
  bool line_leads_there() const;
  bool may_be_shorter() const;
  bool is_near(double t);
  double allowance(int slot, double third) const;

  RunContext& run_;
  std::optional<std::vector<int>> slots_;  // nonlinear in their block, and in no error test
  bool of_every_choice_ = false;           // slots_ belongs to every choice of states,
  std::vector<int> of_states_;             // or to these active kinematic relations
  Segment polynomial_;                     // of the last step
  std::vector<double> of_polynomial_;      // a point of it
  bool has_before_ = false;
  double before_ = 0.0;  // the beginning of the step before the last one
  std::vector<double> y_before_;
  double longest_ = HUGE_VAL;
  int leaps_ = -1;  // the slot that was found too far from the polynomial
};

}  // namespace driftless
