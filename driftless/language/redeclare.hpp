// Components that take the place of others.
#pragma once

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

// Puts the strongest redeclaration among these modifiers, or that of a derived class, in the place of the component,
// with an error if that may not be.
void redeclare(Elaboration& all, Component& added, const Modifiers& outer);

}  // namespace driftless::language
