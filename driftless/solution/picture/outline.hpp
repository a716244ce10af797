// The data of an SVG path as straight pieces: the commands M, L, H, V, Q, A and Z, absolute and relative. Arcs are
// those of ellipses whose axes lie along x and y.
#pragma once

#include <string_view>
#include <vector>

namespace driftless {

struct PathPoint {
  double x = 0.0, y = 0.0;
};

struct Outline {
  std::vector<PathPoint> points;
  bool closed = false;
};

// Curves become pieces of at most 1/32 of a turn.
std::vector<Outline> outlines_of(std::string_view data);

}  // namespace driftless
