// Event iteration: finds values for which discrete equations, relations and continuous equations hold together
// (docs/events.md).
//
//   with pre-values held    discrete equations are evaluated, the continuous equations are solved with their values,
//                           and relations are evaluated there, until nothing changes
//   then                    reinits are carried out, pre(v) becomes v, and all is repeated until no v differs from its
//                           pre(v)
//
// If two causes give one variable different values, because a ball is hit from both sides at once, they are processed
// one after the other, in the order of the model.
//
// Discrete Real values that the equations answer at once are found as loops (value_loop.hpp). Where an effect takes its
// cause away and is kept, causes come first: the relations that were found act in the first round whatever comes of it.
//
// Where the first of these goes round in a circle (diodes that conduct only if others do), or comes to equations
// without a solution, the values of the relations are searched one combination after the other (branch_search.hpp).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "driftless/events/discrete_system.hpp"
#include "driftless/events/value_loop.hpp"
#include "driftless/integrate/crossings/event_search.hpp"
#include "driftless/solution/event.hpp"

namespace driftless {

// A point of the continuous equations, in one of their modes.
struct ContinuousPoint {
  std::size_t mode = 0;
  std::vector<double> y, yp, quantities;
  std::vector<Impulse> impulses;  // of the jump that led here
  bool is_struck = false;         // that jump is larger than errors
};

// A state that reinit sets.
struct SetQuantity {
  Quantity quantity;
  double value = 0.0;
};

// The reason why the equations have no solution.
struct Unsolved {
  std::string reason;
  int excess = 1;                     // surplus of equations for some unknowns, if the structure shows one
  std::vector<std::size_t> involved;  // held expressions on which these depend
};

// What an iteration needs of the continuous equations.
class ContinuousEquations {
 public:
  virtual ~ContinuousEquations() = default;
  virtual DiscreteSystem& discrete(std::size_t mode) = 0;
  // The values of all held expressions right after `point`, with these parameters. `found`: those that caused the event
  // are at their bounds up to rounding errors (integrate/crossings/event_search.hpp).
  virtual void held(double t, std::span<const double> parameters, const ContinuousPoint& point,
                    std::span<const int> found, EventSearch::Side side, std::span<double> values) = 0;
  // How close each of them is to its bound there.
  virtual std::vector<EventSearch::Doubt> doubts(double t, std::span<const double> parameters,
                                                 const ContinuousPoint& point) = 0;
  // Computes the point at the same time after `from`, with other parameters and these states set: states keep their
  // values as far as the equations allow it. False if there is none.
  virtual bool solve(double t, std::span<const double> parameters, const ContinuousPoint& from,
                     std::span<const SetQuantity> set, ContinuousPoint& to, Unsolved& why) = 0;
  // Has reinit led this relation back from its surface at earlier events?
  virtual bool leads_back(std::size_t held) const = 0;
};

class EventIteration {
 public:
  EventIteration(const Model& model, ContinuousEquations& equations);

  struct Causes {
    std::vector<int> held;       // held expressions that get
    std::vector<double> values;  // other values
    std::vector<int> samplings;
    bool terminal = false;
    std::vector<int> on_bounds =
        {};  // held expressions on their bounds since an earlier event: their slopes decide as well
  };
  struct Result {
    int iterations = 0;
    bool converged = false;
    std::string reason;                 // why not
    bool goes_round = false;            // values of discrete variables repeat in a cycle
    std::vector<std::size_t> flipping;  // held expressions that keep changing at one instant
    // Relations whose reinits change ever less, in infinitely many rounds: the limit is the point, with them on their
    // bounds.
    std::vector<std::size_t> collapsed = {};
    std::vector<std::string> reinits;  // labels of those that were active
    std::vector<Impulse> impulses;
    std::optional<std::string> terminate;  // the run must end, with this message
    std::optional<std::size_t> violated;   // an assertion
    std::vector<std::size_t> warnings;     // assertions
  };
  // `parameters` and `point`: those on the left side of the event, then those on its right side.
  Result operator()(double t, const Causes& causes, std::vector<double>& parameters, ContinuousPoint& point);

  void begin_start() { loop_.begin(); }
  bool start_is_in_loop() const { return loop_.is_loop() && !loop_.has_no_end(); }
  // At the start, with pre-values that are known: discrete values and relations at a point. True if they differ from
  // those in `parameters`, which then has the new ones.
  bool update_start(double t, std::vector<double>& parameters, const ContinuousPoint& point);

  // Searches a start for which relations and equations agree, if updating it cycles or leads to a mode without a start.
  // `try_start` finds a start with the present parameters; false if there is none. Returns the reason if none was
  // found; if empty, `parameters` and `point` have the start.
  using TryStart = std::function<bool(ContinuousPoint& point, Unsolved& why)>;
  std::string search_start(double t, std::vector<double>& parameters, ContinuousPoint& point,
                           const TryStart& try_start);

 private:
  double& value_of(std::vector<double>& parameters, ParamId id) const {
    return parameters[static_cast<std::size_t>(index(id))];
  }
  bool is_relation(std::size_t held) const;
  Result attempt(double t, const Causes& causes, std::vector<double>& parameters, ContinuousPoint& point);
  Result decide(double t, const Causes& causes, std::vector<double>& parameters, ContinuousPoint& point);
  bool settle(double t, std::vector<double>& parameters, const ContinuousPoint& from, std::span<const SetQuantity> set,
              ContinuousPoint& to, Result& result);
  bool search(double t, std::vector<double>& parameters, const ContinuousPoint& from, std::span<const SetQuantity> set,
              ContinuousPoint& to, Result& result);
  bool solve_with_values(double t, std::vector<double>& parameters, const ContinuousPoint& from,
                         std::span<const SetQuantity> set, ContinuousPoint& to, Unsolved& why);
  struct Contradictions {
    std::vector<std::pair<std::size_t, double>> held;  // their places, and their values at the solution
    bool within_tolerance = true;
    double size = 0.0;  // sum of their distances from their bounds
  };
  Contradictions contradictions(double t, const std::vector<double>& parameters, const ContinuousPoint& at);
  bool update_values_at_start(double t, std::vector<double>& parameters, const ContinuousPoint& point);
  bool take_values(double t, std::vector<double>& parameters, const ContinuousPoint& at);
  bool is_new(const std::vector<double>& parameters, std::size_t rounds);
  bool take_held(double t, std::vector<double>& parameters, const ContinuousPoint& at);
  void evaluate_held(double t, const std::vector<double>& parameters, const ContinuousPoint& at);
  bool take_pre_values(std::vector<double>& parameters) const;
  void begin(const Causes& causes, std::vector<double>& parameters);
  std::vector<SetQuantity> values_of_reinits(double t, std::span<const double> parameters, const ContinuousPoint& at);
  void note_impacts(double t, const std::vector<double>& parameters, const ContinuousPoint& at, bool is_first_round);
  static bool are_set_twice(std::span<const SetQuantity> set);
  bool postpone_impacts(std::vector<double>& parameters, bool is_first_round);
  bool take_one_after_the_other(double t, std::vector<double>& parameters, const ContinuousPoint& point,
                                ContinuousPoint& to, Result& result);
  void note_conditions(Result& result) const;
  void note_struck(const std::vector<double>& parameters);
  bool fades(const ContinuousPoint& from, const ContinuousPoint& to);
  void collapse(double t, std::vector<double>& parameters, const ContinuousPoint& at, Result& result);
  bool leads_back(double t, std::span<const double> parameters, const ContinuousPoint& at);
  bool nothing_happened(const Causes& causes, const Result& result, const std::vector<double>& before,
                        const std::vector<double>& after) const;
  std::vector<std::map<std::size_t, double>> decisions(const Causes& causes) const;
  void note_undecided(double t, const std::vector<double>& parameters, const ContinuousPoint& at);
  bool is_unchanged(double t, const std::vector<double>& parameters, const ContinuousPoint& at);
  std::vector<std::size_t> free_relations() const;
  std::string what_changes() const;
  std::string describe(const Contradictions& least) const;

  const Model& model_;
  const DiscretePart& part_;
  ContinuousEquations& equations_;
  std::vector<double> values_, held_;
  ValueLoop loop_;
  std::vector<double> before_, settled_from_;  // parameters from which all of it began, and from which `settle` began,
  ContinuousPoint from_, behind_;              // and points: here so that their memory stays for the next event
  std::vector<std::vector<double>> seen_;      // parameters of the rounds of `settle`
  std::vector<int> found_;                     // held expressions that caused the event
  std::vector<double> found_values_, held_before_;
  bool causes_come_first_ = false;           // relations keep their values within a round
  std::map<std::size_t, double> decided_;    // values of relations, wherever these are on their bounds
  std::map<std::size_t, double> postponed_;  // relations that keep these values in this round,
  std::map<std::size_t, double> impacts_;    // and the values that they would otherwise get
  std::set<std::size_t> struck_;             // relations that have become true in one of the later rounds
  double largest_change_ = 0.0;              // of a state, by the reinits of one round
  // Relations that were on their bounds, and the values that they may have there.
  std::map<std::size_t, std::set<double>> undecided_, unlikely_;  // unlikely: against a slope
  bool notes_ = false;                                            // all of them, also in usual rounds
  EventSearch::Side side_ = EventSearch::Side::AtInstant;
  std::vector<std::size_t> changing_;
  DiscreteSystem::Conditions conditions_;
};

}  // namespace driftless
