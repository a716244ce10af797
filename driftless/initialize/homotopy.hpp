// homotopy(actual, simplified): from the start of the simplified equations to that of the actual ones, along
//
//   s actual + (1 - s) simplified,   s from 0 to 1 (Modelica 3.6, Section 3.7.4.4).
#pragma once

#include <optional>

#include "driftless/initialize/start.hpp"
#include "driftless/initialize/values.hpp"

namespace driftless {

// True if the plain iteration has failed, or if an algebraic unknown of an equation with a simplified form has no start
// to select one of several solutions.
bool needs_homotopy(const Reduced& reduced, const FoundStart& plain);

// The values at s = 1; nothing if the path could not be followed.
std::optional<Values> follow_homotopy(const Reduced& reduced, double t);

}  // namespace driftless
