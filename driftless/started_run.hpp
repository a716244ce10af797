// One run of a prepared model: from its consistent start, step by step, to its end.
#pragma once

#include <memory>

#include "driftless/hybrid_run/hybrid_run.hpp"
#include "driftless/integrate/run/run.hpp"
#include "driftless/model/inputs.hpp"
#include "driftless/prepared_run.hpp"
#include "driftless/run_point.hpp"
#include "driftless/run_start.hpp"

namespace driftless {

class StartedRun {
 public:
  // Finds a consistent start. `numbers`: the same model with other parameters and starts (model/inputs.hpp), or null.
  // Throws ModelError if the settings do not fit the model; if there is no start, the run has ended.
  StartedRun(const PreparedRun& prepared, const SimulateOptions& options, const std::shared_ptr<const Model>& numbers);
  // Begins at a known point of the equations used to find starts. `first_output`: where the grid of output points
  // begins.
  StartedRun(const PreparedRun& prepared, const SimulateOptions& options, const std::shared_ptr<const Model>& numbers,
             State start, double first_output);

  void go_to(double t);
  void finish();  // also makes the repetitions requested by the options
  bool has_ended() const { return hybrid_ ? hybrid_->has_ended() : !run_ || run_->has_ended(); }
  double reached() const { return solution_->reached; }
  double stop() const { return solution_->stop; }

  const Solution& solution() const { return *solution_; }
  Solution take_solution() { return std::move(*solution_); }
  void values_at(double t, std::vector<double>& series) {
    hybrid_ ? hybrid_->values_at(t, series) : run_->values_at(t, series);
  }

  // The point at t, in its last step, from which the run may continue with the numbers of another model and other
  // values of variables that can be states. Throws ModelError if there is none.
  State changed(double t, const std::shared_ptr<const Model>& numbers, const NamedValues& variables);

  // The point of the run at t, in its last step.
  RunPoint point_at(double t);

  const State& start() const { return base_start_; }
  const std::vector<Epoch>& epochs() const { return hybrid_ ? hybrid_->epochs() : epochs_; }  // with dense output
  double first_output() const { return first_output_; }

  // A run made from the same start that reads this archive continues identically, bit for bit.
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
  void begin_with_events(const State* start);  // null: must be computed
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
  std::unique_ptr<Run> run_;           // null: there is no start, or there are events
  std::unique_ptr<HybridRun> hybrid_;  // otherwise null
};

}  // namespace driftless
