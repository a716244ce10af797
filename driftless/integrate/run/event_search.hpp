// The search for events: where held expressions (model/discrete.hpp) get other values, and where something is sampled.
//
// There are three kinds of held expressions.
//
//   linear in time, time >= next with a discrete `next`: the instant is computed, and steps end there (time_events.hpp)
//   of time alone, sin(time) > 0.5:                      found inside of steps, without any state
//   of variables, h < 0:                                 found inside of steps, on the polynomial of the method
//
// How the last two are found, what rounding does, and what happens where a step begins on the bound of a held value, is
// said in crossings.hpp.
//
// A value is held until the event. At the event the loop sets the values that `find` has found; then discrete equations
// and states may change, and with them other held expressions: `new_values` says what they are right behind the event.
// A function that has just come to its bound lies beside it by rounding, or by what the solution of the equations at
// the event has moved it. There its value is that of the side to which its slope points, and the found value if it has
// none. So after a bounce, with h = -1e-17 and v > 0, h < 0 is false, and after h < 0 was found where the ball goes on
// falling, with h = 1e-12, it stays true.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/run/crossings.hpp"
#include "driftless/integrate/run/switches.hpp"
#include "driftless/integrate/run/time_events.hpp"
#include "driftless/integrate/system/system.hpp"

namespace driftless {

class EventSearch {
 public:
  // With the parameters of the system. `tolerance`: of the run; by so much, relative to the size of variables, solving
  // the equations at an event may move a function that has come to its bound.
  explicit EventSearch(const System& system, double tolerance = 0.0);

  bool exist() const { return times_.exist() || of_state_.crossings.exist() || of_time_.crossings.exist(); }
  // Must steps be looked at, or do they end at known instants only?
  bool needs_path() const { return of_state_.crossings.exist(); }

  // After every event: other held values, other discrete values, so also other instants. At the beginning of the next
  // step variables may have jumped.
  void take_parameters(std::span<const double> parameters);

  // The next instant that is known in advance: after t, or t itself if a held expression that is linear in time has
  // another value from t on than the one that is held, as `time > 0` at the start 0. Steps must not go beyond it.
  // Of expressions of time alone that are not linear it knows those that a search beyond the last step has found.
  std::optional<double> next_instant(double t) const;

  // All quantities at a time of the step, by the polynomial of the method; false if there are none.
  using Path = Switches::Path;
  using Steps = Crossings::Steps;  // Long for methods of high order

  struct Found {
    double before, at;           // `at`: the first time at which those expressions have other values; its neighbour
    std::vector<int> held;       // places in DiscretePart::held
    std::vector<double> values;  // their new values
    std::vector<int> samplings;  // places in DiscretePart::samplings
  };
  // The first event in (a, b], of any kind. At a itself if what is held contradicts the beginning of the step.
  std::optional<Found> find(double a, double b, const Path& path, Steps steps = Steps::Short);
  // The event at a time that next_instant has told, or at the start: what is linear in time, and samplings.
  Found at_instant(double t) const;

  // Of all held expressions, in their order, at a point as it is: for the start of the run.
  void values_at(double t, std::span<const double> quantities, std::span<double> values);
  // The same at an event at t, with the parameters that were taken last. `found`: the held expressions of the event.
  // AtInstant: what has just come to its bound keeps the value that was found; Behind: its slope decides.
  enum class Side { AtInstant, Behind };
  void new_values(double t, std::span<const double> quantities, std::span<const int> found, std::span<double> values,
                  Side side = Side::Behind);

  void archive(Archive& archive);

 private:
  struct Group {  // of functions that are looked at inside of steps
    std::vector<int> held;
    std::vector<Crossings::Function> functions;
    std::shared_ptr<const Kernel> values, sizes;  // values and slopes; what Crossings::Course says
    std::vector<double> work, outputs, output_sizes;
    Crossings crossings;
  };

  explicit EventSearch(const CompiledSystem& system);
  void compile_kernels(const CompiledSystem& system, const std::shared_ptr<Pool>& pool, std::span<const NodeId> g,
                       Group& group);
  void hold(Group& group);
  std::optional<Crossings::Found> find_in_time(double a, double b);  // maybe behind b
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
  struct Ahead {
    double until = -HUGE_VAL;  // so far expressions of time alone have been looked at
    double steps = 1.0;        // so many are looked at together
    std::optional<Crossings::Found> found = {};
    void archive(Archive& archive) { archive(until, steps, found); }
  } ahead_;
  std::vector<double> inputs_;  // time, parameters, quantities
  std::size_t quantities_ = 0;
};

}  // namespace driftless
