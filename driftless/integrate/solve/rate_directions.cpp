#include "driftless/integrate/solve/rate_directions.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/integrate/system/norms.hpp"

namespace driftless {
namespace {

constexpr int most_iterations = 20;
constexpr double converged = 1e-15;  // relative to the component
constexpr double stalled = 1e-9;     // a correction below this that no longer shrinks is rounding

}  // namespace

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

void RateDirections::move(std::span<double> y) {
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
  const double size = moved.largest();
  const bool first = progress_.iterations++ == 0;
  const bool rests = size <= converged || (size <= stalled && !first && size > 0.5 * progress_.last_size);
  if (!std::isfinite(size))
    progress_.state = Progress::Lost;
  else if (rests)
    progress_.state = Progress::There;
  else if (progress_.iterations == most_iterations)
    progress_.state = Progress::Lost;
  progress_.last_size = size;
}

}  // namespace driftless
