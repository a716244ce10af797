// The search for events: where held expressions (model/discrete.hpp) get other values, and where something is sampled.
//
// There are three kinds of held expressions.
//
//   linear in time, time >= next with a discrete `next`: the instant is computed, and steps end there (time_events.hpp)
//   of time alone, sin(time) > 0.5:                      found inside of steps, without any state
//   of variables, h < 0:                                 found inside of steps, on the polynomial of the method
//
// How the last two are found, what rounding does, and what happens where a step begins on the bound of a held value, is
// described in crossings.hpp.
//
// A value is held until the event. At the event the event loop sets the values that `find` has found; then discrete
// equations and states may change, and with them other held expressions: `new_values` gives their values right after
// the event. A function that has just reached its bound lies beside it, by rounding or because solving the equations at
// the event has moved it. Its value is then that of the side to which its slope points, or the found value if it has no
// slope. So after a bounce, with h = -1e-17 and v > 0, h < 0 is false, and after h < 0 was found where the ball goes on
// falling, with h = 1e-12, it stays true.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/crossings/crossings.hpp"
#include "driftless/integrate/crossings/needed_quantities.hpp"
#include "driftless/integrate/crossings/quick_look.hpp"
#include "driftless/integrate/crossings/switches.hpp"
#include "driftless/integrate/crossings/time_events.hpp"
#include "driftless/integrate/crossings/time_terms.hpp"
#include "driftless/integrate/system/system.hpp"

namespace driftless {

class EventSearch {
 public:
  // Uses the parameters of the system. `tolerance` of the run: solving the equations at an event may move a function
  // that has reached its bound by this much, relative to the size of its variables.
  explicit EventSearch(const System& system, double tolerance = 0.0);

  // The end of the run: instants that lie after it by rounding only are moved to it.
  void set_end(double t) { times_.set_end(t); }

  bool exist() const { return times_.exist() || of_state_.crossings.exist() || of_time_.crossings.exist(); }
  // Must steps be searched, or are all events at instants known in advance?
  bool needs_path() const { return of_state_.crossings.exist(); }

  // To be called after every event: held and discrete values have changed, and with them instants; variables may have
  // jumped.
  void take_parameters(std::span<const double> parameters);

  // The next instant that is known in advance: after t, or t itself if a held expression that is linear in time has
  // another value from t on than the one that is held, as `time > 0` at the start 0. Steps must not go beyond it.
  // For nonlinear expressions of time alone, it includes the instants that a search beyond the last step has found.
  std::optional<double> next_instant(double t) const;

  // Gives the quantities at a time of the step, by the polynomial of the method, each at its place among all of them;
  // false if they have no value. Only those that `observe` writes are read.
  using Path = Switches::Path;
  bool observe(double t, std::span<const double> y, std::span<const double> yp, std::span<double> quantities) {
    prepare();
    return needed_(t, y, yp, quantities);
  }
  using Steps = Crossings::Steps;  // Long for methods of high order

  // True if unknowns in them that are no states depend on time through rows, which the polynomial of the method
  // describes only roughly: points inside a step must then be solved.
  bool depends_on_time_in_rows() const { return terms_.are_in_rows(); }
  // True if no function depends on time while the states are held: every step is calm.
  bool are_always_calm() const { return !terms_.exist() && !terms_.are_in_rows(); }
  // True if some unknowns in them follow from the states and are not in the error test of methods that test states
  // alone: between the ends of a step their polynomial may be far off.
  bool depends_on_untested() const { return depends_on_untested_; }
  // Do functions of states, through explicit time in them, change faster than a polynomial through the ends of the step
  // describes? Then the ends prove nothing, and the step must be searched as Steps::Oscillating.
  using Speed = TimeTerms::Speed;
  Speed speed(const TimeTerms::End& from, const TimeTerms::End& to, Steps steps);

  // True if no event is possible in a step from y at a to y at b: a cheap test, which most short steps pass.
  bool is_quiet(double a, double b, std::span<const double> from, std::span<const double> to);
  // The same for the last step of a method that takes long steps, from the coefficients of its polynomial.
  bool is_quiet_along(Stepper& stepper, double a, std::span<const double> from, std::span<const double> to);

  // Makes the next `find` evaluate functions that are linear in the slots along the polynomial of this step, if the
  // method has one. `from`, `to`: y at the ends of the step.
  void use_polynomials(Stepper& stepper, std::span<const double> from, std::span<const double> to);

  struct Found {
    double before, at;           // `at`: the first time at which those expressions have other values; its neighbour
    std::vector<int> held;       // places in DiscretePart::held
    std::vector<double> values;  // their new values
    std::vector<int> samplings;  // places in DiscretePart::samplings
    std::vector<int> never_left = {};  // those of `held` that have been on their bounds since the last event
  };
  // The first event in (a, b], of any kind. At a itself if held values contradict the beginning of the step.
  std::optional<Found> find(double a, double b, const Path& path, Steps steps = Steps::Short);
  // In the last step: a held expression for which it could not be decided whether it changes. The step must be repeated
  // with a smaller size.
  std::optional<int> undecided() const { return undecided_; }
  // At a point of the last step that is to be delivered: a held expression that contradicts its held value by more than
  // errors explain, because the search has missed an event.
  std::optional<int> contradicted(double t, std::span<const double> quantities);
  // The event at a time returned by next_instant, or at the start: expressions linear in time, and samplings.
  Found at_instant(double t) const;

  // Values of all held expressions, in their order, evaluated directly at a point: for the start of the run.
  void values_at(double t, std::span<const double> quantities, std::span<double> values);
  // Corrects the values of expressions of variables that lie on a bound, up to rounding, and are leaving it: they get
  // the value of the side to which they leave.
  void take_sides(double t, std::span<const double> quantities, std::span<double> values);
  // The new values at an event at t, with the parameters that were taken last. `found`: the held expressions of the
  // event. For an expression that has just reached its bound, AtInstant keeps the value that was found; Behind lets its
  // slope decide.
  enum class Side { AtInstant, Behind };
  void new_values(double t, std::span<const double> quantities, std::span<const int> found, std::span<double> values,
                  Side side = Side::Behind);

  // How close a held expression is to its bound at a point, with the parameters that were taken last.
  struct Doubt {
    // None: farther than errors explain. Tolerance: within the error of solving the equations. Rounding: within
    // rounding.
    enum Size { None, Tolerance, Rounding } size = None;
    double distance = 0.0;
    std::optional<double> by_slope = {};  // its value after it, if it leaves the bound in a known direction
    std::optional<double> slope = {};     // of the function
  };
  void doubts(double t, std::span<const double> quantities, std::span<Doubt> out);
  // In the last step: held expressions that have not left their bounds since an earlier event.
  template <class Use>
  void for_each_waiting(Use use) const {
    of_state_.crossings.for_each_waiting([&](int f) { use(of_state_.held[static_cast<std::size_t>(f)]); });
  }

  void archive(Archive& archive);

 private:
  struct Group {  // of functions that are searched inside steps
    std::vector<int> held;
    std::vector<Crossings::Function> functions;
    std::shared_ptr<const Kernel> values, sizes;  // values and slopes; sizes as in Crossings::Course
    std::vector<double> work, outputs, output_sizes;
    Crossings crossings;
  };

  explicit EventSearch(const CompiledSystem& system);
  void compile_kernels(const CompiledSystem& system, const std::shared_ptr<Pool>& pool, std::span<const NodeId> g,
                       Group& group);
  void find_needed(const CompiledSystem& system, const Pool& pool, std::span<const KernelSource> sources);
  void prepare();
  void take_numbers();
  void held_of(Group& group);
  void hold(Group& group);
  bool has_instant(double a, double b);  // known in advance, in (a, b] or at a
  std::optional<Crossings::Found> find_of_state(double a, double b, const Path& path, Steps steps);
  std::optional<Crossings::Found> find_in_time(double a, double b);  // may lie after b
  void add_crossed(Found& event, Group& group, const std::optional<Crossings::Found>& found, const Path* path,
                   bool is_end);
  template <class Use>
  auto with_course(Group& group, const Path* path, Use use);
  void evaluate(Group& group, double t, std::span<const double> quantities);
  double value_behind(const Group& group, std::size_t f, double t, bool is_found, Side side) const;

  std::vector<ParamId> parameter_of_;  // by held expression
  double tolerance_ = 0.0;
  TimeEvents times_;
  Group of_state_, of_time_;
  NeededQuantities needed_;
  QuickLook quick_;
  bool has_polynomials_ = false;  // of the step that is searched
  bool is_prepared_ = false;      // for steps with the parameters that were taken last
  TimeTerms terms_;
  bool depends_on_untested_ = false;
  std::optional<int> undecided_;
  double known_from_ = HUGE_VAL, known_instant_ = -HUGE_VAL;  // the next one for all times >= known_from_
  struct Ahead {
    double until = -HUGE_VAL;  // expressions of time alone have been searched up to here
    double steps = 1.0;        // number of steps that are searched together
    std::optional<Crossings::Found> found = {};
    void archive(Archive& archive) { archive(until, steps, found); }
  } ahead_;
  std::vector<double> inputs_;  // time, parameters, quantities
  std::size_t quantities_ = 0;
};

}  // namespace driftless
