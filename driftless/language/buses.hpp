// Expandable connectors (Modelica 3.6, Section 9.1.3): buses, whose members are defined by connect equations.
#pragma once

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

bool is_expandable(const Instance& instance);

// Gives every expandable connector of the model the members that the connections of its set name, each with the type of
// its counterpart; declared variables without connections are absent. True if something changed: then the instances and
// components of the model must be listed again.
bool expand_buses(Elaboration& all, const Flat& flat);

}  // namespace driftless::language
