// Does one type fit where another is demanded (Modelica 3.6, Sections 6.4 and 6.5)? A replacement must have every
// public component of what it replaces, and an inner component every one of its outer declarations.
#pragma once

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

// All replacements and outer components that were met while the model was instantiated.
void check_subtypes(Elaboration& all, const Flat& flat);

}  // namespace driftless::language
