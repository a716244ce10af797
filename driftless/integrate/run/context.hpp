// What the parts of a run share: the equations with the numbers of the run, the settings, the last step, and the
// solution that grows with every output point.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driftless/integrate/crossings/event_search.hpp"
#include "driftless/integrate/run/integrate.hpp"
#include "driftless/integrate/run/method_switching.hpp"
#include "driftless/integrate/solve/algebraic.hpp"
#include "driftless/integrate/solve/point_solver.hpp"

namespace driftless {

inline bool failed(const StepReport& report) { return report.outcome != Outcome::Success; }

struct RunContext {
  RunContext(std::shared_ptr<System> system, const State& start, const IntegrateOptions& options, Solution& solution);

  std::shared_ptr<System> system;
  const Reduced& reduced;
  IntegrateOptions options;
  State start;
  Solution& solution;  // solution.reached: the beginning of the last step until its points are delivered, then its end
  Problem problem;
  MethodSwitching switching;
  std::unique_ptr<AlgebraicSolve> on_constraints;  // made with the first states

  // The last step. Its end is the projected one.
  std::unique_ptr<Stepper> stepper;           // null in a run without states
  std::shared_ptr<PointSolver> point_solver;  // of the stepper, or null
  std::vector<double> from_y, from_yp, end_y, end_yp;
  double goal = 0.0;                    // where the stepper must stop
  std::unique_ptr<EventSearch> events;  // null: the model has none

  // The present point, and all quantities there.
  std::vector<double> y, yp, quantities;

  double preparation = 0.0;  // seconds spent on work that is done once

  const Method& method() const { return switching.method(); }
  bool projects() const { return !std::holds_alternative<projection::None>(options.projection); }
  // The states determine the rest of a point between the ends of a step.
  bool completes_points() const { return reduced.completes_points && uses_states(method()); }
  // The formulation has other rows than the model: nothing puts a point between two steps onto the constraints.
  bool is_rewritten() const { return !reduced.completes_points; }
  bool has_rate(int slot) const;
  bool all_exist() const;  // the present quantities

  void take_point(double t);  // the end of the last step, or the point that its polynomial has at t
  void set_rates(double t);   // of the present point: the rate of every slot as the model gives it
  void observe(double t);     // all quantities at the present point
  // Solves the equations for everything but the states of y, rates included. False if there is no solution.
  bool solve_rows(double t, std::vector<double>& at_y, std::vector<double>& at_yp);
  bool step_again_to(
      double t);  // the stepper goes back to the beginning of the last step and ends at t; false if it cannot

  void archive(Archive& archive);  // without the steppers, which method_exchange.hpp makes

  // Processor time in seconds, without the time for compiling kernels, whenever they are compiled.
  double clock() const;
};

// Ends a run that cannot begin: the request does not fit the model.
[[noreturn]] void refuse_run(Code code, const RunContext& run, const std::string& reason);

}  // namespace driftless
