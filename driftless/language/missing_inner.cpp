#include "driftless/language/missing_inner.hpp"

#include <fmt/format.h>

namespace driftless::language {

namespace {

Found type_of(Scope& scope, const ast::ComponentClause& clause) {
  return look_up(scope, parts_of(clause.type), clause.type.global);
}

// The class after resolving synonyms; null if it is a built-in type.
const Class* class_behind(const Found& found) {
  const LocalClass* local = found.local;
  Found next;
  for (int depth = 0; local && local->of->synonym() && depth < 100; ++depth) {
    const ast::Name& base = local->of->synonym()->base;
    next = look_up(*local->around, parts_of(base), base.global);
    local = next.local;
  }
  return local ? local->of : nullptr;
}

// The message in the class's annotation about a missing inner component.
std::string missing_message(const Class* of) {
  if (!of || !of->body()) return "";
  for (const ast::Modifier& entry : of->body()->annotation)
    if (const auto* change = std::get_if<ast::ElementModification>(&entry.node))
      if (to_string(change->name) == "missingInnerMessage" && change->modification.value)
        if (const auto* text = change->modification.value->as<ast::String>()) return text->value;
  return "";
}

}  // namespace

Component* add_inner(Elaboration& all, const Declaration& outer) {
  const std::string& name = outer.syntax->name.text;
  const std::string& path = outer.scope->instance->path;
  const Class* of = class_behind(type_of(*outer.scope, *outer.clause));
  const bool is_partial = of && of->syntax->partial;
  const auto taken = all.root->symbols.find(name);
  const std::string why = taken != all.root->symbols.end()
                              ? fmt::format("another '{}' is declared in {}", name, all.model.name)
                          : is_partial ? fmt::format("{} is partial", of->path)
                                       : "";
  const auto say = [&](Diagnostic& diagnostic) {
    if (const std::string message = missing_message(of); !message.empty())
      diagnostic.note(fmt::format("{} says: {}", of->path, message));
    diagnostic.note(fmt::format("declare it in a model that contains {}: inner ... {};", path, name));
  };
  if (!why.empty()) {
    say(all.error(Code::InnerMissing, outer.syntax->range,
                  fmt::format("there is no 'inner {}' around {}, and none can be added: {}", name, path, why)));
    return nullptr;
  }
  say(all.warning(Code::InnerMissing, outer.syntax->range,
                  fmt::format("there is no 'inner {}' around {}: {} gets one with the defaults of {}", name, path,
                              all.model.name, to_string(outer.clause->type))));
  auto element = std::make_unique<ast::Element>();
  element->inner = true;
  element->range = outer.element->range;
  Component& added = all.root->components.emplace_back();
  added.syntax = outer.syntax;
  added.clause = outer.clause;
  added.element = all.made_elements.emplace_back(std::move(element)).get();
  added.scope = outer.scope;
  added.instance = all.root;
  added.prefixes = {outer.clause->variability, outer.clause->causality, outer.clause->connection};
  added.kind = added.prefixes.variability == ast::Variability::Constant    ? Component::Kind::Constant
               : added.prefixes.variability == ast::Variability::Parameter ? Component::Kind::Parameter
                                                                           : Component::Kind::Variable;
  added.is_inner = added.is_undeclared_inner = true;
  take_override(all, added);
  all.root->symbols.emplace(name, Symbol{&added, nullptr});
  return &added;
}

void check_same_class(Elaboration& all, const Component& added, const Declaration& outer) {
  const Found one = type_of(*added.scope, *added.clause);
  const Found other = type_of(*outer.scope, *outer.clause);
  if (class_behind(one) == class_behind(other) && one.library == other.library) return;
  all.error(Code::InnerMissing, outer.syntax->range,
            fmt::format("there is no 'inner {}' around {}, and none can be added: outer components of this name are of "
                        "different classes, {} and {}",
                        outer.syntax->name.text, outer.scope->instance->path, to_string(added.clause->type),
                        to_string(outer.clause->type)))
      .note("the other one is declared here", added.syntax->range);
}

}  // namespace driftless::language
