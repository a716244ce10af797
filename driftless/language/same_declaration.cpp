#include "driftless/language/same_declaration.hpp"

#include <functional>
#include <map>

#include "driftless/language/modifiers.hpp"

namespace driftless::language {

namespace {

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
  return text;
}

bool have_same_prefixes(const Component& first, const Declaration& second) {
  const ast::ComponentClause& one = *first.clause;
  const ast::ComponentClause& other = *second.clause;
  const ast::Element& of_one = *first.element;
  const ast::Element& of_other = *second.element;
  return one.connection == other.connection && one.variability == other.variability &&
         one.causality == other.causality && of_one.is_protected == of_other.is_protected &&
         of_one.is_final == of_other.is_final && of_one.inner == of_other.inner && of_one.outer == of_other.outer &&
         of_one.replaceable == of_other.replaceable;
}

bool have_same_sizes(const std::vector<ast::Subscript>& one, const std::vector<ast::Subscript>& other) {
  if (one.size() != other.size()) return false;
  for (std::size_t k = 0; k < one.size(); ++k)
    if (!one[k] != !other[k] || (one[k] && ast::to_string(*one[k]) != ast::to_string(*other[k]))) return false;
  return true;
}

// The modifiers of a component, of its declaration and from outside: by attribute, and "" for its value and sizes.
using Said = std::map<std::string, std::string, std::less<>>;

Said said_of(const Elaboration& all, const Modifiers& modifiers, const ast::Component& syntax) {
  Said said;
  for (const Modifier& modifier : modifiers)
    said.try_emplace(std::string(modifier.name()), without_blanks(all.source_text(modifier.syntax->range)));
  for (const ast::Subscript& size : syntax.subscripts) said[""] += size ? ast::to_string(*size) + "," : ":,";
  if (syntax.condition) said[""] += " if " + ast::to_string(*syntax.condition);
  return said;
}

Said said_of(const Elaboration& all, const Component& component) {
  Said said = said_of(all, component.modifiers, *component.syntax);
  if (component.given) said[""] += "=" + without_blanks(all.source_text(component.given.syntax->range));
  return said;
}

Said said_of(const Elaboration& all, const Declaration& declaration) {
  Modifiers inner;
  const ast::Expression* value = nullptr;
  for (const Modifier& modifier : modifiers_for(*declaration.scope, declaration.syntax->name.text)) {
    add_inner_modifiers(modifier, inner);
    const ast::Modification* modification = modification_of(modifier);
    if (!value && modification && modification->value) value = modification->value.get();
  }
  append(inner, modifiers_of(declaration.syntax->modification.modifiers, *declaration.scope));
  if (!value) value = declaration.syntax->modification.value.get();
  Said said = said_of(all, inner, *declaration.syntax);
  if (value) said[""] += "=" + without_blanks(all.source_text(value->range));
  return said;
}

}  // namespace

bool is_same_declaration(Elaboration& all, const Component& first, const Declaration& second) {
  if (first.original || !have_same_prefixes(first, second) ||
      !have_same_sizes(first.clause->subscripts, second.clause->subscripts))
    return false;
  const Found one = look_up(*first.scope, parts_of(first.clause->type), first.clause->type.global);
  const Found two = look_up(*second.scope, parts_of(second.clause->type), second.clause->type.global);
  const bool same_type = one.local && two.local ? one.local->of == two.local->of : one.library == two.library;
  if (!same_type) return false;
  const auto text = [&](const ast::Component& syntax) { return without_blanks(all.source_text(syntax.range)); };
  return text(*first.syntax) == text(*second.syntax) || said_of(all, first) == said_of(all, second);
}

}  // namespace driftless::language
