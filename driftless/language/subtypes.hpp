// Does one type fit where another is required (Modelica 3.6, Sections 6.4 and 6.5)? A replacement must have every
// public component of the original, and an inner component every one of its outer declarations.
#pragma once

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

// Checks all replacements and outer components found while the model was instantiated.
void check_subtypes(Elaboration& all, const Flat& flat);

}  // namespace driftless::language
