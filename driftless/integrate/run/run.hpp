// One run of the driver: the loop over steps. What happens to a step is done by the parts, each in a file of its own,
// in the order in which the loop calls them:
//
// - pivoting, end_projection: the end of the step, with states that determine the rest and on the constraints;
// - events_in_step: does the step contain an event? Then the run stops there until the caller has handled it;
// - jumps: does it pass a jump or a kink? Then it is repeated;
// - branch_watch: does it change to another solution of algebraic equations? Then it is repeated, shorter;
// - singular_watch: does it pass a singular point?
// - output_points, step_points: its output points, each on every constraint, and the certificate;
// - method_exchange, dead_centre: does another method take over?
// - explanation: why the run ends early.
//
// The handling of events, and of runs without states, is in run_at_events.cpp.
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "driftless/integrate/run/branch_watch.hpp"
#include "driftless/integrate/run/context.hpp"
#include "driftless/integrate/checks/delivered_point.hpp"
#include "driftless/integrate/run/dead_centre.hpp"
#include "driftless/integrate/run/end_projection.hpp"
#include "driftless/integrate/run/event_spacing.hpp"
#include "driftless/integrate/run/events_in_step.hpp"
#include "driftless/integrate/run/explanation.hpp"
#include "driftless/integrate/run/jumps.hpp"
#include "driftless/integrate/run/method_exchange.hpp"
#include "driftless/integrate/run/output_points.hpp"
#include "driftless/integrate/run/path_points.hpp"
#include "driftless/integrate/run/pivoting.hpp"
#include "driftless/integrate/checks/run_checks.hpp"
#include "driftless/integrate/run/singular_watch.hpp"
#include "driftless/integrate/run/step_points.hpp"
#include "driftless/integrate/run/step_count.hpp"
#include "driftless/integrate/run/stiff_crawl.hpp"
#include "driftless/integrate/run/values_between.hpp"

namespace driftless {

class Run {
 public:
  // The options and the start are copied; the solution must live as long as the run.
  Run(std::shared_ptr<System> system, const State& start, const IntegrateOptions& options, Solution& solution);

  // Steps until `t` is reached or the run has ended. The first call chooses states, delivers the start and makes the
  // stepper; it throws ModelError if the method or the projection does not apply.
  void go_to(double t);
  // The same without adding the time it took to the solution, for a caller that measures it over many calls.
  void go_to_unmeasured(double t);
  double preparation() const { return context_.preparation; }  // seconds so far, spent on work that is done once

  // Events (model/discrete.hpp). `go_to` returns at the first one: the point before it has been delivered and is
  // `point()`, and `reached()` is its time. The caller sets the new parameters, has the run solve the equations with
  // them as often as needed, and lets it go on.
  const std::optional<EventSearch::Found>& event() const { return event_; }
  const State& point() const { return event_point_; }
  EventSearch& events() { return *context_.events; }
  const std::vector<double>& end_y() const { return path_ ? context_.y : context_.end_y; }
  const std::vector<double>& end_yp() const { return path_ ? context_.yp : context_.end_yp; }
  void set_parameters(std::span<const double> values);
  // Holding the states of y, solve the equations for the rest. False if there is no solution.
  bool solve(double t, std::vector<double>& y, std::vector<double>& yp);
  // Continues from a point that satisfies the equations with the present parameters, and delivers this point. The first
  // step is not longer than `longest_first`.
  void go_on(double t, std::span<const double> y, std::span<const double> yp, double longest_first = HUGE_VAL);
  double next_step_size() const { return context_.stepper ? context_.stepper->next_step_size() : HUGE_VAL; }
  // Continues after an event that has changed no number in the equations: the rest of the step and all further steps
  // are the same bit for bit as without the event. The point is delivered again. False, with no effect, if the method
  // cannot do this.
  bool go_on_unchanged();
  // Ends the run at an event that makes it impossible to go on.
  void end_at_event(StepReport report);

  // The time up to which points are known; the outcome of the solution is undecided until the run has ended.
  double reached() const { return context_.solution.reached; }
  bool has_ended() const { return ended_; }

  // Ends the run at its present time, if it has not ended by itself; fills outcome, statistics, remarks and dense
  // output.
  void finish();

  void use_sink(RowSink rows) { context_.options.rows = std::move(rows); }

  // All series at a time of the last step, on every constraint. Steps are not changed by it.
  void values_at(double t, std::vector<double>& series);

  // A run that was made with the same arguments, has gone to its start and has read the archive that this one has
  // written continues identically, bit for bit.
  void archive(Archive& archive);

 private:
  bool start();  // false as for `advance`
  // One step, or in a run without states one output point. False when the run has ended.
  bool advance();
  bool has_states() const;
  // Called when memory runs out: frees the memory of the run and drops an incomplete point.
  void run_out_of_memory();
  bool end(StepReport report);  // false, for `advance`
  // Where the run has ended at a fold of algebraic equations, it continues from the solution beyond the fold
  // (fold.hpp).
  bool leaps_over_fold();
  void add_remark_on_folds();

  bool advance_by_step();
  StepReport take_step();
  StepReport take_end();  // of the step, projected
  // Handles a step that succeeded. Delivered: `reached` is its end.
  enum class Taken { Delivered, StepAgain, Ends };
  Taken deliver(StepReport& report);
  void end_within_step();
  void tell_step(double to);  // to IntegrateOptions::step_taken
  StepReport prepare_next_step(Jumps::Jump jump, double from, const std::string& what);
  bool needs_polynomial() const;
  bool step_to_output();
  bool takes_again();
  // False if the step has changed to another solution of algebraic equations and is repeated; `report_` ends the run if
  // the step cannot be shorter.
  bool stays_on_branch();
  bool passes_dead_centre();       // after a failure: another method goes on
  bool takes_again_as_singular();  // the last step, shorter, whose end or event lies behind a singular point
  bool takes_half_of_doubtful();   // the same: the step was too long to tell

  bool end_without_polynomial();  // false as for `advance`
  bool takes_undecided_again();   // false as for `advance`
  bool stop_at_event(EventSearch::Found found);
  bool finish_step(double from, Jumps::Jump jump, const std::string& what);
  void store_step();
  void pause_at(EventSearch::Found found);

  bool advance_on_path();
  bool stop_at_event_on_path(EventSearch::Found found);

  // The run is to end, because of the user or of a sink that takes no more points.
  bool is_stopped() const;
  StepReport interruption() const;

  RunContext context_;
  RunChecks checks_;
  DeliveredPoint gate_;
  EndProjection projection_;
  Pivoting pivoting_;
  SingularWatch singular_;
  BranchWatch branches_;
  StepPoints points_;
  Explanation explanation_;
  OutputPoints output_;
  Jumps jumps_;
  MethodExchange methods_;
  DeadCentre dead_centre_;
  StiffCrawl stiff_crawl_;
  EventsInStep events_in_step_;
  ValuesBetween values_;
  StepCount count_;
  EventSpacing spacing_;
  std::unique_ptr<PathPoints> path_;  // of a run without states
  std::optional<double> stepped_to_, taken_again_from_;
  StepReport report_;
  std::optional<EventSearch::Found> event_;
  State event_point_;
  StepReport report_before_event_;  // of the step that led to the last event
  bool begins_inside_ = false;      // only the rest of a step is searched
  bool in_rest_of_step_ = false;    // after an event that has changed nothing continuous
  bool step_is_stored_ = false;     // for dense output
  long parameters_taken_ = -1;      // the version of the system's parameters that this run has taken
  double target_ = 0.0;             // of the last call of go_to
  double leapt_at_ = -HUGE_VAL;     // over the last fold
  int folds_ = 0;                   // so far
  std::string first_fold_;
  bool started_ = false, ended_ = false, finished_ = false;
};

}  // namespace driftless
