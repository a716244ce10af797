// A curve on the screen as the data of an SVG path, with no more points than the screen can show.
// A point that is not finite interrupts the curve; a point that stands alone is drawn as a dot.
#pragma once

#include <span>
#include <string>

namespace driftless {

// For x that ascends (a time axis): within each column of one pixel the first, lowest, highest and
// last point are kept, which leaves the drawn pixels unchanged (Jugel et al., M4, 2014).
std::string series_path(std::span<const double> x, std::span<const double> y);

// For any curve: points closer than half a pixel to their predecessor are dropped, and pieces drawn
// before are not drawn again, so that a periodic orbit costs one period.
std::string orbit_path(std::span<const double> x, std::span<const double> y);

}  // namespace driftless
