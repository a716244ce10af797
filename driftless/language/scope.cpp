#include "driftless/language/scope.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "driftless/language/library.hpp"

namespace driftless::language {

namespace {

SourceRange declared_at(const Symbol& symbol) {
  return symbol.component ? symbol.component->syntax->name.range : symbol.scope->syntax->name.range;
}

void declare(Scope& scope, std::string_view name, SourceRange range, Symbol symbol, Diagnostics& diagnostics) {
  if (name.empty()) return;
  if (name == "Real" || name == "Integer" || name == "Boolean" || name == "String") {
    diagnostics.error(Code::NameOfAType, range,
                      fmt::format("'{}' is a predefined type: nothing else can have its name", name));
    return;
  }
  const auto [place, fresh] = scope.symbols.emplace(name, symbol);
  if (!fresh)
    diagnostics.error(Code::DeclaredTwice, range, fmt::format("'{}' is declared twice", name))
        .note("the first declaration is here", declared_at(place->second));
}

Component::Kind kind_of(const ast::ComponentClause& clause) {
  switch (clause.variability) {
    case ast::Variability::Constant: return Component::Kind::Constant;
    case ast::Variability::Parameter: return Component::Kind::Parameter;
    default: return Component::Kind::Variable;
  }
}

void add_class(Scope& parent, const ast::ClassDefinition& syntax, bool is_protected, Diagnostics& diagnostics) {
  Scope& scope = parent.classes.emplace_back();
  scope.is_protected = is_protected;
  scope.syntax = &syntax;
  scope.parent = &parent;
  scope.path = parent.path.empty() ? syntax.name.text : parent.path + "." + syntax.name.text;
  declare(parent, syntax.name.text, syntax.name.range, {nullptr, &scope}, diagnostics);

  const auto* body = std::get_if<ast::LongClass>(&syntax.node);
  if (!body) return;
  for (const ast::Element& element : body->elements) {
    if (const auto* inner = std::get_if<std::unique_ptr<ast::ClassDefinition>>(&element.node)) {
      add_class(scope, **inner, element.is_protected, diagnostics);
    } else if (const auto* import = std::get_if<ast::Import>(&element.node)) {
      scope.imports.push_back(import);
    } else if (const auto* clause = std::get_if<ast::ComponentClause>(&element.node)) {
      for (const ast::Component& component : clause->components) {
        Component& added = scope.components.emplace_back();
        added.syntax = &component;
        added.clause = clause;
        added.element = &element;
        added.scope = &scope;
        added.kind = kind_of(*clause);
        declare(scope, component.name.text, component.name.range, {&added, nullptr}, diagnostics);
      }
    }
  }
}

std::string joined(const NameParts& parts) { return fmt::format("{}", fmt::join(parts, ".")); }

Found descend(Symbol symbol, const NameParts& parts) {
  std::size_t used = 1;
  while (symbol.scope && used < parts.size()) {
    const auto place = symbol.scope->symbols.find(parts[used]);
    if (place == symbol.scope->symbols.end()) return {.missing = used, .inside = symbol.scope};
    if (symbol.scope->syntax->partial)
      return {.missing = used, .inside = symbol.scope, .denied = Found::Denied::Partial};
    symbol = place->second;
    if (symbol.component ? symbol.component->element->is_protected : symbol.scope->is_protected)
      return {.missing = used,
              .inside = symbol.component ? symbol.component->scope : symbol.scope->parent,
              .denied = Found::Denied::Protected};
    ++used;
  }
  return {.component = symbol.component, .scope = symbol.scope, .used = used};
}

Found look_up_global(Scope& top, const NameParts& parts) {
  const auto place = top.symbols.find(parts.front());
  if (place != top.symbols.end()) return descend(place->second, parts);
  std::string name = joined(parts);
  if (is_library_name(name)) return {.library = std::move(name), .used = parts.size()};
  return {.inside = &top};
}

Scope& top_of(Scope& scope) {
  Scope* top = &scope;
  while (top->parent) top = top->parent;
  return *top;
}

// The parts with the first one replaced by what the import says it means.
std::optional<NameParts> through_import(const ast::Import& import, const NameParts& parts, Scope& top) {
  NameParts full = parts_of(import.name);
  const auto append = [&](std::size_t from) {
    full.insert(full.end(), parts.begin() + static_cast<std::ptrdiff_t>(from), parts.end());
    return full;
  };
  if (!import.alias.empty()) return import.alias.text == parts.front() ? std::optional(append(1)) : std::nullopt;
  if (import.all) {
    NameParts candidate = full;
    candidate.push_back(parts.front());
    NameParts complete = append(0);
    if (look_up_global(top, candidate).ok() || is_listed_library_name(joined(complete))) return complete;
    return std::nullopt;
  }
  if (!import.names.empty()) {
    const bool listed = std::ranges::any_of(import.names, [&](const auto& name) { return name.text == parts.front(); });
    return listed ? std::optional(append(0)) : std::nullopt;
  }
  return !full.empty() && full.back() == parts.front() ? std::optional(append(1)) : std::nullopt;
}

}  // namespace

std::unique_ptr<Scope> build_scopes(const ast::StoredDefinition& tree, Diagnostics& diagnostics) {
  auto top = std::make_unique<Scope>();
  for (const ast::ClassDefinition& definition : tree.classes) add_class(*top, definition, false, diagnostics);
  return top;
}

NameParts parts_of(const ast::Name& name) {
  NameParts parts;
  for (const ast::Identifier& part : name.parts) parts.push_back(part.text);
  return parts;
}

NameParts parts_of(const ast::Reference& reference) {
  NameParts parts;
  for (const ast::ReferencePart& part : reference.parts) parts.push_back(part.name.text);
  return parts;
}

Symbol find(Scope& from, std::string_view name) {
  for (Scope* scope = &from; scope; scope = scope->parent) {
    const auto place = scope->symbols.find(name);
    if (place != scope->symbols.end()) return place->second;
    if (scope->syntax && scope->syntax->encapsulated) break;
  }
  return {};
}

Found look_up(Scope& from, const NameParts& parts, bool global) {
  if (parts.empty()) return {};
  Scope& top = top_of(from);
  if (global) return look_up_global(top, parts);
  for (Scope* scope = &from; scope; scope = scope->parent) {
    const auto place = scope->symbols.find(parts.front());
    if (place != scope->symbols.end()) return descend(place->second, parts);
    for (const bool all : {false, true})  // import A.* gives way to the imports of single names
      for (const ast::Import* import : scope->imports)
        if (import->all == all)
          if (const auto full = through_import(*import, parts, top)) {
            Found found = look_up_global(top, *full);
            const std::size_t longer = full->size() - parts.size();
            found.used -= std::min(found.used, longer);
            found.missing -= std::min(found.missing, longer);
            return found;
          }
    if (scope->syntax && scope->syntax->encapsulated) break;
  }
  std::string name = joined(parts);
  if (is_library_name(name)) return {.library = std::move(name), .used = parts.size()};
  return {.inside = &from};
}

std::vector<std::string_view> visible_components(const Scope& from) {
  std::vector<std::string_view> names;
  for (const Scope* scope = &from; scope; scope = scope->parent)
    for (const Component& component : scope->components) names.push_back(component.name());
  return names;
}

std::vector<std::string_view> visible_classes(const Scope& from) {
  std::vector<std::string_view> names;
  for (const Scope* scope = &from; scope; scope = scope->parent)
    for (const Scope& inner : scope->classes) names.push_back(inner.syntax->name.text);
  return names;
}

}  // namespace driftless::language
