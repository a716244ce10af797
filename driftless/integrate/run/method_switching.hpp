// Decides when another method takes over. Explicit methods detect by themselves that a decaying mode bounds their steps
// (stiffness.hpp); in all other cases the fastest modes are examined now and then.
//
//   implicit methods   A slope costs less than a step, but stability limits how far an explicit method gets per slope.
//                      Where an explicit method needs fewer slopes, even if stability bounds all its steps, the run is
//                      no longer stiff. (Petzold 1983 compares the step sizes of the two in the same way.)
//   series             On a mode of the rate r the coefficients of order p stop falling at h r ~ (p!)^(1/p): if its
//                      step comes close to this bound, a mode with a tiny amplitude may limit it, not the solution.
//   explicit methods   The same for steps near the bound of stability, in whatever direction the mode lies.
//
//   explicit methods   A step takes many times the evaluations that its slopes need: steps are rejected, or Newton's
//                      iteration hardly converges. Whatever the reason is, another method may do better.
//
// A decaying mode that bounds the steps proves stiffness. Other signs are only a suspicion: the mode that bounds the
// steps may be the solution itself, and accuracy may limit steps where stability does not. So a method that takes over
// on suspicion is on trial. The time that a method gains per operation (work.hpp) was measured before the change, and
// is measured again after some steps of the new method; if that is slower, then or later, the first method returns.
//
// Every change costs a new start, and a problem may change often. So a first sign must be confirmed, twice as often
// after each return to an explicit method, and after each failed trial the wait for the next sign is four times as
// long: of n steps at most about log n are spent on changes.
#pragma once

#include <optional>

#include "driftless/integrate/run/fastest_mode.hpp"
#include "driftless/integrate/steppers/stepper.hpp"
#include "driftless/integrate/steppers/work.hpp"

namespace driftless {

class MethodSwitching {
 public:
  MethodSwitching(Problem& problem, const Successors& successors, const Method& first);

  const Method& method() const { return method_; }  // the present one

  // After an accepted step: is it time to examine the modes, or to judge a trial? Never, if no method could take over
  // or little is left.
  bool is_due(const Stepper& stepper, double stop);

  // Judges the modes at the end of the step, or the trial. Precondition: the states of the problem are chosen for this
  // point.
  StepReport examine(const Stepper& stepper);
  void states_changed() { states_changed_ = true; }

  // A stepper reports that stability bounds its steps. A change does not pay if little of the run is left. A decaying
  // mode confirms the report; if the fastest mode oscillates, the method that takes over is on trial, once there is a
  // speed to compare with. Precondition: the states are chosen for this point.
  bool heeds_stepper(const Stepper& stepper, double stop);
  bool confirms_stepper(const Stepper& stepper);

  // The method to switch to; null if the method stays: no successor is set, the one that is set does not apply, or a
  // trial of it failed not long ago.
  const Method* successor(Advice advice);
  void take_over(const Method& next);

  // Does the change that was advised last end a failed trial?
  bool returns() const { return returns_; }
  double operations_of_looks();  // work spent on examining modes
  int trials_in_vain() const { return implicit_in_vain_ + explicit_in_vain_; }

  void archive(Archive& archive);

 private:
  void begin();
  void measure(const Stepper& stepper);
  bool trial_is_over() const;
  Advice judge(const Mode& mode, const Stepper& stepper) const;
  bool proves_stiffness(const Mode& mode, const Stepper& stepper) const;
  bool is_costly(const Stepper& stepper) const;
  double rest(const Stepper& stepper, double stop) const;  // of the run, in slopes
  std::optional<Mode> fastest_mode(const Stepper& stepper);

  Problem& problem_;
  Successors successors_;
  Method method_;
  std::optional<FastestMode> fastest_;
  std::optional<Work> work_;
  bool states_changed_ = false;
  int wait_ = 0, left_ = 0;                        // steps between two examinations, and until the next
  int signs_ = 0, signs_of_ease_ = 3;              // seen in a row, and how many make a run not stiff
  double step_before_ = 0.0, largest_step_ = 0.0;  // at the last look, and of all since the method took over
  double recent_step_ = 0.0;                       // the largest recent one; older ones count less

  long steps_ = 0, measured_from_ = 0;  // since the method took over
  double mark_time_ = 0.0, mark_work_ = 0.0, mark_evaluations_ = 0.0;
  double evaluations_per_step_ = 0.0;        // in the last window; 0: unknown
  double speed_ = 0.0, speed_before_ = 0.0;  // time per operation, in the last window and the one before; 0: unknown
  bool suspicion_ = false;                   // the last sign of stiffness was only a suspicion
  bool left_costly_ = false;                 // an explicit method was left because it was too costly
  bool on_trial_ = false, stood_trial_ = false, verdict_ = false, returns_ = false;
  double speed_to_beat_ = 0.0;
  int slow_windows_ = 0;                             // in a row, slower than the previous method
  int implicit_in_vain_ = 0, explicit_in_vain_ = 0;  // trials of implicit methods, and of the others
};

}  // namespace driftless
