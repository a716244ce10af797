// Points and rods recognized in the equations of a model (mechanism.hpp).
#pragma once

#include <vector>

#include "driftless/report/mechanism.hpp"

namespace driftless::reporting {

std::vector<AnimatedShape> points_and_rods(const Model& model, const std::vector<int>& highest);

// Connectors with positions and forces, and the parts between them.
std::vector<AnimatedShape> frames_and_parts(const Model& model);

}  // namespace driftless::reporting
