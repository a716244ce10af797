#include "driftless/language/modifiers.hpp"

namespace driftless::language {

Modifiers modifiers_for(Scope& layer, std::string_view name) {
  std::vector<Scope*> chain;
  for (Scope* scope = &layer; scope; scope = scope->derived) chain.push_back(scope);
  Modifiers found;
  for (auto scope = chain.rbegin(); scope != chain.rend(); ++scope)
    for (std::size_t k = 0; k < (*scope)->modifiers.size(); ++k)
      if ((*scope)->modifiers[k].name() == name) {
        found.push_back((*scope)->modifiers[k]);
        (*scope)->used[k] = true;
      }
  return found;
}

const ast::Redeclaration* redeclaration_of(const Modifier& modifier) {
  return std::get_if<ast::Redeclaration>(&modifier.syntax->node);
}

const ast::Modification* modification_of(const Modifier& modifier) {
  if (const auto* change = std::get_if<ast::ElementModification>(&modifier.syntax->node))
    return modifier.part + 1 == change->name.parts.size() ? &change->modification : nullptr;
  if (const auto* redeclaration = redeclaration_of(modifier))
    if (const auto* clause = std::get_if<ast::ComponentClause>(&redeclaration->element->node))
      return &clause->components.front().modification;
  return nullptr;
}

Modifiers modifiers_of(const std::vector<ast::Modifier>& list, Scope& scope) {
  Modifiers made;
  for (const ast::Modifier& syntax : list) made.push_back({&syntax, 0, &scope});
  return made;
}

void append(Modifiers& to, const Modifiers& more) { to.insert(to.end(), more.begin(), more.end()); }

void add_inner_modifiers(const Modifier& modifier, Modifiers& inner) {
  if (const auto* change = std::get_if<ast::ElementModification>(&modifier.syntax->node))
    if (modifier.part + 1 < change->name.parts.size()) {
      Modifier next = modifier;
      ++next.part;
      next.from_component = false;
      inner.push_back(std::move(next));
      return;
    }
  const ast::Modification* modification = modification_of(modifier);
  if (!modification) return;
  for (const ast::Modifier& syntax : modification->modifiers)
    inner.push_back({&syntax, 0, modifier.scope, modifier.steps, modifier.below_value});
}

}  // namespace driftless::language
