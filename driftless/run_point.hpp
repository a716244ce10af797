// The present point of a run: its equations with every level of every constraint, and a point that satisfies them, with
// the values of all parameters.
#pragma once

#include <memory>

#include "driftless/initialize/initialize.hpp"
#include "driftless/reduce/reduced.hpp"

namespace driftless {

struct RunPoint {
  std::shared_ptr<const Reduced> base;
  State state;
};

}  // namespace driftless
