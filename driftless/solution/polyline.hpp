// A curve on the screen as the data of an SVG path, with no more points than the screen can show.
// A point that is not finite interrupts the curve; a point that stands alone is drawn as a dot. Before each
// of the points `breaks`, ascending, the curve jumps: there it is interrupted as well, or goes on around a corner.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace driftless {

// For x that ascends (a time axis): within each column of one pixel the first, lowest, highest and
// last point are kept, which leaves the drawn pixels unchanged (Jugel et al., M4, 2014).
enum class AtBreak { Gap, Corner };
std::string series_path(std::span<const double> x, std::span<const double> y, std::span<const std::size_t> breaks = {},
                        AtBreak at_break = AtBreak::Gap);

// For any curve: points closer than half a pixel to their predecessor are dropped, and pieces drawn
// before are not drawn again, so that a periodic orbit costs one period.
std::string orbit_path(std::span<const double> x, std::span<const double> y, std::span<const std::size_t> breaks = {});

// The points at which the curve jumps: two points of the same time that lie apart by more than a pixel, with no other
// jump within `apart` pixels along x. Jumps that are closer together could not be distinguished.
std::vector<std::size_t> visible_jumps(std::span<const double> times, std::span<const double> x,
                                       std::span<const double> y, double apart);

// A straight line across each of these jumps.
std::string jump_path(std::span<const double> x, std::span<const double> y, std::span<const std::size_t> jumps);

}  // namespace driftless
