// Compile once, run many: a model with its analysis, its choice of a method and its kernels, which any number of runs
// and threads share.
//
//   const Compiled compiled = compile(model, {.tolerance = 1e-8});
//   const Solution a = simulate(compiled, {.parameters = {{"L", 2.0}}, .starts = {{"x", 0.5}}, .stop = 10.0});
//
// It is immutable, except that kernels are made when a run first needs them. Every run has its own workspace.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "driftless/model/inputs.hpp"
#include "driftless/simulate.hpp"

namespace driftless {

// Inputs that may differ from run to run. Absent ones are as compiled.
struct RunInputs {
  NamedValues parameters = {}, starts = {};  // model/inputs.hpp
  NamedSignals inputs = {};                  // model/signal.hpp; those that are not named are as in SimulateOptions
  std::optional<double> start = {}, stop = {}, tolerance = {}, step = {}, max_step = {};
  std::optional<int> intervals = {};
  std::optional<bool> dense = {};
  std::function<bool(double t)> progress = {};
  RowSink rows = {};
};

class Compiled {
 public:
  const Model& model() const;
  const SimulateOptions& options() const;  // as they were given
  // Processor time; kernels that a run was the first to need count in its own statistics.
  double seconds_of_analysis() const;
  double seconds_of_compilation() const;

 private:
  struct Parts;
  explicit Compiled(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}
  static Compiled of(Analysis analysis, const SimulateOptions& given, const SimulateOptions& options, bool chooses);
  friend Compiled compile(const Analysis& analysis, const SimulateOptions& options);
  friend Compiled compile(std::shared_ptr<const Model> model, const SimulateOptions& options);
  friend class Simulation;
  friend class Sensitivities;

  std::shared_ptr<const Parts> parts_;
};

// Throws ModelError as `analyze` does. A method `auto` is chosen here, at the tolerance and the start of the options;
// later changes of the method are decided by measurements of each run.
Compiled compile(std::shared_ptr<const Model> model, const SimulateOptions& options = {});
Compiled compile(const Analysis& analysis, const SimulateOptions& options = {});  // in its formulation
Compiled compile(Model model, const SimulateOptions& options = {});

// As simulate(model, options), from any thread.
Solution simulate(const Compiled& compiled, const RunInputs& inputs = {});

}  // namespace driftless
