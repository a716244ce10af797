// What classes of each kind may contain, and which prefixes components may have (Modelica 3.6, Sections 4.4, 4.6 and
// 4.8). Rules about the text of a class are checked once for each class, the others once for each component.
#pragma once

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

// The rules for the text of a class.
void check_content(Elaboration& all, const Class& of);

// The rules for a component whose type has been found.
void check_prefixes(Elaboration& all, const Component& component);

// Every connector has as many flows as potentials (Section 9.3.1), and a discrete Real of a part gets its value in a
// when clause of its own class.
void check_components(Elaboration& all, const Flat& flat);

}  // namespace driftless::language
