// Receives the output points of a run while it goes on. A sink that writes them to a file and keeps none lets a run of
// any length work in bounded memory.
#pragma once

#include <functional>
#include <span>

#include "driftless/solution/solution.hpp"

namespace driftless {

struct RowSink {
  // The columns of `head` are known, and no point has been delivered. Called again if the run starts over with another
  // method: earlier points are then void.
  std::function<void(const Solution& head)> begin = {};

  // An output point, or one side of an event: the values of all series. Times do not decrease; rows of equal time are
  // the sides of an event. False ends the run, which keeps what it has.
  std::function<bool(double time, std::span<const double> series)> row = {};

  // An event, between the rows of its two sides. All events are reported here, even if the solution keeps the first
  // ones only.
  std::function<void(const Event& event)> event = {};

  // If false, the solution holds the last point only.
  bool keep_all = true;
};

}  // namespace driftless
