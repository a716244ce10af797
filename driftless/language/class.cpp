#include "driftless/language/class.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/libraries/libraries.hpp"

namespace driftless::language {

namespace {

using Declared = std::unordered_map<std::string_view, SourceRange>;

void declare(Declared& declared, const ast::Identifier& name, Diagnostics& diagnostics) {
  if (name.empty()) return;
  if (name.text == "Real" || name.text == "Integer" || name.text == "Boolean" || name.text == "String") {
    diagnostics.error(Code::NameOfAType, name.range,
                      fmt::format("'{}' is a predefined type: nothing else can have its name", name.text));
    return;
  }
  const auto [place, fresh] = declared.emplace(name.text, name.range);
  if (!fresh)
    diagnostics.error(Code::DeclaredTwice, name.range, fmt::format("'{}' is declared twice", name.text))
        .note("the first declaration is here", place->second);
}

void fill(Class& made, Diagnostics& diagnostics);

void add_class(Class& parent, const ast::ClassDefinition& syntax, const ast::Element* element, Declared& declared,
               Diagnostics& diagnostics) {
  declare(declared, syntax.name, diagnostics);
  Class& made = parent.classes.emplace_back();
  made.syntax = &syntax;
  made.parent = &parent;
  made.element = element;
  made.path = parent.path.empty() ? syntax.name.text : parent.path + "." + syntax.name.text;
  parent.by_name.emplace(syntax.name.text, &made);
  fill(made, diagnostics);
}

// Records an import; two imports must not give one name two meanings.
void note_import(Class& made, const ast::Import& import, Declared& imported, Diagnostics& diagnostics) {
  made.imports.push_back(&import);
  if (import.all) return;
  if (!import.alias.empty()) return declare(imported, import.alias, diagnostics);
  if (import.names.empty() && !import.name.empty()) declare(imported, import.name.parts.back(), diagnostics);
  for (const ast::Identifier& name : import.names) declare(imported, name, diagnostics);
}

void fill(Class& made, Diagnostics& diagnostics) {
  const ast::LongClass* body = made.body();
  if (!body) return;
  Declared declared, imported;
  for (const ast::Element& element : body->elements) {
    if (const auto* inner = std::get_if<std::unique_ptr<ast::ClassDefinition>>(&element.node))
      add_class(made, **inner, &element, declared, diagnostics);
    else if (const auto* import = std::get_if<ast::Import>(&element.node))
      note_import(made, *import, imported, diagnostics);
    else if (const auto* clause = std::get_if<ast::ComponentClause>(&element.node))
      for (const ast::Component& component : clause->components) declare(declared, component.name, diagnostics);
  }
}

}  // namespace

const Class* Class::child(std::string_view name) const {
  const auto place = by_name.find(name);
  if (place != by_name.end()) return place->second;
  return libraries ? load(name) : nullptr;
}

const Class* Class::load(std::string_view name) const {
  const ast::ClassDefinition* found =
      libraries->find(path.empty() ? std::string(name) : fmt::format("{}.{}", path, name));
  if (!found) return nullptr;
  Class& made = classes.emplace_back();
  made.syntax = found;
  made.parent = this;
  made.path = path.empty() ? found->name.text : path + "." + found->name.text;
  made.libraries = libraries;
  by_name.emplace(found->name.text, &made);
  Declared alone;
  declare(alone, found->name, libraries->diagnostics());
  fill(made, libraries->diagnostics());
  return &made;
}

std::unique_ptr<Class> build_classes(const ast::StoredDefinition& tree, Diagnostics& diagnostics,
                                     Libraries* libraries) {
  auto top = std::make_unique<Class>();
  top->libraries = libraries;
  if (libraries && tree.within && !tree.within->empty() && libraries->find(ast::to_string(*tree.within))) return top;
  Declared declared;
  for (const ast::ClassDefinition& definition : tree.classes)
    add_class(*top, definition, nullptr, declared, diagnostics);
  for (Class& made : top->classes) made.libraries = libraries;
  return top;
}

const Class* class_at(const Class& top, std::string_view full_name) {
  const Class* at = &top;
  for (std::size_t begin = 0; at && begin <= full_name.size();) {
    const std::size_t end = std::min(full_name.find('.', begin), full_name.size());
    at = at->child(full_name.substr(begin, end - begin));
    begin = end + 1;
  }
  return at;
}

std::unique_ptr<Class> build_class(const ast::Element& element, const ast::ClassDefinition& definition,
                                   const Class& around, Diagnostics& diagnostics) {
  auto made = std::make_unique<Class>();
  made->syntax = &definition;
  made->parent = &around;
  made->element = &element;
  made->path = around.path.empty() ? definition.name.text : around.path + "." + definition.name.text;
  fill(*made, diagnostics);
  return made;
}

bool is_external_object(const Class& of) {
  const ast::LongClass* body = of.body();
  if (!body) return false;
  for (const ast::Element& element : body->elements)
    if (const auto* extends = std::get_if<ast::Extends>(&element.node))
      if (to_string(extends->base) == "ExternalObject") return true;
  return false;
}

}  // namespace driftless::language
