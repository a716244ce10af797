#include "driftless/integrate/run/event_spacing.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace driftless {
namespace {

constexpr double events_of_first_step = 4.0;
constexpr double weight_of_spacing = 0.125;
constexpr int events_of_shrinking = 4;               // successive events at ever shorter distances: after these no step
constexpr double spacings_of_shrinking_step = 32.0;  // is longer than this, as its end would hide its beginning

}  // namespace

double EventSpacing::longest_step_behind(double t) {
  const double spacing = t - std::exchange(last_, t);
  if (!(spacing > 0.0)) return HUGE_VAL;
  shrinking_ = spacing < std::exchange(latest_, spacing) ? shrinking_ + 1 : 0;
  mean_ += (mean_ > 0.0 ? weight_of_spacing : 1.0) * (spacing - mean_);
  const double longest = events_of_first_step * mean_;
  return shrinking_ >= events_of_shrinking ? std::min(longest, spacings_of_shrinking_step * spacing) : longest;
}

}  // namespace driftless
