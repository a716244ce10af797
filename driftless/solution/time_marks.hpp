// Marks on the time axis of a picture: triangles where other states were chosen, strokes at events.
#pragma once

#include <span>
#include <vector>

#include "driftless/solution/frame.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

// Tints of events, dl-event, and of the lines across jumps, dl-jump, in addition to the colour of the curve.
std::span<const Tint> event_tints();

void draw_pivots(Drawing& drawing, const Frame& frame, std::span<const Pivot> pivots);

// Events that are closer than three pixels are drawn as one low bar, so that even ten thousand of them stay readable.
void draw_events(Drawing& drawing, const Frame& frame, const Solution& solution);

// The times of all events: those that the solution keeps, and after the last of these, every time with two rows.
std::vector<double> event_times(const Solution& solution);

}  // namespace driftless
