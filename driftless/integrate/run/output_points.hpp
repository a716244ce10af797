// What a run delivers: the columns, then point after point the trajectory, the certificate and the invariants. A point
// that does not satisfy the equations is not delivered (delivered_point.hpp): it ends the run with the reason.
#pragma once

#include <optional>
#include <vector>

#include "driftless/integrate/run/context.hpp"
#include "driftless/integrate/checks/delivered_point.hpp"
#include "driftless/integrate/run/explanation.hpp"
#include "driftless/integrate/checks/run_checks.hpp"
#include "driftless/integrate/run/step_points.hpp"
#include "driftless/integrate/system/inspected_points.hpp"

namespace driftless {

class OutputPoints {
 public:
  OutputPoints(RunContext& run, DeliveredPoint& gate, RunChecks& checks, StepPoints& points, Explanation& explanation);

  void describe_columns();

  // The grid of output times.
  bool is_done() const { return next_ > run_.options.intervals; }
  double next_time() const { return time_of(next_); }
  void skip() { ++next_; }
  void skip_up_to(double t) {
    while (!is_done() && next_time() <= t) skip();
  }

  // Does the present point satisfy the equations? Otherwise the reason why the run ends here.
  StepReport examine(double t, Origin origin);
  // Puts the present point into the trajectory and its residuals into the certificate.
  StepReport deliver(double t, Origin origin);
  // Delivers the last point again, after an event that has changed nothing continuous.
  void deliver_again(double t);

  // Delivers the output points of the last step, and its end: success, or why the run ends.
  StepReport deliver_step();
  // Delivers those of the last step before an event at t, then the point at t itself, as it is before the event.
  StepReport deliver_event(double t);
  // Delivers the output points left when the run stops a rounding error before its end: all get the end of the step.
  StepReport deliver_rest();

  // True if the sink takes no more points.
  bool is_full() const { return sink_is_full_; }
  void drop_incomplete();  // point, after memory ran out

  void archive(Archive& archive);

 private:
  double time_of(int k) const;
  bool is_right(double t) { return run_.all_exist() && checks_.hold(t, run_.quantities); }
  StepReport points_of_step();
  StepReport examine_end();
  // `may_refuse`: a point that the polynomial of the step does not describe well enough is refused once.
  StepReport deliver_up_to(double end, bool may_refuse);
  StepReport deliver_each_up_to(double end, bool may_refuse);
  std::size_t number_up_to(double end) const;
  bool refuses(double t, double defect);
  // Evaluates the next points up to `end` together, which costs an interpreted kernel a third of single evaluations.
  // Returns their number; at most one where this gains nothing.
  std::size_t look_ahead(double end);
  struct Ahead {
    Origin origin = Origin::Solved;
    double defect = 0.0;  // of the polynomial, from the stepper
    std::vector<double> y, yp, quantities, residuals_and_sizes;
  };
  StepReport examine_ahead(double t, const Ahead& point);
  StepReport deliver_examined(double t, StepReport report);
  StepReport look_for_missed_event(double t);  // at the present point: does it contradict a held value?
  // Up to which time of the last step every quantity exists: its end, or else the edge, by bisection.
  double end_of_values();
  StepReport stop_behind(double end);
  void put_into_trajectory(double t);
  void record_invariants(double t);
  void hand_out();

  RunContext& run_;
  DeliveredPoint& gate_;
  RunChecks& checks_;
  StepPoints& points_;
  Explanation& explanation_;
  std::vector<double> invariants_;
  InspectedPoints inspect_;
  std::vector<Ahead> ahead_;
  int next_ = 1;
  bool sink_is_full_ = false;
  std::optional<double> refused_;
};

}  // namespace driftless
