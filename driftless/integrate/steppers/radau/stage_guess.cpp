#include "driftless/integrate/steppers/radau/stage_guess.hpp"

#include <algorithm>

namespace driftless {
namespace {

void lead_along_line(const StageGuess& guess, std::span<double> z) {
  const Reduced& reduced = guess.reduced;
  const auto lead = [&](int slot) {
    for (int i = 0; i < guess.stages.count(); ++i)
      z[i * guess.y.size() + slot] = guess.stages.node(i) * guess.h * guess.yp[slot];
  };
  for (const Kinematic& kinematic : reduced.kinematics) lead(kinematic.slot);
  for (const Quantity q : reduced.quantities)
    if (reduced.place(q) == Place::Rate) lead(reduced.slot_of(q));
}

}  // namespace

void guess_stages(const StageGuess& guess, std::span<double> z) {
  const std::size_t n = guess.y.size();
  std::ranges::fill(z, 0.0);
  if (!guess.last && guess.by_line) lead_along_line(guess, z);
  if (!guess.last) return;
  for (int i = 0; i < guess.stages.count(); ++i) {
    const std::span<double> of_stage = z.subspan(i * n, n);
    guess.last->extrapolate(guess.t + guess.stages.node(i) * guess.h, guess.from_start, of_stage);
    for (std::size_t k = 0; k < n; ++k) of_stage[k] -= guess.y[k];
  }
}

}  // namespace driftless
