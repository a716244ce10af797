// How far apart events lie that change something continuous. The first step behind one of them is not longer than a few
// of these times: it would be looked through for many events of which only the first counts.
#pragma once

#include <limits>

#include "driftless/archive/archive.hpp"

namespace driftless {

class EventSpacing {
 public:
  // Behind an event at t: of the first step. Infinite as long as there was one event only.
  double longest_step_behind(double t);

  void archive(Archive& archive) { archive(last_, mean_, latest_, shrinking_); }

 private:
  double last_ = std::numeric_limits<double>::quiet_NaN(), mean_ = 0.0, latest_ = 0.0;
  int shrinking_ = 0;  // so many times in a row, each shorter than the one before
};

}  // namespace driftless
