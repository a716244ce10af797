// A stepper only steps. Output, pivots, certificates and outcomes are the driver's.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "driftless/archive/archive.hpp"
#include "driftless/initialize/initialize.hpp"
#include "driftless/integrate/steppers/along_step.hpp"
#include "driftless/integrate/steppers/method.hpp"
#include "driftless/integrate/steppers/newton_acceptance.hpp"
#include "driftless/integrate/system/problem.hpp"
#include "driftless/integrate/solve/newton.hpp"
#include "driftless/integrate/solve/point_solver.hpp"
#include "driftless/integrate/solve/projection.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

struct StepSettings {
  double tolerance = 1e-6;
  double stop = 1.0;
  std::optional<double> step = {};                                // a constant step size; then there is no error test
  double longest_step = std::numeric_limits<double>::infinity();  // of a step that the method chooses
  NewtonTest newton = NewtonTest::Two;
  Projection projection = projection::None{};  // a stepper may restore the constraints itself: Stepper::projects
  bool leap = false;  // one constant step over a point at which the rows have no single solution: it begins at `start`
};

// What has been noticed about the problem; the driver may change the method.
enum class Advice { GoOn, Stiff, NotStiff, Costly };

struct StepReport {
  Outcome outcome = Outcome::Success;
  std::string reason;  // why it failed, or the reason of the advice
  Advice advice = Advice::GoOn;
  std::optional<Code> code = {};  // of a failure, if it is more specific than the outcome
};

// Explains the failure of a step whose size was constant or could not be reduced further.
StepReport explain(const newton::Report& report, const char* if_singular = "the iteration matrix is singular",
                   bool is_constant = true);

class Stepper {
 public:
  virtual ~Stepper() = default;

  // One accepted step, not beyond the stop time.
  virtual StepReport step() = 0;

  virtual double time() const = 0;
  virtual double last_step() const = 0;
  virtual int last_order() const = 0;
  virtual std::span<const double> y() const = 0;
  virtual std::span<const double> yp() const = 0;

  // The step size that it would try next; infinity if unknown.
  virtual double next_step_size() const { return std::numeric_limits<double>::infinity(); }

  // No further step that the method chooses is longer, until another limit is set. A method that has its own longest
  // step may ignore this.
  virtual void limit_steps(double longest) { static_cast<void>(longest); }

  // Has the last step a polynomial? Not if the equations cannot be solved at a point that only the polynomial needs.
  virtual bool has_polynomial() { return true; }
  // The defect of the polynomial of the last step in the differential equation at a time within: the difference of the
  // rates, times the step size, in units of the error test. 0 if the method does not compute it: then its error test is
  // trusted.
  virtual double defect(double) { return 0.0; }
  // The same at the last point that `interpolate` has found, at no cost.
  virtual double defect_of_point() const { return 0.0; }
  // Does the polynomial of the last step satisfy the equations to rounding there, so that solving them would find the
  // same point?
  virtual bool is_exact_at(double) const { return false; }
  // Announces that this many points within the last step will be requested, and no polynomial stored: the method may
  // prepare a cheaper evaluation. 0: no more are requested, and the polynomial is that of the step again.
  virtual void expect_points(std::size_t number) { static_cast<void>(number); }
  // The point at t within the last step, by the polynomial of the method.
  virtual void interpolate(double t, std::span<double> y, std::span<double> yp) = 0;
  virtual void store(Segment& segment) = 0;
  // A linear function of y along that polynomial. False if the method does not have it available, or if points between
  // the ends of the step do not lie on it.
  virtual bool along_step(std::span<const SlotWeight> function, AlongStep& out) {
    static_cast<void>(function), static_cast<void>(out);
    return false;
  }

  // For points between the ends of steps, of a method that has no states to hold there; null otherwise.
  virtual std::shared_ptr<PointSolver> point_solver() { return nullptr; }

  // Does the projection of the settings happen inside the step and in `interpolate`? Otherwise the driver does it.
  virtual bool projects() const { return false; }

  // A projection replaces the end point of the last step: the stepper goes on from there. False if the method cannot.
  virtual bool replace(std::span<const double> y, std::span<const double> yp) = 0;

  // The problem has new states: go on with history, order and step size, and a fresh matrix.
  virtual void continue_with_new_states() = 0;
  // The same, but forget the history.
  virtual void restart(std::span<const double> y, std::span<const double> yp) = 0;
  // A new start at another time and point, with another end: after a jump of the equations, or after steps of another
  // method. Kernels and orderings are kept; constant steps go on from there. False if the method cannot.
  virtual bool resume(double t, std::span<const double> y, std::span<const double> yp, double stop) = 0;
  // The same after an event, with the same states. The method first tries its present step size, but not more than
  // `longest_first`.
  virtual bool resume_behind_event(double t, std::span<const double> y, std::span<const double> yp, double stop,
                                   double longest_first) {
    static_cast<void>(longest_first);
    return resume(t, y, yp, stop);
  }
  // Only the time at which steps must end has changed: order, step size and history stay. False if the method cannot.
  virtual bool go_on_to(double stop) {
    static_cast<void>(stop);
    return false;
  }

  // Of the last matrix of Newton's iteration; zeros if there was none.
  virtual ConditionNumbers condition() const { return {}; }

  virtual void add_to(Statistics& statistics) const = 0;

  // Archives everything on which its further steps and answers depend, including the states of the problem and values
  // cached in it: a new stepper for the same problem, method and settings, made at any point and with any states,
  // continues identically, bit for bit, after reading it. Writing changes nothing.
  virtual void archive(Archive& archive) = 0;
};

// Precondition: not_applicable(method, problem) is empty.
std::unique_ptr<Stepper> make_stepper(const Method& method, Problem& problem, const State& start,
                                      const StepSettings& settings);

// The reason why the method cannot be applied to the problem, naming the equation; nothing if it can.
std::optional<std::string> not_applicable(const Method& method, const Problem& problem);

// Does the method integrate chosen states? Otherwise no states are chosen, and every point it delivers is complete.
bool uses_states(const Method& method);

// Can the end point of a step be replaced, so that a projection may act on the recurrence? Not if an external code owns
// the history.
bool can_replace(const Method& method);

}  // namespace driftless
