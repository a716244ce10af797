#include "driftless/steady.hpp"

#include <algorithm>

#include "driftless/linearize.hpp"
#include "driftless/prepared_run.hpp"

namespace driftless {
namespace {

// The modes of motions that satisfy the constraints of all levels. False if the point has no linear system, or too many
// states.
bool find_modes(const Analysis& analysis, SteadyState& state) {
  try {
    const std::vector<std::string> none;
    const StateSpace space = linearize(analysis, state.point, {.inputs = none, .outputs = none});
    for (const LinearMode& mode : space.modes) state.modes.push_back(mode.eigenvalue);
    return space.has_modes;
  } catch (const ModelError&) {
    return false;
  }
}

}  // namespace

double SteadyState::rounding() const {
  double largest = 0.0;
  for (const std::complex<double>& mode : modes) largest = std::max(largest, std::abs(mode));
  return 1e-9 * largest;
}

int SteadyState::growing() const {
  return static_cast<int>(std::ranges::count_if(modes, [&](const auto& mode) { return mode.real() > rounding(); }));
}

int SteadyState::neutral() const {
  return static_cast<int>(
      std::ranges::count_if(modes, [&](const auto& mode) { return std::abs(mode.real()) <= rounding(); }));
}

Stability SteadyState::stability() const {
  if (!has_modes) return Stability::NotExamined;
  if (modes.empty()) return Stability::NothingMoves;
  return growing() > 0 ? Stability::Unstable : neutral() > 0 ? Stability::Marginal : Stability::Stable;
}

SteadyState find_steady_state(const Analysis& known, std::optional<double> t) {
  const Analysis analysis = growable(without_events(known));
  SteadyState state;
  state.point = find_steady_point(*analysis.base, t.value_or(analysis.model->experiment.start));
  if (state.point.found) state.has_modes = find_modes(analysis, state);
  return state;
}

}  // namespace driftless
