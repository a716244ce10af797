// Modifiers on their way to the elements that they change.
#pragma once

#include "driftless/language/scope.hpp"

namespace driftless::language {

// The modifiers for the element `name` of a layer, the strongest first. They
// count as used.
Modifiers modifiers_for(Scope& layer, std::string_view name);

const ast::Redeclaration* redeclaration_of(const Modifier& modifier);

// The modification of the element that a modifier names; null while parts of its dotted name remain, and for
// redeclarations of classes.
const ast::Modification* modification_of(const Modifier& modifier);

// The modifiers of a list that is written in this scope.
Modifiers modifiers_of(const std::vector<ast::Modifier>& list, Scope& scope);

// Adds the modifiers inside of a modifier.
void add_inner_modifiers(const Modifier& modifier, Modifiers& inner);

void append(Modifiers& to, const Modifiers& more);

}  // namespace driftless::language
