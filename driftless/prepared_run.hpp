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
  Projection projection;  // of these equations

  // Of a model with events: the mode in which these values of all parameters put it, prepared when it is first met.
  struct Mode {
    int number;
    const PreparedRun* prepared;  // null: its equations are singular
    std::string description;
    int excess = 0;                   // then: how many equations are too many for some unknowns,
    std::vector<int> equations = {};  // among these
    std::string why = {};             // in words
  };
  Mode mode_at(std::span<const double> parameters) const;
  bool has_modes() const;  // more than one
  struct ModeRuns;
  std::shared_ptr<ModeRuns> modes;  // null: there are no events
  // Made by the first run that asks for them.
  const StartEquations& start_equations() const;

  struct LazyStart {
    std::once_flag once;
    std::unique_ptr<const StartEquations> equations;
  };
  std::shared_ptr<LazyStart> lazy_start = std::make_shared<LazyStart>();
  double seconds = 0.0;  // of compiling
};

// The method of the options is no `auto`; their formulation does not matter. Freezes the expressions of the model.
PreparedRun prepare(Analysis analysis, const SimulateOptions& options);

// The same for one mode of a model with events. A formulation that is for constraints, and its projection, do not apply
// to a mode in which nothing is differentiated or nothing moves; one that a method needs for constraints was not chosen
// in a mode without them.
PreparedRun prepare_as_asked(const std::shared_ptr<const Model>& mode, const Formulation& formulation,
                             const SimulateOptions& options);

StructureSummary summary_of(const Analysis& analysis);

// The number of output intervals of a run: as asked for, as the experiment says, or 500.
int output_intervals(std::optional<int> asked, const Experiment& experiment, double start, double stop);

// Throws ModelError for step sizes that do not fit the method.
void check_steps(const SimulateOptions& options, const Model& model);

// The same analysis of a model that takes new expressions, if a run has frozen those of its own.
Analysis growable(const Analysis& analysis);

// The same analysis of the model in which relations cause no events (model/hold.hpp), for whatever does not stop at
// events; of a model in which more than relations changes at events, the same.
Analysis without_events(const Analysis& analysis);
// What a run of it says. `what`: "a mesh", "constant steps".
std::string remark_on_released_relations(const std::string& what);

// The form of a derivative array whose differential equations are chosen once.
bool is_kunkel_mehrmann(const Formulation& formulation);

// A start alone is the same for every method: the default serves.
SimulateOptions for_start_only(SimulateOptions options, const Model& model);

}  // namespace driftless
