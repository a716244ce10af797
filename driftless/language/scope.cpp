#include "driftless/language/scope.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "driftless/language/instantiate.hpp"
#include "driftless/language/library.hpp"

namespace driftless::language {

namespace {

std::string joined(const NameParts& parts) { return fmt::format("{}", fmt::join(parts, ".")); }

bool is_protected(const Symbol& symbol) {
  return symbol.component ? symbol.component->is_protected() : symbol.local->is_protected();
}

bool is_package(const Scope& scope) {
  const ast::ClassKind kind = scope.syntax->kind;
  return kind == ast::ClassKind::Package || kind == ast::ClassKind::Operator || kind == ast::ClassKind::OperatorRecord;
}

// Other classes than packages count as such if they could be one; of the rest only encapsulated classes are seen
// from outside (Modelica 3.6, Section 5.3.2).
bool is_like_package(const Instance& instance) {
  for (const Scope& layer : instance.layers)
    if (layer.body() && (!layer.body()->equations.empty() || !layer.body()->algorithms.empty())) return false;
  return std::ranges::all_of(instance.components,
                             [](const Component& component) { return component.kind == Component::Kind::Constant; });
}

bool is_encapsulated(const Symbol& symbol) { return symbol.local && symbol.local->of->syntax->encapsulated; }

// Elements that a class adds to its bases are not visible in the text of these bases.
bool is_visible_from(const Scope& scope, const Symbol& symbol, std::string_view name) {
  Instance& instance = *scope.instance;
  if (&scope == &instance.layers.front()) return true;
  if (symbol.component) {
    const Component& component = *symbol.component;
    if (component.instance != &instance) return true;  // an outer component
    if (inherits(scope, component.original_scope ? *component.original_scope : *component.scope)) return true;
    return std::ranges::any_of(component.declared_again, [&](const Scope* layer) { return inherits(scope, *layer); });
  }
  return std::ranges::any_of(
      instance.layers, [&](const Scope& layer) { return inherits(scope, layer) && layer.of->child(name) != nullptr; });
}

Symbol find_from(Scope& scope, std::string_view name) {
  Symbol symbol = find_in(*scope.instance, name);
  if (!symbol.found() || !is_visible_from(scope, symbol, name)) return {};
  // `model extends M` without redeclare leaves the M of the base class to its own text (Modelica 3.6, Section 7.3.1).
  while (symbol.local && symbol.local->inherited && symbol.local->declaration &&
         !symbol.local->declaration->redeclare && !inherits(scope, *symbol.local->declared_in))
    symbol.local = symbol.local->inherited;
  return symbol;
}

enum class By { Name, Import };  // an import names only elements of packages

Found descend(Symbol symbol, Instance* owner, const NameParts& parts, By by = By::Name) {
  std::size_t used = 1;
  const OuterComponent* const outer = symbol.outer;
  while (symbol.local && used < parts.size()) {
    Instance* inside = instance_of(*symbol.local);
    if (!inside || inside->layers.empty()) return {.missing = used, .inside = symbol.local->around};
    Scope& scope = inside->own();
    symbol = find_in(*inside, parts[used]);
    if (!symbol.found()) return {.missing = used, .inside = &scope};
    // A partial package has no values before it is complete, but its classes can be named: the Modelica Standard
    // Library extends those of partial packages.
    const bool is_class_of_package = symbol.local && is_package(scope);
    if (scope.syntax->partial && !is_class_of_package)
      return {.missing = used, .inside = &scope, .denied = Found::Denied::Partial};
    if (is_protected(symbol)) return {.missing = used, .inside = &scope, .denied = Found::Denied::Protected};
    const bool is_last = used + 1 == parts.size();
    const bool allowed = by == By::Import && is_last
                             ? is_package(scope)
                             : is_package(scope) || is_encapsulated(symbol) || is_like_package(*inside);
    const bool is_value = symbol.component && symbol.component->kind != Component::Kind::Constant;  // refused elsewhere
    if (!allowed && !is_value) return {.missing = used, .inside = &scope, .denied = Found::Denied::NotPackage};
    owner = inside;
    ++used;
  }
  return {.component = symbol.component, .local = symbol.local, .used = used, .owner = owner, .outer = outer};
}

Found look_up_global(Scope& top, const NameParts& parts, By by = By::Name) {
  const Symbol symbol = find_in(*top.instance, parts.front());
  if (symbol.found()) return descend(symbol, top.instance, parts, by);
  std::string name = joined(parts);
  if (is_library_name(name)) return {.library = std::move(name), .used = parts.size()};
  return {.inside = &top};
}

Scope& top_of(Scope& scope) {
  Scope* top = &scope;
  while (top->parent) top = top->parent;
  return *top;
}

// The parts with the first one replaced by the imported name.
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

// Does another import A.* provide the same name?
bool is_ambiguous(const Scope& scope, const ast::Import& first, const NameParts& parts, Scope& top) {
  const auto full = through_import(first, {parts.front()}, top);
  return std::ranges::any_of(scope.of->imports, [&](const ast::Import* import) {
    if (!import->all || import == &first) return false;
    const auto other = through_import(*import, {parts.front()}, top);
    return other && *other != *full;
  });
}

std::optional<Found> look_up_imports(const Scope& scope, const NameParts& parts, Scope& top) {
  for (const bool all : {false, true})  // imports of single names have priority over import A.*
    for (const ast::Import* import : scope.of->imports)
      if (import->all == all)
        if (const auto full = through_import(*import, parts, top)) {
          const std::size_t named = full->size() - parts.size() + 1;
          const NameParts imported(full->begin(), full->begin() + static_cast<std::ptrdiff_t>(named));
          const Found target = look_up_global(top, imported, By::Import);
          Found found = target.denied == Found::Denied::NotPackage ? target : look_up_global(top, *full);
          if (all && found.ok() && is_ambiguous(scope, *import, parts, top))
            found = {.inside = &top, .denied = Found::Denied::Ambiguous};
          const std::size_t longer = full->size() - parts.size();
          found.used -= std::min(found.used, longer);
          found.missing -= std::min(found.missing, longer);
          return found;
        }
  return std::nullopt;
}

}  // namespace

Instance* instance_around(const Instance& instance) {
  if (instance.parent) return instance.parent;
  const Scope* written_in = instance.layers.empty() ? nullptr : instance.layers.front().parent;
  return written_in ? written_in->instance : nullptr;
}

bool inherits(const Scope& from, const Scope& base) {
  if (&from == &base) return true;
  std::vector<const Scope*> open{&base};
  while (!open.empty()) {
    const Scope* next = open.back();
    open.pop_back();
    for (const Scope* derived : next->also_derived) {
      if (derived == &from) return true;
      open.push_back(derived);
    }
    if (next->derived == &from) return true;
    if (next->derived) open.push_back(next->derived);
  }
  return false;
}

std::string_view Modifier::name() const {
  if (const auto* change = std::get_if<ast::ElementModification>(&syntax->node)) return change->name.parts[part].text;
  if (const auto* redeclaration = std::get_if<ast::Redeclaration>(&syntax->node)) {
    const ast::Element& element = *redeclaration->element;
    if (const auto* clause = std::get_if<ast::ComponentClause>(&element.node))
      return clause->components.empty() ? std::string_view() : clause->components.front().name.text;
    if (const auto* definition = std::get_if<std::unique_ptr<ast::ClassDefinition>>(&element.node))
      return (*definition)->name.text;
  }
  return {};
}

bool LocalClass::is_protected() const {
  return (declaration && declaration->is_protected) || (declared_in && declared_in->is_protected);
}

bool Component::is_protected() const {
  return element->is_protected || (original_scope ? original_scope : scope)->is_protected;
}

std::string Component::name() const {
  return !instance || instance->path.empty() ? identifier() : instance->path + "." + identifier();
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

Symbol find_in(Instance& instance, std::string_view name) {
  const auto place = instance.symbols.find(name);
  if (place != instance.symbols.end()) return place->second;
  LocalClass* local = make_local_class(instance, name);
  if (!local) return {};
  const Symbol symbol{nullptr, local};
  instance.symbols.emplace(local->of->syntax->name.text, symbol);
  return symbol;
}

Symbol find(Scope& from, std::string_view name) {
  for (Scope* scope = &from; scope; scope = scope->parent) {
    Symbol symbol = find_from(*scope, name);
    symbol.owner = scope->instance;
    if (symbol.found()) return symbol;
    if (scope->syntax && scope->syntax->encapsulated) break;
  }
  return {};
}

Found look_up(Scope& from, const NameParts& parts, bool global) {
  if (parts.empty()) return {};
  Scope& top = top_of(from);
  if (global) return look_up_global(top, parts);
  for (Scope* scope = &from; scope; scope = scope->parent) {
    const Symbol symbol = find_from(*scope, parts.front());
    if (symbol.found()) return descend(symbol, scope->instance, parts);
    if (!scope->of->imports.empty())
      if (const auto found = look_up_imports(*scope, parts, top)) return *found;
    if (scope->syntax && scope->syntax->encapsulated) break;
  }
  std::string name = joined(parts);
  if (is_library_name(name)) return {.library = std::move(name), .used = parts.size()};
  return {.inside = &from};
}

std::vector<std::string_view> visible_components(const Scope& from) {
  std::vector<std::string_view> names;
  for (const Scope* scope = &from; scope; scope = scope->parent)
    for (const Component& component : scope->instance->components) names.push_back(component.identifier());
  return names;
}

std::vector<std::string_view> visible_classes(const Scope& from) {
  std::vector<std::string_view> names;
  for (const Scope* scope = &from; scope; scope = scope->parent)
    for (const Scope& layer : scope->instance->layers)
      for (const Class& inner : layer.of->classes) names.push_back(inner.syntax->name.text);
  return names;
}

}  // namespace driftless::language
