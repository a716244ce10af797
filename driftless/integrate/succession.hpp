// When should another method go on? Explicit methods notice by themselves that stability bounds their steps
// (stiffness.hpp); for the others the fastest modes are looked at now and then.
//
//   implicit methods   A slope costs less than a step, but stability allows an explicit method only so much time per
//                      slope. Where an explicit method needs fewer slopes, even if stability bounds all its steps, the
//                      run is no longer stiff. (Petzold 1983 compares the step sizes of the two in the same way.)
//   series             On a mode that decays at the rate r the coefficients of order p stop falling at h r ~ (p!)^(1/p):
//                      a series whose step comes near this bound sees a mode that is no longer there, not the solution.
//
// Every change costs a new start, and a problem may change often. So a first sign must be confirmed, and with each return
// to an explicit method twice as often: of n steps at most about log n are spent on changes.
#pragma once

#include <optional>

#include "driftless/integrate/fastest_mode.hpp"
#include "driftless/integrate/stepper.hpp"

namespace driftless {

class Succession {
 public:
  Succession(Problem& problem, const Successors& successors, const Method& first);

  const Method& method() const { return method_; }  // who steps at present

  // After an accepted step: is it time to look at the modes? Never, if nobody could take over or little is left.
  bool is_due(const Stepper& stepper, double stop);

  // What the modes at the end of the step say. The states of the problem are chosen for this point.
  StepReport examine(const Stepper& stepper);
  void states_changed() { states_changed_ = true; }

  // Who follows the advice; nobody: the method stays, because nobody was named, or who was named does not apply.
  const Method* heir(Advice advice);
  void take_over(const Method& next);

 private:
  void begin();
  Advice judge(const Mode& mode, const Stepper& stepper) const;

  Problem& problem_;
  Successors successors_;
  Method method_;
  std::optional<FastestMode> fastest_;
  bool states_changed_ = false;
  int wait_ = 0, left_ = 0;            // steps between two looks, and until the next
  int signs_ = 0, signs_of_ease_ = 3;  // seen in a row, and how many make a run not stiff
  double step_before_ = 0.0, largest_step_ = 0.0;  // at the last look, and of all since the method took over
};

}  // namespace driftless
