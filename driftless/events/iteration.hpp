// What happens at an event: values are found for which discrete equations, relations and continuous equations hold
// together (docs/events.md).
//
//   with pre-values held    discrete equations are evaluated, the continuous equations are solved with their values,
//   and
//                           relations evaluated there, until nothing changes any more
//   then                    reinits are carried out, pre(v) becomes v, and all is done again until no v differs from
//   pre(v)
//
// Where the first of these goes round in a circle (diodes that conduct only if others do), the values of the relations
// are searched one combination after the other.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/events/discrete_system.hpp"
#include "driftless/integrate/run/event_search.hpp"
#include "driftless/solution/event.hpp"

namespace driftless {

// A point of the continuous equations, in one of their modes.
struct ContinuousPoint {
  std::size_t mode = 0;
  std::vector<double> y, yp, quantities;
  std::vector<Impulse> impulses;  // of the jump that has led here
};

// A state that reinit sets.
struct SetQuantity {
  Quantity quantity;
  double value = 0.0;
};

// What an iteration asks of the continuous equations.
class ContinuousEquations {
 public:
  virtual ~ContinuousEquations() = default;
  virtual DiscreteSystem& discrete(std::size_t mode) = 0;
  // The values of all held expressions right behind `point`, with these parameters. `found`: those that caused the
  // event are at their bounds up to rounding errors (integrate/run/event_search.hpp).
  virtual void held(double t, std::span<const double> parameters, const ContinuousPoint& point,
                    std::span<const int> found, EventSearch::Side side, std::span<double> values) = 0;
  // The point after `from` with other parameters and these states set, at the same time: states keep their values as
  // far as the equations allow it. False if there is none; `reason` says why.
  virtual bool solve(double t, std::span<const double> parameters, const ContinuousPoint& from,
                     std::span<const SetQuantity> set, ContinuousPoint& to, std::string& reason) = 0;
};

class EventIteration {
 public:
  EventIteration(const Model& model, ContinuousEquations& equations);

  struct Causes {
    std::vector<int> held;       // held expressions that get
    std::vector<double> values;  // other values
    std::vector<int> samplings;
    bool terminal = false;
  };
  struct Result {
    int iterations = 0;
    bool converged = false;
    std::string reason;                 // why not
    std::vector<std::size_t> flipping;  // held expressions that change again and again, at one instant
    std::vector<std::string> reinits;   // labels of those that were carried out
    std::vector<Impulse> impulses;
    std::optional<std::string> terminate;  // the run is to end, with this message
    std::optional<std::size_t> violated;   // an assertion
    std::vector<std::size_t> warnings;     // assertions
  };
  // `parameters` and `point`: those on the left side of the event, then those on its right side.
  Result operator()(double t, const Causes& causes, std::vector<double>& parameters, ContinuousPoint& point);

  // At the start, with pre-values that are known: discrete values and relations at a point. True if they differ from
  // those in `parameters`, which then has the new ones.
  bool update_start(double t, std::vector<double>& parameters, const ContinuousPoint& point);

 private:
  double& value_of(std::vector<double>& parameters, ParamId id) const {
    return parameters[static_cast<std::size_t>(index(id))];
  }
  bool settle(double t, std::vector<double>& parameters, const ContinuousPoint& from, std::span<const SetQuantity> set,
              ContinuousPoint& to, Result& result);
  bool search(double t, std::vector<double>& parameters, const ContinuousPoint& from, std::span<const SetQuantity> set,
              ContinuousPoint& to, Result& result);
  bool take_values(double t, std::vector<double>& parameters, const ContinuousPoint& at);
  bool take_held(double t, std::vector<double>& parameters, const ContinuousPoint& at);
  bool take_pre_values(std::vector<double>& parameters) const;
  void begin(const Causes& causes, std::vector<double>& parameters);
  std::string what_changes() const;

  const Model& model_;
  const DiscretePart& part_;
  ContinuousEquations& equations_;
  std::vector<double> values_, held_;
  std::vector<int> found_;  // held expressions that caused the event
  EventSearch::Side side_ = EventSearch::Side::AtInstant;
  std::vector<std::size_t> changing_;
  DiscreteSystem::Conditions conditions_;
};

}  // namespace driftless
