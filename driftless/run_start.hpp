// The start of a run of a prepared model, or its point after a change: a consistent point with remarks, or the reason
// why there is none.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "driftless/initialize/initialize.hpp"
#include "driftless/model/inputs.hpp"
#include "driftless/prepared_run.hpp"

namespace driftless {

// A consistent start, or the reason why there is none. `numbers`: the same model with other parameters and starts, or
// null.
std::variant<State, NoConsistentStart> start_of(const PreparedRun& prepared,
                                                const std::shared_ptr<const Model>& numbers, double t,
                                                Diagnostics& diagnostics);

// Adds remarks about a run that begins at this point. Throws ModelError if a singularity that the structure hides makes
// the run impossible.
void describe_start(const Analysis& analysis, const SimulateOptions& options, const Model& numbers, const State& start,
                    Solution& solution);

// Throws ModelError where a singularity that the structure hides leaves more than F(t, y, y') = 0 of index 1.
void refuse_unless_index_one(const Analysis& analysis, const State& start);

void explain_missing_start(const Analysis& analysis, const NoConsistentStart& why, Solution& solution);

// The point at t from which a run may continue with the numbers of another model, these values of all its parameters,
// and other values of variables that can be states: a point of the equations used to find starts. Throws ModelError if
// there is none.
struct KnownQuantities {
  const std::vector<Quantity>& quantities;  // ascending, before the change
  const std::vector<double>& values;        // the values of `quantities` come first
};
State changed_state(const PreparedRun& prepared, const std::shared_ptr<const Model>& numbers,
                    std::vector<double> parameters, const KnownQuantities& known, double t,
                    const NamedValues& variables);

}  // namespace driftless
