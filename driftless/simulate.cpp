#include "driftless/simulate.hpp"

#include <utility>

#include "driftless/simulation.hpp"

namespace driftless {

Solution simulate(const Compiled& compiled, const RunInputs& inputs) { return Simulation(compiled, inputs).finish(); }

namespace {

// A single run includes the cost of its preparation.
Solution simulate_once(const Compiled& compiled) {
  Solution solution = simulate(compiled);
  solution.statistics.seconds.analyze += compiled.seconds_of_analysis();
  solution.statistics.seconds.compile += compiled.seconds_of_compilation();
  return solution;
}

}  // namespace

Solution simulate(const Analysis& analysis, const SimulateOptions& options) {
  return simulate_once(compile(analysis, options));
}

Solution simulate(Model model, const SimulateOptions& options) {
  return simulate_once(compile(std::move(model), options));
}

}  // namespace driftless
