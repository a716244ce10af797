// Marks on the time axis of a picture: triangles where other states were chosen, strokes at events.
#pragma once

#include <span>
#include <vector>

#include "driftless/solution/frame.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

// Of events, dl-event, and of the lines across jumps, dl-jump, beside the colour of the curve.
std::span<const Tint> event_tints();

void draw_pivots(Drawing& drawing, const Frame& frame, std::span<const Pivot> pivots);

// Events that are closer than three pixels are one low bar, so ten thousand of them are as easy to read as one.
void draw_events(Drawing& drawing, const Frame& frame, const Solution& solution);

// Of all events: those that the solution keeps, and behind the last of these, two rows of equal time.
std::vector<double> event_times(const Solution& solution);

}  // namespace driftless
