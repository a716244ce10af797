// Which classes a class may extend.
#pragma once

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

// Each function returns false, with an error, if the class must not be extended.

// By its kind, and because it is an operator record or contains one.
bool may_extend_class(Elaboration& all, const Scope& derived, const Class& base);
// An array, or a class with a prefix, can be extended only by a class that adds nothing.
bool may_extend_synonym(Elaboration& all, const Scope& derived, const Class& base, const ast::ShortClass& synonym);
// A predefined type.
bool may_extend_type(Elaboration& all, const Scope& layer, const ast::Name& base, SourceRange range);
// The base class must mean the same in every class that is derived from this one (Modelica 3.6, Section 7.1.4).
bool is_fixed_base(Elaboration& all, const Scope& layer, const ast::Name& name, const LocalClass& base);

}  // namespace driftless::language
