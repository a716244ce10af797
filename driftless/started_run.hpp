// One run of a prepared model: from its consistent start, step by step, to its end.
#pragma once

#include <memory>

#include "driftless/hybrid_run.hpp"
#include "driftless/integrate/run/run.hpp"
#include "driftless/model/inputs.hpp"
#include "driftless/prepared_run.hpp"
#include "driftless/run_point.hpp"

namespace driftless {

// A consistent start, or why there is none. `numbers`: the same model with other parameters and starts, or null.
std::variant<State, NoConsistentStart> start_of(const PreparedRun& prepared,
                                                const std::shared_ptr<const Model>& numbers, double t,
                                                Diagnostics& diagnostics);

// What there is to say about a run that begins at this point. Throws ModelError where a singularity that the structure
// hides keeps it from beginning.
void describe_start(const Analysis& analysis, const SimulateOptions& options, const Model& numbers, const State& start,
                    Solution& solution);

void explain_missing_start(const Analysis& analysis, const NoConsistentStart& why, Solution& solution);

// Where a run may go on from t with the numbers of another model, these values of all its parameters, and with other
// values of variables that can be states: a point of the equations that starts are found on. Throws ModelError where
// there is no such point.
struct KnownQuantities {
  const std::vector<Quantity>& quantities;  // ascending, before the change
  const std::vector<double>& values;        // theirs come first
};
State changed_state(const PreparedRun& prepared, const std::shared_ptr<const Model>& numbers,
                    std::vector<double> parameters, const KnownQuantities& known, double t,
                    const NamedValues& variables);

// The constraints of one part of a run, in the certificate of the whole.
void add_to_certificate(Certificate& whole, const Certificate& part);

class StartedRun {
 public:
  // Finds a consistent start. `numbers`: the same model with other parameters and starts (model/inputs.hpp), or null.
  // Throws ModelError where the settings do not fit the model; where there is no start, the run has ended.
  StartedRun(const PreparedRun& prepared, const SimulateOptions& options, const std::shared_ptr<const Model>& numbers);
  // From a known point, of the equations that starts are found on. `first_output`: where the grid of output points
  // begins.
  StartedRun(const PreparedRun& prepared, const SimulateOptions& options, const std::shared_ptr<const Model>& numbers,
             State start, double first_output);

  void go_to(double t);
  void finish();  // and the repetitions that the options ask for
  bool has_ended() const { return hybrid_ ? hybrid_->has_ended() : !run_ || run_->has_ended(); }
  double reached() const { return solution_->reached; }
  double stop() const { return solution_->stop; }

  const Solution& solution() const { return *solution_; }
  Solution take_solution() { return std::move(*solution_); }
  void values_at(double t, std::vector<double>& series) {
    hybrid_ ? hybrid_->values_at(t, series) : run_->values_at(t, series);
  }

  // Where the run may go on from t, which is in its last step, with the numbers of another model and with other values
  // of variables that can be states. Throws ModelError where there is no such point.
  State changed(double t, const std::shared_ptr<const Model>& numbers, const NamedValues& variables);

  // Where the run is at t, which is in its last step.
  RunPoint point_at(double t);

  const State& start() const { return base_start_; }
  const std::vector<Epoch>& epochs() const { return hybrid_ ? hybrid_->epochs() : epochs_; }  // with dense output
  double first_output() const { return first_output_; }

  // What a run that was made from the same start reads, so that it goes on with the same bits.
  void archive(Archive& archive);
  void use_sink(RowSink rows) {
    if (hybrid_)
      hybrid_->use_sink(std::move(rows));
    else if (run_)
      run_->use_sink(std::move(rows));
  }

 private:
  void describe();
  void begin(State start);
  bool has_events() const;
  void begin_with_events(const State* start);  // null: to be found
  void repeat(Solution& again);

  const PreparedRun& prepared_;
  SimulateOptions options_;
  std::shared_ptr<const Model> numbers_;  // null: those of the model
  std::unique_ptr<Solution> solution_;
  State base_start_, start_;
  double first_output_;
  std::shared_ptr<System> system_;
  IntegrateOptions integration_;
  std::vector<Epoch> epochs_;
  std::unique_ptr<Run> run_;           // null: there is no start, or
  std::unique_ptr<HybridRun> hybrid_;  // the model has events
};

}  // namespace driftless
