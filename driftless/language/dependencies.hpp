// Which names a piece of syntax mentions: enough to visit declarations in an order in which each finds the values
// it needs, without recursion from one declaration into the next.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "driftless/language/scope.hpp"

namespace driftless::language {

using ReferenceVisitor = std::function<void(const ast::Reference&)>;

// Every name in the expression, names of functions included.
void visit_references(const ast::Expression& expression, const ReferenceVisitor& visit);
void visit_references(const std::vector<ast::Subscript>& subscripts, const ReferenceVisitor& visit);

// The component and those it mentions, directly or not, that `wanted` accepts: each after all that it needs,
// where there is no cycle. Explicit stack: chains of declarations are as long as the user likes.
std::vector<Component*> in_order_of_need(Component& component, const std::function<bool(const Component&)>& wanted);

// The shortest cycle of components, each mentioning the next and the last one the first, through the one given;
// only that one if there is none.
std::vector<Component*> cycle_through(Component& component);

// What the statements assign to, and the names of that; a name may occur several times.
std::vector<const ast::Reference*> assigned_targets(std::span<const ast::Statement> statements);
std::vector<std::string_view> assigned_names(std::span<const ast::Statement> statements);

}  // namespace driftless::language
