// The time between events that change something continuous. The first step after one of them is limited to a few of
// these times: a longer step would be searched for many events of which only the first counts.
#pragma once

#include <limits>

#include "driftless/archive/archive.hpp"

namespace driftless {

class EventSpacing {
 public:
  // The limit of the first step after an event at t. Infinite as long as there was only one event.
  double longest_step_behind(double t);

  void archive(Archive& archive) { archive(last_, mean_, latest_, shrinking_); }

 private:
  double last_ = std::numeric_limits<double>::quiet_NaN(), mean_ = 0.0, latest_ = 0.0;
  int shrinking_ = 0;  // how many times in a row the time between events has become shorter
};

}  // namespace driftless
