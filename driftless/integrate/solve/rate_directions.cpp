#include "driftless/integrate/solve/rate_directions.hpp"

#include <algorithm>

#include "driftless/integrate/system/norms.hpp"

namespace driftless {

void RateDirections::resize(std::size_t constraints) {
  directions_.assign(constraints * system_.candidates(), 0.0);
  residuals_.assign(constraints, 0.0);
}

void RateDirections::set(std::size_t constraint, std::span<const double> jacobian, std::span<const int> place_of_slot,
                         std::span<const double> solution) {
  const std::span<double> direction =
      std::span(directions_).subspan(constraint * system_.candidates(), system_.candidates());
  std::ranges::fill(direction, 0.0);
  const auto& entries = system_.jacobian_entries();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const int candidate = entries[e].row - system_.rows();
    if (candidate < 0 || entries[e].rate || place_of_slot[entries[e].slot] < 0) continue;
    direction[candidate] += jacobian[e] * solution[place_of_slot[entries[e].slot]];
  }
}

double RateDirections::move(std::span<double> y) {
  const Reduced& r = system_.reduced();
  RelativeChange moved;
  for (int c = 0; c < system_.candidates(); ++c) {
    double change = 0.0;
    for (std::size_t k = 0; k < residuals_.size(); ++k)
      change += directions_[k * system_.candidates() + c] * residuals_[k];
    const int slot = r.kinematics[c].slot;
    y[slot] -= change;
    moved.add(change, y[slot], r.slots[slot].nominal);
  }
  return moved.largest();
}

}  // namespace driftless
