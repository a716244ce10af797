// Where a run of a prepared model begins, or goes on after a change: a consistent point, what there is to say about it,
// or why there is none.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "driftless/initialize/initialize.hpp"
#include "driftless/model/inputs.hpp"
#include "driftless/prepared_run.hpp"

namespace driftless {

// A consistent start, or why there is none. `numbers`: the same model with other parameters and starts, or null.
std::variant<State, NoConsistentStart> start_of(const PreparedRun& prepared,
                                                const std::shared_ptr<const Model>& numbers, double t,
                                                Diagnostics& diagnostics);

// What there is to say about a run that begins at this point. Throws ModelError where a singularity that the structure
// hides keeps it from beginning.
void describe_start(const Analysis& analysis, const SimulateOptions& options, const Model& numbers, const State& start,
                    Solution& solution);

// Throws ModelError where a singularity that the structure hides leaves more than F(t, y, y') = 0 of index 1.
void refuse_unless_index_one(const Analysis& analysis, const State& start);

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

}  // namespace driftless
