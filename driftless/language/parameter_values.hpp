// The values of parameters and constants, found before the run.
#pragma once

#include <vector>

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

// The number of the declaration, of a modifier or from outside, or the default of the type; none, with an error, if it
// is not known before the run.
void resolve_value(const Environment& at, Component& component);

// A Boolean, Integer or enumeration with fixed = false: its value is determined by initialization.
bool is_found_at_start(const Environment& at, const Component& component);

// Is one of these parameters found only at the start?
bool waits_for_start(const std::vector<Component*>& used);

}  // namespace driftless::language
