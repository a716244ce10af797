// Redeclared components.
#pragma once

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

// Replaces the component by the strongest redeclaration among these modifiers, or by that of a derived class; reports
// an error if this is not allowed.
void redeclare(Elaboration& all, Component& added, const Modifiers& outer);

}  // namespace driftless::language
