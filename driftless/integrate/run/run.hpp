// One run of the driver: the loop over steps (run.cpp), states and projections (run_states.cpp), delivered points and
// the certificate (run_output.cpp), and why it ended early (run_explanation.cpp).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driftless/integrate/solve/algebraic.hpp"
#include "driftless/integrate/states/state_coordinates.hpp"
#include "driftless/integrate/run/delivered_point.hpp"
#include "driftless/integrate/run/dense_output.hpp"
#include "driftless/integrate/run/integrate.hpp"
#include "driftless/integrate/states/forced_states.hpp"
#include "driftless/integrate/run/kinks.hpp"
#include "driftless/integrate/run/path.hpp"
#include "driftless/integrate/solve/projector.hpp"
#include "driftless/integrate/run/run_checks.hpp"
#include "driftless/integrate/states/selection.hpp"
#include "driftless/integrate/run/singular_points.hpp"
#include "driftless/integrate/run/stiff_crawl.hpp"
#include "driftless/integrate/run/method_switching.hpp"
#include "driftless/integrate/run/switches.hpp"

namespace driftless {

class Run {
 public:
  Run(std::shared_ptr<System> system, const State& start, const IntegrateOptions& options, Solution& solution);

  void go();

  double preparation() const { return preparation_; }  // by the clock

  // Seconds of the processor without those spent on kernels, whenever these are made; and the latter.
  double clock() const;
  double compilation() const { return seconds_of_compilation(); }

  // No memory is left: what the run itself needed is given back, and a point that is not complete is dropped.
  void run_out_of_memory();

 private:
  bool has_rates() const;

  void choose_states();

  std::string describe_row(int row) const;

  void refuse(const std::string& reason) const;

  void run_steps(StepReport& report);

  // Output points of the last step, and its end: success, or why it ends the run.
  StepReport deliver_step(Stepper& stepper, StepReport report);
  bool has_output_within(const Stepper& stepper) const;
  StepReport output_of_step(Stepper& stepper);
  StepReport examine_end(Stepper& stepper);  // of a step without output points
  // A step whose end does not satisfy the equations: the method starts anew from its beginning, once at each point.
  bool takes_again(Stepper& stepper);
  // A step without a polynomial where one is needed: the first half of it, which has other points inside.
  bool needs_polynomial(const Stepper& stepper) const;
  bool takes_half(Stepper& stepper);

  // ---- jumps of the equations

  enum class Jump { None, Crossed, StepAgain, Ends };
  // Of the last step. Crossed: the step is so short that the jump does no harm. StepAgain: the stepper is back at its
  // beginning, with another end.
  Jump look_for_jump(Stepper& stepper, StepReport& report);
  StepReport look_for_pole(double a, double b);
  // A kink that the ends of the last step do not show: the stepper is back at its beginning, and the step is to end
  // there.
  bool ends_at_kink(Stepper& stepper);
  bool passed_kinks_matter(Stepper& stepper);
  double defect_of_collocation(Stepper& stepper, double t);  // as Stepper::defect
  bool gives_up_kink(Stepper& stepper);
  // All quantities at a time of the last step; false if there are none.
  bool observe_within_step(Stepper& stepper, double t, std::span<double> quantities);
  StepReport look_for_singular_point(Stepper& stepper);
  double width_of_jump(Stepper& stepper, const Switches::Crossing& crossing);
  bool has_rate(int slot) const;
  void pass_instant_at_start(Stepper& stepper);
  void start_behind(Stepper& stepper, double t);
  StepReport go_on_from_goal(Stepper& stepper);
  StepReport end_before_instant();
  // Too many within too short a time end the run.
  StepReport count_jump(double t, double width, const std::string& what);
  double next_goal(double t) const;  // the next instant at which something switches by time alone, or the end

  // An output point within the last step is not what the polynomial says: the step is taken again, to end there.
  bool step_to_output(Stepper& stepper);

  // A stepper for the method, and a projector unless the stepper projects by itself. What is done once, kernels and
  // orderings, is part of the compilation.
  std::unique_ptr<Stepper> make(const Method& method, const State& start);

  // ---- another method takes over

  const Method& method() const { return switching_.method(); }

  StepReport look_at_modes(const Stepper& stepper);

  // Where nobody has cared for them.
  void choose_states(const Stepper& stepper);

  void hand_over(std::unique_ptr<Stepper>& stepper, const Method& next, const StepReport& report);

  // Who has stepped before keeps what it has made; nothing if nobody has, or cannot go on.
  std::unique_ptr<Stepper> resumed(const Method& method, const State& here);

  void remark_on_trials();

  // The largest condition is that of all steppers.
  void add_statistics(const Method& method, const Stepper& stepper);

  // ---- projections

  bool projects() const { return !std::holds_alternative<projection::None>(options_.projection); }
  bool projects_recurrence() const;

  void check_projection();

  void prepare_projection();

  // The end of the step, projected.
  StepReport take_end(const Stepper& stepper);

  void remark_on_projection();

  void count_step(const Stepper& stepper);

  // Many steps have advanced by next to nothing of the interval: they will never reach its end.
  bool crawls(const Stepper& stepper);

  // Steps that go too far may have met an expression without a value; then that is the reason.
  StepReport fails_to_advance() const;

  // No state at all: at every time the model is a set of algebraic equations, and the path is followed point by point.
  void run_algebraic(StepReport& report);

  bool follow_to(Path& path, double t);

  // Between two points of a path without states: dense output solves the equations from there.
  static Segment chord(double begin, const std::vector<double>& from, double end, const std::vector<double>& to);

  double output_time(int k) const;

  // A point within the last step that lies on every constraint: the polynomial of the step gives the states, the rows
  // give the rest.
  Origin load(Stepper& stepper, double t);

  bool completes_points() const { return reduced_.completes_points && uses_states(method()); }
  // Nothing puts a point between two steps onto the rows.
  bool is_rewritten() const { return !reduced_.completes_points; }

  StepReport output_up_to(Stepper& stepper, double end);

  // Up to which time of the last step every quantity exists: its end, or else the edge, by bisection.
  double end_of_values(Stepper& stepper);

  // Some quantity does not exist beyond `end`.
  StepReport stop_between(Stepper& stepper, double end);
  // The run ends within the last step: dense output needs what was right of it.
  void keep_segment(Stepper& stepper);

  bool all_exist() const;

  // Does the present point satisfy the equations (delivered_point.hpp)? Otherwise the reason why the run ends here.
  StepReport examine(double t, Origin origin);
  // Puts the present point into the trajectory and its residuals into the certificate.
  StepReport deliver(double t, Origin origin);
  void record_residuals(double t);
  bool find_point_within_step(double t);
  bool follow_within_step(double t, double from);
  double distance(std::span<const double> a, std::span<const double> b) const;  // relative to the size of the slots

  // The last point of the trajectory goes to the sink.
  void hand_out();

  // The run is to end, because of the user or of a sink that takes no more points.
  bool is_stopped() const { return sink_is_full_ || (options_.progress && !options_.progress(solution_.reached)); }
  StepReport interruption() const;

  // The present quantities exist, and the assertions of the model hold.
  bool is_right(double t) { return all_exist() && checks_.hold(t, quantities_); }

  // States that the user insists on have ceased to determine the rest during the last step.
  std::optional<std::string> lost_states(double t, std::span<const double> y, std::span<const double> yp);

  // Their values are columns behind the quantities. That one has no value stops no run.
  void record_invariants(double t);

  void pivot(Stepper& stepper);

  // Exchanges at the same time are one change.
  void record(const std::vector<Pivot>& changes);

  double next_step(const Stepper& stepper) const;

  void take_states(double t);

  void use_states();

  // The polynomials of explicit methods know the states only.
  void begin_epoch(double t);

  void restart(Stepper& stepper);

  // A step that fails in local coordinates may succeed in others: tried once at each point.
  bool renew_chart(Stepper& stepper);

  // The rate of every slot as the model gives it.
  void set_rates(double t);

  // The present point, y_ and yp_, has no value, or an assertion does not hold there.
  StepReport undefined_at(double t);
  StepReport not_satisfied(const DeliveredPoint::Violation& violation);
  std::string why_not_kept() const;

  void describe_failure(Stepper& stepper, const StepReport& report);

  // No step from the present point, y_ and yp_, succeeds.
  void describe_breakdown(double t);

  void describe_columns();

  void finish(const StepReport& report);

  std::shared_ptr<System> system_;
  const Reduced& reduced_;
  const IntegrateOptions& options_;
  Solution& solution_;
  const State& start_;
  Problem problem_;
  StateCoordinates coordinates_;
  MethodSwitching switching_;
  StiffCrawl stiff_crawl_{problem_};
  RunChecks checks_;
  ForcedStates forced_;
  std::unique_ptr<AlgebraicSolve> on_constraints_;
  std::vector<double> choice_values_, y_, yp_, quantities_, invariants_;
  DeliveredPoint may_be_delivered_;
  std::vector<double> end_y_, end_yp_;    // of the last step, projected
  std::vector<double> from_y_, from_yp_;  // of its beginning
  Switches switches_;
  Kinks kinks_;
  double goal_ = 0.0;  // where the stepper is to stop
  mutable bool instant_is_goal_ = false;
  struct {
    double width = 0.0, until = 0.0;
  } hunt_;                     // for a jump: the size of the step that is to cross it, and where to give up
  std::vector<double> jumps_;  // the last ones
  std::optional<double> kink_goal_, kink_given_up_at_;
  SingularPoints singular_;
  struct Watch {  // with every level of the constraints and a choice of states of its own
    Watch(std::shared_ptr<System> watched, const StateCoordinates& coordinates);
    std::shared_ptr<System> system;
    Problem problem;
    StateCoordinates coordinates;
    SingularPoints singular;
    double until;  // the end of the last step that was looked at
    // Before a step: behind a jump, or steps of another method, the matrix may be another one.
    void begin(double t);
    // At the end of a step: other states, if these have become worse.
    void renew(double t, std::span<const double> y, std::span<const double> yp);
  };
  std::unique_ptr<Watch> make_watch() const;
  bool looked_for_singular_points_ = false;
  std::unique_ptr<Watch> watch_;  // of a rewritten formulation, or of a method without states: for singular points
  std::unique_ptr<Projector> projector_, output_projector_;
  std::shared_ptr<PointSolver> point_solver_;  // of the present stepper, or null
  double largest_move_ = 0.0, moved_at_ = 0.0;
  std::vector<StateEpoch> epochs_;
  std::optional<double> renewed_at_;
  int next_output_ = 1;
  bool sink_is_full_ = false;
  std::optional<double> stepped_to_, taken_again_from_;
  long steps_ = 0;
  struct {
    long steps = 0;
    double t;
  } milestone_{.t = start_.t};
  std::unique_ptr<Stepper> stepper_;
  using Former = std::pair<Method, std::unique_ptr<Stepper>>;
  std::vector<Former> former_;
  std::size_t remark_of_change_ = 0;  // the last of them
  double preparation_ = 0.0;
};

}  // namespace driftless
