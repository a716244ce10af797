#include "driftless/language/redeclare.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/modifiers.hpp"

namespace driftless::language {

namespace {

// redeclare Real x[2, 3], where Real x[:, :] is declared: only the sizes become known.
bool only_sizes(const Component& added, const ast::ComponentClause& clause) {
  const std::vector<ast::Subscript>& sizes = added.syntax->subscripts;
  const bool open = !sizes.empty() && std::ranges::all_of(sizes, [](const ast::Subscript& size) { return !size; });
  return open && to_string(added.clause->type) == to_string(clause.type) &&
         clause.components.front().subscripts.size() == sizes.size();
}

void check_replaced(Elaboration& all, const Component& added, const ast::Component& by,
                    const ast::ComponentClause& clause) {
  const bool is_replaceable = added.element->replaceable || added.element->redeclare || only_sizes(added, clause);
  const std::string_view why = added.element->is_final                                   ? "final"
                               : added.clause->variability == ast::Variability::Constant ? "a constant"
                               : !is_replaceable                                         ? "not replaceable"
                                                                                         : "";
  if (!why.empty())
    all.error(Code::WrongRedeclaration, by.range, fmt::format("'{}' is {} and cannot be redeclared", added.name(), why))
        .note("declared here", added.syntax->range);
}

// A redeclaration can be redeclared in turn if it is replaceable itself. Each must satisfy the constraint of the
// previous one.
void check_chain(Elaboration& all, const Component& added, const Modifiers& outer, const Redeclared* own) {
  std::vector<Replacement> chain{{added.element, added.clause, added.syntax, added.scope}};
  if (own) chain.push_back({own->element, own->clause, own->component, own->scope});
  for (auto modifier = outer.rbegin(); modifier != outer.rend(); ++modifier)
    if (const auto* redeclaration = redeclaration_of(*modifier))
      if (const auto* clause = std::get_if<ast::ComponentClause>(&redeclaration->element->node))
        chain.push_back({redeclaration->element.get(), clause, &clause->components.front(), modifier->scope});
  for (std::size_t k = 1; k + 1 < chain.size(); ++k)
    if (!chain[k].element->replaceable)
      all.error(Code::WrongRedeclaration, chain[k + 1].component->range,
                fmt::format("'{}' was redeclared before, and not as replaceable", added.name()))
          .note("here", chain[k].component->range);
  all.replaced_components.push_back({added.name(), std::move(chain)});
}

}  // namespace

void redeclare(Elaboration& all, Component& added, const Modifiers& outer) {
  auto& redeclared = added.instance->redeclared;
  const auto own = redeclared.find(added.identifier());
  if (own != redeclared.end()) own->second.used = true;
  const ast::Component* syntax = nullptr;
  const ast::ComponentClause* clause = nullptr;
  Scope* scope = nullptr;
  for (const Modifier& modifier : outer) {
    const auto* redeclaration = redeclaration_of(modifier);
    const auto* replacing = redeclaration ? std::get_if<ast::ComponentClause>(&redeclaration->element->node) : nullptr;
    if (!replacing) continue;
    clause = replacing;
    syntax = &clause->components.front();
    scope = modifier.scope;
    break;
  }
  if (!syntax && own != redeclared.end()) {
    syntax = own->second.component;
    clause = own->second.clause;
    scope = own->second.scope;
  }
  if (!syntax) return;
  check_replaced(all, added, *syntax, *clause);
  if (own != redeclared.end() && own->second.element->is_protected != added.element->is_protected)
    all.error(Code::WrongRedeclaration, own->second.component->range,
              fmt::format("'{}' is {} and stays so in a redeclaration", added.name(),
                          added.element->is_protected ? "protected" : "public"))
        .note("declared here", added.syntax->range);
  check_chain(all, added, outer, own == redeclared.end() ? nullptr : &own->second);
  added.original = added.syntax;
  added.original_clause = added.clause;
  added.original_scope = added.scope;
  added.syntax = syntax;
  added.clause = clause;
  added.scope = scope;
}

}  // namespace driftless::language
