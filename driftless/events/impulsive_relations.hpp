// Relations of unknowns that have an impulse at an event. During the instant such an unknown is as large as its impulse
// over a vanishing time, so the sign of the impulse decides: a diode that must stop a current suddenly has an infinite
// voltage in the direction in which it conducts, and s < 0 is false there, whatever the value of s after the instant.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "driftless/model/model.hpp"
#include "driftless/solution/event.hpp"

namespace driftless {

// For each relation of Model::discrete.held whose sides differ by an impulse: its place, and its value in the instant.
// `value`: gives the quantities and parameters after the event by their leaves.
struct ImpulsiveValue {
  std::size_t held = 0;
  double value = 0.0;
};
std::vector<ImpulsiveValue> values_by_impulses(const Model& model, std::span<const Impulse> impulses,
                                               const std::function<double(NodeId leaf)>& value);

}  // namespace driftless
