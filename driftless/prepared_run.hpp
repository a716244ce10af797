// One way to run a model: its equations in one formulation, compiled, and the settings of one method.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "driftless/initialize/initialize.hpp"
#include "driftless/integrate/system/compiled_system.hpp"
#include "driftless/simulate.hpp"

namespace driftless {

struct PreparedRun {
  Analysis analysis;
  std::shared_ptr<const CompiledSystem> system;
  Projection projection;  // that fits these equations

  // Of a model with events: the mode for these values of all parameters, prepared when it is first met.
  struct Mode {
    int number;
    const PreparedRun* prepared;  // null: its equations are singular
    std::string description;
    int excess = 0;                   // if singular: how many equations are too many for some unknowns,
    std::vector<int> equations = {};  // among these
    std::string why = {};             // as text
  };
  Mode mode_at(std::span<const double> parameters) const;
  bool has_modes() const;  // more than one mode
  struct ModeRuns;
  std::shared_ptr<ModeRuns> modes;  // null: there are no events
  // Made when a run first needs them.
  const StartEquations& start_equations() const;

  struct LazyStart {
    std::once_flag once;
    std::unique_ptr<const StartEquations> equations;
  };
  std::shared_ptr<LazyStart> lazy_start = std::make_shared<LazyStart>();
  double seconds = 0.0;  // spent on compiling
};

// Precondition: the method of the options is not `auto`. Their formulation is ignored. Freezes the expressions of the
// model.
PreparedRun prepare(Analysis analysis, const SimulateOptions& options);

// The same for one mode of a model with events. A formulation for constraints, and its projection, are not applied to a
// mode in which no equation is differentiated or nothing moves; a mode with constraints gets the one that its method
// needs.
PreparedRun prepare_as_asked(const std::shared_ptr<const Model>& mode, const Formulation& formulation,
                             const SimulateOptions& options);

StructureSummary summary_of(const Analysis& analysis);

// The number of output intervals of a run: as requested, from the experiment annotation, or 500.
int output_intervals(std::optional<int> asked, const Experiment& experiment, double start, double stop);

// Throws ModelError for step sizes that do not fit the method.
void check_steps(const SimulateOptions& options, const Model& model);

// The same analysis of a model that takes new expressions, if a run has frozen its own.
Analysis growable(const Analysis& analysis);

// The same analysis of the model in which relations cause no events (model/hold.hpp), for algorithms that do not stop
// at events; unchanged if not only relations change at events.
Analysis without_events(const Analysis& analysis);
// The remark of a run of such a model. `what`: "a mesh", "constant steps".
std::string remark_on_released_relations(const std::string& what);

// The form of a derivative array whose differential equations are chosen once.
bool is_kunkel_mehrmann(const Formulation& formulation);

// Options for computing only the start, which is the same for every method.
SimulateOptions for_start_only(SimulateOptions options, const Model& model);

}  // namespace driftless
