// A run of a model with events: the equations of one mode are integrated up to an event, the values after it are found
// (events/iteration.hpp), and the run continues from there, in the same mode or in another one.
//
// This is the start and the loop. Its parts: the modes (modes.hpp), motion on the surface of a relation
// (contacts.hpp), delayed values (delays.hpp), and the solution (results.hpp).
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driftless/events/impulsive_relations.hpp"
#include "driftless/hybrid_run/contacts.hpp"
#include "driftless/hybrid_run/delays.hpp"
#include "driftless/hybrid_run/modes.hpp"
#include "driftless/hybrid_run/results.hpp"
#include "driftless/model/inputs.hpp"
#include "driftless/run_point.hpp"

namespace driftless {

class HybridRun : private ContinuousEquations {
 public:
  // Finds a consistent start. `numbers`: the same model with the parameters and starts of the run. The descriptive
  // fields of the solution are already set; it must outlive the run.
  HybridRun(const PreparedRun& prepared, const SimulateOptions& options, std::shared_ptr<const Model> numbers,
            const IntegrateOptions& integration, Solution& solution);
  // Begins at a point of the mode given by its parameters: after a run was changed or saved.
  HybridRun(const PreparedRun& prepared, const SimulateOptions& options, std::shared_ptr<const Model> numbers,
            const IntegrateOptions& integration, Solution& solution, const State& start);
  ~HybridRun() override;

  void go_to(double t);
  void finish();
  bool has_ended() const { return ended_; }
  void values_at(double t, std::vector<double>& series);
  void use_sink(RowSink rows) { results_.use_sink(std::move(rows)); }

  // Where the run began, with the values of all parameters.
  const State& start() const { return start_; }
  const std::vector<Epoch>& epochs() const { return results_.epochs(); }
  // The point at t from which a run continues with the numbers of another model and other values of variables that can
  // be states. Throws ModelError if there is none.
  State changed(double t, const std::shared_ptr<const Model>& numbers, const NamedValues& variables);
  RunPoint point_at(double t);  // in the present mode
  // A run made from the same start that has read the archive of this one continues identically, bit for bit.
  void archive(Archive& archive);

 private:
  struct NotStarted {};
  HybridRun(const PreparedRun& prepared, const SimulateOptions& options, std::shared_ptr<const Model> numbers,
            const IntegrateOptions& integration, Solution& solution, NotStarted);

  DiscreteSystem& discrete(std::size_t mode) override;
  void held(double t, std::span<const double> parameters, const ContinuousPoint& point, std::span<const int> found,
            EventSearch::Side side, std::span<double> values) override;
  std::vector<EventSearch::Doubt> doubts(double t, std::span<const double> parameters,
                                         const ContinuousPoint& point) override;
  bool solve(double t, std::span<const double> parameters, const ContinuousPoint& from,
             std::span<const SetQuantity> set, ContinuousPoint& to, Unsolved& why) override;
  bool leads_back(std::size_t held) const override { return contacts_.leads_back(static_cast<int>(held)); }
  // Held expressions with an unknown that has an impulse at this point, and their values by its sign.
  std::vector<ImpulsiveValue> values_of_impulses(double t, std::span<const double> parameters,
                                                 const ContinuousPoint& point) const;

  void evaluate_relations(double t, std::span<const double> parameters, const ContinuousPoint& point,
                          std::span<const int> found, EventSearch::Side side);
  bool relations_are_known(double t, std::span<const double> parameters, const ContinuousPoint& point,
                           std::span<const int> found, EventSearch::Side side);

  void find_start();
  bool try_start(State& start, ContinuousPoint& point, Unsolved& why);
  bool settle_start(State& start, ContinuousPoint& point);
  bool search_start(State& start, ContinuousPoint& point);
  bool guess_without_events();
  void take_sides_at_start(State& start, ContinuousPoint& point);
  void forget_failure();  // of a start that was tried
  void check_initial_equations(double t, std::span<const double> given);
  void begin_at(const State& start);
  void begin_run(const State& start);

  void handle_event();
  void note_relations_on_bounds();
  bool is_no_impact(double t);
  void pass_no_impact(double t);
  bool rests_without_impact(double t);
  void go_through_events_to(double t);
  void iterate_at(double t, bool is_event = false);
  void settle_on_surface(double t, ContinuousPoint& at_rest);
  void rest_behind_collapse(double t, const std::vector<std::size_t>& relations);
  EventIteration::Result iterate_with_contacts(double t);
  EventIteration::Result iterate_without(const std::vector<std::size_t>& contacts, double t,
                                         const std::vector<double>& given);
  EventIteration::Result iterate_with_delays(double t);
  double seconds_of_preparation() const;
  void go_on(double t, const ContinuousPoint& point);
  bool goes_on_unchanged(double t, const ContinuousPoint& point);
  bool enters(double t, const std::optional<ContinuousPoint>& contact);
  void pass_terminal_event();
  bool is_endless(double t);
  void archive_mode(Archive& archive, std::size_t k);
  void restore_mode(std::size_t k, const std::vector<double>& met_with, const std::vector<SurfaceContact>& contacts);
  void end_at(double t, Outcome outcome, std::string reason, std::optional<Code> code);

  const PreparedRun& prepared_;
  SimulateOptions options_;
  std::shared_ptr<const Model> numbers_;
  const DiscretePart& part_;
  Solution& solution_;
  IntegrateOptions integration_;
  HybridModes modes_;
  HybridContacts contacts_;
  HybridResults results_;
  HybridDelays delays_;
  EventIteration iteration_;
  std::vector<double> parameters_;  // present values of all parameters of the model
  std::size_t mode_ = 0;            // the present one
  std::vector<int> never_left_;     // of the present event: relations on their bounds since their last event
  std::vector<double> recent_;      // times of the last events
  int passed_in_a_row_ = 0;         // events that were no impacts
  bool is_pulled_ = false;          // the force of the contact tested last would pull
  EventIteration::Causes causes_;   // of the present event,
  ContinuousPoint from_, point_;    // the points on its two sides,
  std::vector<double> before_;      // and the parameters on its left side
  std::vector<double> present_;
  std::vector<double> held_;           // values of held expressions
  std::vector<ParamId> in_relations_;  // numbers on which they depend
  struct RelationsAt {                 // the point at which they were evaluated last
    double t = std::numeric_limits<double>::quiet_NaN();
    std::size_t mode = 0;
    EventSearch::Side side = EventSearch::Side::AtInstant;
    std::vector<int> found;
    std::vector<double> quantities, numbers;
  } relations_at_;
  State start_;
  bool ended_ = false, finished_ = false;
  bool is_on_the_way_ = false;  // used only to find a point at which another run continues
};

}  // namespace driftless
