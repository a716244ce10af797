// Expandable connectors (Modelica 3.6, Section 9.1.3): buses, whose members are those that connect equations name.
#pragma once

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

bool is_expandable(const Instance& instance);

// Gives every expandable connector of the model the members that the connections of its set name, each of the type of
// what it is connected to; declared variables that nothing is connected to are absent. True if there was something to
// do: then the instances and components of the model are to be listed again.
bool expand_buses(Elaboration& all, const Flat& flat);

}  // namespace driftless::language
