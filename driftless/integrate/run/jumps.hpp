// Jumps of the equations inside a step (switches.hpp): the step is taken again up to the jump, then in one short step
// across it, and the method starts anew behind it. Kinks that the ends of a step do not show (kinks.hpp), and pulses of
// functions of time (forcing.hpp): the step is taken again and ends there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/integrate/run/context.hpp"
#include "driftless/integrate/checks/forcing.hpp"
#include "driftless/integrate/checks/kinks.hpp"
#include "driftless/integrate/run/output_points.hpp"
#include "driftless/integrate/run/singular_watch.hpp"
#include "driftless/integrate/run/step_points.hpp"
#include "driftless/integrate/crossings/switches.hpp"

namespace driftless {

class Jumps {
 public:
  Jumps(RunContext& run, StepPoints& points, OutputPoints& output, SingularWatch& singular);

  bool may_occur() const { return switches_.exist(); }

  // Takes the parameter values that are valid after an event.
  void take_parameters(std::span<const double> values);

  // Sets the goal of the stepper: the next instant at which something switches by time alone, or the end of the run.
  void aim_behind(double t);
  // u = if time > 0 then 1 else 0 holds at the start with u = 0, and right after it with u = 1.
  void pass_instant_at_start();

  enum class Jump {
    None,
    Crossed,    // by a step so short that the jump does no harm
    StepAgain,  // the stepper is back at the beginning of the step, with another end
    Ends        // the run, with the reason in `report`
  };
  // Of the last step up to `end`, which is an event or its own end; `report.reason` names what jumps.
  Jump look_at_step(double end, StepReport& report);
  // A kink that the two ends do not show: the stepper is back at the beginning of the step, to end there.
  bool ends_at_kink(double end, Jump jump);
  // The same for a pulse of a function of time that the method has not seen.
  bool ends_at_pulse(double end, Jump jump);
  // No step ends at the kink: the equations may have no solution there that an iteration finds, and have one behind it.
  bool gives_up_kink();
  // For a step without a polynomial where one is needed: repeats its first half, which has other points inside.
  bool takes_half();
  // The step is repeated, to end at t for another reason than a jump.
  bool step_again_to(double t);

  // Is the stepper's present goal a jump or a kink?
  bool is_hunting() const { return hunt_.width != 0.0 || instant_is_goal_ || kink_goal_ == run_.goal; }
  // At an event: drops the jump or kink that was being located.
  void forget();

  // After the step across the jump, from `from`, has been delivered: the method restarts after it.
  StepReport go_on_behind(double from, const std::string& what);
  // The stepper has reached its goal, which lies before the end of the run.
  StepReport go_on_from_goal();

  // In a run without states, on the path from the point before to the present one.
  StepReport look_for_pole(double a, double b);

  void archive(Archive& archive);

 private:
  bool is_hunted(Jump jump) const { return jump == Jump::Crossed && hunt_.width > 0.0; }
  bool passed_kinks_matter();
  bool is_bent(double t);                  // the polynomial of the last step
  double defect_of_collocation(double t);  // as Stepper::defect
  double missed_rates(double t);
  double width_of_jump(const Switches::Crossing& crossing);
  void start_behind(double t);
  StepReport count_jump(double t, double width,
                        const std::string& what);  // too many jumps within too short a time are a failure

  RunContext& run_;
  StepPoints& points_;
  OutputPoints& output_;
  SingularWatch& singular_;
  Switches switches_;
  Kinks kinks_;
  Forcing forcing_;
  bool instant_is_goal_ = false;
  struct Hunt {  // for a jump: the size of the step that is to cross it, and where to give up
    double width = 0.0, until = 0.0;
  } hunt_;
  std::vector<double> jumps_;  // the last ones
  std::optional<double> kink_goal_, kink_given_up_at_;
};

}  // namespace driftless
