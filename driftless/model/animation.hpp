// Shapes that the author of a mechanism wants to see moving: their corners are expressions of the model, which are
// drawn but not solved.
#pragma once

#include <string>
#include <vector>

#include "driftless/diagnostics/source.hpp"
#include "driftless/expr/pool.hpp"

namespace driftless {

struct AnimatedShape {
  enum class Kind { Point, Line, Circle };
  Kind kind = Kind::Point;
  std::string name;
  int dimension = 2;  // or 3
  // Corners one after the other, `dimension` numbers each; a circle has its centre followed by its radius.
  std::vector<NodeId> values;
  SourceRange range;
};

}  // namespace driftless
