// Two declarations of one name that are inherited from two bases count once if they are equivalent (Modelica 3.6,
// Section 5.6.1.4): with the same prefixes and types, by their texts, or by their attributes with those of the extends
// clauses.
#pragma once

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

// Where a component is declared.
struct Declaration {
  Scope* scope;
  const ast::Element* element;
  const ast::ComponentClause* clause;
  const ast::Component* syntax;
};

bool is_same_declaration(Elaboration& all, const Component& first, const Declaration& second);

}  // namespace driftless::language
