// Linearization of a model: at its start, at any time of a run, at a steady state.
//
//   const StateSpace motor = linearize(compile(model), {.inputs = {"u"}, .outputs = {"w"}}, {.stop = 2.0});
//
// The equations of a model with events are those of the present mode, and values that change at events are held.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/compiled.hpp"
#include "driftless/simulation.hpp"
#include "driftless/state_space/state_space.hpp"
#include "driftless/state_space/write_state_space.hpp"
#include "driftless/steady.hpp"

namespace driftless {

struct LinearizeOptions {
  std::optional<std::vector<std::string>> inputs = {};   // inputs and parameters; otherwise all inputs of the model
  std::optional<std::vector<std::string>> outputs = {};  // variables, "der(x)"; otherwise all variables up to 100
  std::vector<std::string> states = {};                  // preferred as states, as far as possible; the rest is chosen
  bool modes = true;                                     // and zeros
};

// At the present time of a run. Throws ModelError if there is no such linear system, and for names that the model does
// not have. The run is not affected.
StateSpace linearize(const Simulation& run, const LinearizeOptions& options = {});

// At time t of a run with these inputs, by default at its start.
StateSpace linearize(const Compiled& compiled, const LinearizeOptions& options = {}, const RunInputs& inputs = {},
                     std::optional<double> t = {});

// At the steady state found from the starts, with these parameters and starts, at time t, by default the start of the
// experiment. Throws ModelError if none is found.
StateSpace linearize_at_rest(const std::shared_ptr<const Model>& model, const LinearizeOptions& options = {},
                             const RunInputs& inputs = {}, std::optional<double> t = {});

// At a steady point that was found.
StateSpace linearize(const Analysis& analysis, const SteadyPoint& point, const LinearizeOptions& options = {});

}  // namespace driftless
