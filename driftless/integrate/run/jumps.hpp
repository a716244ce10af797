// Jumps of the equations inside a step (switches.hpp): the step is taken again up to the jump, then in one short step
// across it, and the method starts anew behind it. Kinks that the ends of a step do not show (kinks.hpp): the step is
// taken again and ends there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/integrate/run/context.hpp"
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

  // At an event: other values of the parameters.
  void take_parameters(std::span<const double> values);

  // The next instant at which something switches by time alone, or the end of the run: sets the goal of the stepper.
  void aim_behind(double t);
  // u = if time > 0 then 1 else 0 holds at the start with u = 0, and right behind it with u = 1.
  void pass_instant_at_start();

  enum class Jump {
    None,
    Crossed,    // by a step that was made so short that the jump does no harm
    StepAgain,  // the stepper is back at the beginning of the step, with another end
    Ends        // the run, with the reason in `report`
  };
  // Of the last step up to `end`, which is an event or its own end; `report.reason` names what jumps.
  Jump look_at_step(double end, StepReport& report);
  // A kink that the two ends do not show: the stepper is back at the beginning of the step, to end there.
  bool ends_at_kink(double end, Jump jump);
  // No step ends at the kink: the equations may have no solution there that an iteration finds, and have one behind it.
  bool gives_up_kink();
  // A step without a polynomial where one is needed: the first half of it, which has other points inside.
  bool takes_half();
  // The step is taken again, to end at t for another reason than a jump.
  bool step_again_to(double t);

  // Is the present goal that of a jump or of a kink?
  bool is_hunting() const { return hunt_.width != 0.0 || instant_is_goal_ || kink_goal_ == run_.goal; }
  // At an event: what was hunted or aimed at does not count any more.
  void forget();

  // The step across the jump, from `from`, is delivered: the method starts anew behind it.
  StepReport go_on_behind(double from, const std::string& what);
  // The stepper has come to the end that was set for it, before that of the run.
  StepReport go_on_from_goal();

  // In a run without states, on the path from the point before to the present one.
  StepReport look_for_pole(double a, double b);

  void archive(Archive& archive);

 private:
  bool passed_kinks_matter();
  bool is_bent(double t);                  // the polynomial of the last step
  double defect_of_collocation(double t);  // as Stepper::defect
  double width_of_jump(const Switches::Crossing& crossing);
  void start_behind(double t);
  StepReport count_jump(double t, double width,
                        const std::string& what);  // too many within too short a time: a failure

  RunContext& run_;
  StepPoints& points_;
  OutputPoints& output_;
  SingularWatch& singular_;
  Switches switches_;
  Kinks kinks_;
  bool instant_is_goal_ = false;
  struct Hunt {  // for a jump: the size of the step that is to cross it, and where to give up
    double width = 0.0, until = 0.0;
  } hunt_;
  std::vector<double> jumps_;  // the last ones
  std::optional<double> kink_goal_, kink_given_up_at_;
};

}  // namespace driftless
