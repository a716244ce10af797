// Which names a piece of syntax mentions: enough to visit declarations in an order in which each finds the values
// it needs, without recursion from one declaration into the next.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "driftless/language/scope.hpp"

namespace driftless::language {

using ReferenceVisitor = std::function<void(const ast::Reference&)>;

// Visits every name in the expression, including names of functions.
void visit_references(const ast::Expression& expression, const ReferenceVisitor& visit);
void visit_references(const std::vector<ast::Subscript>& subscripts, const ReferenceVisitor& visit);

// The component and those it mentions, directly or indirectly, that `wanted` accepts: each after those it needs, unless
// there is a cycle. Uses an explicit stack, as chains of declarations may have any length.
std::vector<Component*> in_order_of_need(Component& component, const std::function<bool(const Component&)>& wanted);

// The shortest cycle of components, each mentioning the next and the last one the first, through the one given;
// only that one if there is none.
std::vector<Component*> cycle_through(Component& component);

// The targets of assignments in the statements, and their names; a name may occur several times.
std::vector<const ast::Reference*> assigned_targets(std::span<const ast::Statement> statements);
std::vector<std::string_view> assigned_names(std::span<const ast::Statement> statements);

}  // namespace driftless::language
