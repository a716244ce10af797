// A run of a model with events: the equations of one mode are integrated up to an event, the values on its other side
// are found (hybrid/iteration.hpp), and the run goes on from there, in the same mode or in another one.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driftless/events/iteration.hpp"
#include "driftless/hybrid/accumulation.hpp"
#include "driftless/integrate/run/run.hpp"
#include "driftless/prepared_run.hpp"

namespace driftless {

class HybridRun : private ContinuousEquations {
 public:
  // Finds a consistent start. `numbers`: the same model with the parameters and starts of the run. The solution has its
  // describing fields already, and must live as long as the run.
  HybridRun(const PreparedRun& prepared, const SimulateOptions& options, std::shared_ptr<const Model> numbers,
            const IntegrateOptions& integration, Solution& solution);
  ~HybridRun() override;

  void go_to(double t);
  void finish();
  bool has_ended() const { return ended_; }
  void values_at(double t, std::vector<double>& series);

 private:
  struct Mode;

  DiscreteSystem& discrete(std::size_t mode) override;
  void held(double t, std::span<const double> parameters, const ContinuousPoint& point, std::span<const int> found,
            EventSearch::Side side, std::span<double> values) override;
  bool solve(double t, std::span<const double> parameters, const ContinuousPoint& from,
             std::span<const SetQuantity> set, ContinuousPoint& to, std::string& reason) override;

  void find_start();
  std::shared_ptr<const Model> numbers_of(const Mode& mode, std::span<const double> parameters) const;
  bool try_start(State& start, ContinuousPoint& point);

  std::size_t mode_for(std::span<const double> parameters);
  std::size_t add_mode(const PreparedRun& prepared, std::string description, std::span<const double> parameters);
  void begin_run(std::size_t mode, const State& start);
  std::vector<int> samplings_at(double t) const;

  bool keeps_states(Mode& mode, double t, const ContinuousPoint& from, std::span<const SetQuantity> set,
                    ContinuousPoint& to);
  bool jump(Mode& mode, double t, std::span<const double> parameters, const ContinuousPoint& from,
            std::span<const SetQuantity> set, ContinuousPoint& to, std::string& reason);
  void handle_event();
  void iterate_at(double t, const EventIteration::Causes& causes, ContinuousPoint point, bool is_event = false);
  void go_on(double t, const ContinuousPoint& point);
  void pass_terminal_event();
  void record_event(double t, const EventIteration::Causes& causes, const EventIteration::Result& result,
                    std::span<const double> before, const ContinuousPoint& from, const ContinuousPoint& to);
  bool is_endless(double t);

  // Motion on the surface of a relation, with equations of its own: at rest after infinitely many impacts, or sliding.
  bool comes_to_rest(double t, const EventIteration::Causes& causes, const EventIteration::Result& result,
                     const ContinuousPoint& from, const ContinuousPoint& to);
  bool begins_to_slide(double t, const EventIteration::Result& result, std::span<const double> before,
                       const ContinuousPoint& from);
  bool enter_contact(double t, Model model, std::string note, const ContinuousPoint& from);
  bool leaves_contact(const EventSearch::Found& found);
  std::vector<double> parameters_of(const Mode& mode, std::span<const double> parameters) const;
  void end_at(double t, Outcome outcome, std::string reason, std::optional<Code> code);

  void describe_columns();
  void keep_segments();
  void make_observer();
  bool take_row(const Mode& mode, double t, std::span<const double> series);
  void collect_results();

  const PreparedRun& prepared_;
  SimulateOptions options_;
  std::shared_ptr<const Model> numbers_;
  const DiscretePart& part_;
  Solution& solution_;
  IntegrateOptions integration_;
  RowSink rows_;                    // of the user
  std::vector<double> parameters_;  // of all of the model, the present ones
  std::vector<std::unique_ptr<Mode>> modes_;
  std::vector<int> numbers_of_modes_;  // as PreparedRun counts them
  std::size_t mode_ = 0;               // the present one
  std::unique_ptr<EventIteration> iteration_;
  std::vector<double> row_, recent_;  // times of the last events
  struct Epoch {                      // what is in force from a time on, for dense output
    double from;
    std::size_t mode;
    std::vector<double> parameters;
  };
  std::vector<Epoch> epochs_;
  struct Contact {
    std::size_t mode;                          // of modes_
    int number;                                // of the mode that it belongs to
    std::size_t relation;                      // whose surface it is
    std::vector<std::pair<int, double>> ends;  // held expressions at which it ends, and the relation's value then
  };
  std::optional<Contact> contact_;
  std::map<int, Accumulation> accumulations_;              // by relation that causes reinits
  std::vector<std::unique_ptr<PreparedRun>> of_contacts_;  // their equations
  bool ended_ = false, finished_ = false;
};

}  // namespace driftless
