// The states of a run: the first choice, exchanges at the ends of steps, and which states apply from which time on.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driftless/integrate/run/context.hpp"
#include "driftless/integrate/run/dense_output.hpp"
#include "driftless/integrate/states/forced_states.hpp"
#include "driftless/integrate/states/state_coordinates.hpp"

namespace driftless {

class Pivoting {
 public:
  // `states_changed` is called after the problem has other states.
  Pivoting(RunContext& run, std::function<void()> states_changed);

  void choose_first();
  // Chooses states only to examine the modes of a problem whose method uses none.
  void choose_here(double t, std::span<const double> y, std::span<const double> yp);

  // At the end of a step: exchanges states if others are better conditioned.
  void after_step();
  // The same after an event, which may have moved the point far from where the states were chosen. The stepper must
  // restart there.
  void behind_event(double t, std::span<const double> y, std::span<const double> yp);
  // A step that fails in local coordinates may succeed in others: tried once at each point. The stepper restarts.
  bool renew_chart();
  // If states prescribed by the user have ceased to determine the rest during the last step: the reason.
  std::optional<std::string> lost_states(double t, std::span<const double> y, std::span<const double> yp);

  // A new method, or new states, from t on.
  void begin_epoch(double t);
  std::vector<StateEpoch>& epochs() { return epochs_; }
  const std::vector<StateEpoch>& epochs() const { return epochs_; }

  StateCoordinates& coordinates() { return coordinates_; }

  void archive(Archive& archive);

 private:
  void record(const std::vector<Pivot>& changes);
  void use_states();
  void restart();

  RunContext& run_;
  std::function<void()> states_changed_;
  StateCoordinates coordinates_;
  ForcedStates forced_;
  std::vector<double> choice_values_;
  std::vector<StateEpoch> epochs_;  // all of them for dense output, otherwise the last two
  std::optional<double> renewed_at_;
};

// "rod: x^2 + y^2 = L^2"
std::string describe_row(const Reduced& reduced, int row);

}  // namespace driftless
