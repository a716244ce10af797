// `outer T x` without an `inner T x` around it: adds the inner component to the model (Modelica 3.6, Section 5.4).
#pragma once

#include "driftless/language/same_declaration.hpp"

namespace driftless::language {

// Adds `inner T x` to the model, with the defaults of T and a warning. Null, with an error, if T is partial or the
// model has another x.
Component* add_inner(Elaboration& all, const Declaration& outer);

// An inner component that the text does not declare serves all outer ones of its name, so these are of one class.
void check_same_class(Elaboration& all, const Component& added, const Declaration& outer);

}  // namespace driftless::language
