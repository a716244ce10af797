// Classes as they are seen from the instances in which they are declared.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/instantiate.hpp"
#include "driftless/language/modifiers.hpp"

namespace driftless::language {

namespace {

// The redeclaration of a class among modifiers, the strongest one.
struct ClassRedeclaration {
  const ast::Element* element = nullptr;
  const ast::ClassDefinition* definition = nullptr;
  Scope* scope = nullptr;
};

ClassRedeclaration class_redeclaration(const Modifiers& modifiers) {
  for (const Modifier& modifier : modifiers)
    if (const auto* redeclaration = redeclaration_of(modifier))
      if (const auto* definition = std::get_if<std::unique_ptr<ast::ClassDefinition>>(&redeclaration->element->node))
        return {redeclaration->element.get(), definition->get(), modifier.scope};
  return {};
}

// Each redeclaration must satisfy the constraint of the previous one; they are compared in subtypes.cpp.
void note_replacements(Elaboration& all, const LocalClass& original, const Modifiers& outer) {
  const ast::Element* declared = original.of->element;
  const ast::Constraint* constraint = declared && declared->constraint ? &*declared->constraint : nullptr;
  Scope* scope = original.around;
  for (auto modifier = outer.rbegin(); modifier != outer.rend(); ++modifier) {
    const auto* redeclaration = redeclaration_of(*modifier);
    const auto* definition =
        redeclaration ? std::get_if<std::unique_ptr<ast::ClassDefinition>>(&redeclaration->element->node) : nullptr;
    if (!definition) continue;
    const ast::Element& element = *redeclaration->element;
    const Class& of = all.class_of(element, **definition, *modifier->scope->of);
    all.replaced_classes.push_back(
        {original, {.of = &of, .around = modifier->scope}, constraint, scope, (*definition)->name.range});
    if (!element.constraint) continue;
    constraint = &*element.constraint;
    scope = modifier->scope;
  }
}

// By the name of a component only its public elements can be modified.
void refuse_protected(const LocalClass& local, const Modifiers& outer) {
  if (!local.is_protected()) return;
  for (const Modifier& modifier : outer)
    if (modifier.from_component)
      local.around->instance->all.error(Code::NotAccessible, modifier.syntax->range,
                                        fmt::format("'{}' is protected in {}: it cannot be modified from outside",
                                                    local.of->syntax->name.text, local.around->path()));
}

LocalClass& add_local_class(Instance& instance, Scope& layer, const Class& of) {
  Elaboration& all = instance.all;
  LocalClass& local = instance.local_classes.emplace_back();
  local.of = &of;
  local.around = &layer;
  local.declaration = of.element;
  local.declared_in = &layer;
  const Modifiers outer = modifiers_for(layer, of.syntax->name.text);
  refuse_protected(local, outer);
  for (const Modifier& modifier : outer) add_inner_modifiers(modifier, local.modifiers);
  const ClassRedeclaration replacing = class_redeclaration(outer);
  if (!replacing.definition) {
    if (of.element && of.element->constraint)
      all.replaced_classes.push_back({{.of = &of, .around = &layer},
                                      {.of = &of, .around = &layer},
                                      &*of.element->constraint,
                                      &layer,
                                      of.syntax->name.range});
    return local;
  }
  if (!of.element || of.element->is_final || (!of.element->replaceable && !of.element->redeclare))
    all.error(Code::WrongRedeclaration, replacing.definition->name.range,
              fmt::format("the class '{}' is {} and cannot be redeclared", of.path,
                          of.element && of.element->is_final ? "final" : "not replaceable"))
        .note("declared here", of.syntax->name.range);
  const LocalClass original{.of = local.of, .around = local.around, .modifiers = {}};
  if (of.element && of.element->constraint)
    append(local.modifiers, modifiers_of(of.element->constraint->modifiers, layer));
  local.of = &all.class_of(*replacing.element, *replacing.definition, *replacing.scope->of);
  local.around = replacing.scope;
  note_replacements(all, original, outer);
  return local;
}

// redeclare model extends M: the extended class must be replaceable.
void check_class_extends(Elaboration& all, const LocalClass& extending, const LocalClass& inherited) {
  const ast::Identifier& name = extending.of->syntax->name;
  if (inherited.declaration && !inherited.declaration->replaceable && !inherited.declaration->redeclare)
    all.error(Code::WrongRedeclaration, name.range,
              fmt::format("the class '{}' is not replaceable and cannot be redeclared", inherited.of->path))
        .note("declared here", inherited.of->syntax->name.range);
}

// Are two declarations of a name equivalent? Comments and annotations of synonyms are ignored.
bool is_same_class(const Elaboration& all, const ast::ClassDefinition& a, const ast::ClassDefinition& b) {
  const auto* one = std::get_if<ast::ShortClass>(&a.node);
  const auto* other = std::get_if<ast::ShortClass>(&b.node);
  if (!one || !other) return all.source_text(a.range) == all.source_text(b.range);
  const auto same_text = [&](const ast::Modifier& x, const ast::Modifier& y) {
    return all.source_text(x.range) == all.source_text(y.range);
  };
  const bool plain = one->subscripts.empty() && other->subscripts.empty();
  return plain && a.kind == b.kind && one->causality == other->causality &&
         all.source_text(one->base.range) == all.source_text(other->base.range) &&
         std::ranges::equal(one->modifiers, other->modifiers, same_text);
}

// A class may replace an inherited one of its name only by redeclare, and if both are public or both protected.
void check_inherited_classes(Instance& instance, const LocalClass& own, std::string_view name) {
  Elaboration& all = instance.all;
  if (!own.declaration) return;
  const Class& declared = *own.declared_in->of->child(name);  // own.of may have replaced it
  for (const Scope& layer : instance.layers) {
    if (&layer == own.declared_in || !inherits(*own.declared_in, layer)) continue;
    const auto place = layer.of->by_name.find(name);
    const Class* other = place == layer.of->by_name.end() ? nullptr : place->second;
    if (!other || !other->element) continue;
    const bool replaces = own.declaration->redeclare;
    const std::string_view why = replaces && other->element->is_final ? "it is final"
                                 : replaces && !other->element->replaceable && !other->element->redeclare
                                     ? "it is not replaceable"
                                 : replaces && other->element->is_protected != own.declaration->is_protected
                                     ? "a redeclaration stays public or protected as it was"
                                 : !replaces && !is_same_class(all, *other->syntax, *declared.syntax)
                                     ? "write 'redeclare' if it is to be replaced"
                                     : "";
    if (why.empty()) continue;
    all.error(Code::WrongRedeclaration, declared.syntax->name.range,
              fmt::format("'{}' has the name of an inherited class: {}", declared.path, why))
        .note("which is declared here", other->syntax->name.range);
  }
}

// outer function f = F: the class that is declared `inner` in the nearest instance around this one.
LocalClass* inner_class(const Instance& instance, const Class& outer) {
  if (!outer.element || !outer.element->outer || outer.element->inner) return nullptr;
  for (Instance* around = instance_around(instance); around; around = instance_around(*around)) {
    LocalClass* local = find_in(*around, outer.syntax->name.text).local;
    if (local && local->declaration && local->declaration->inner) return local;
  }
  return nullptr;
}

}  // namespace

LocalClass* make_local_class(Instance& instance, std::string_view name) {
  LocalClass* made = nullptr;
  LocalClass* last = nullptr;
  for (Scope& layer : instance.layers) {
    const Class* of = layer.of->child(name);
    if (!of) continue;
    if (LocalClass* inner = made ? nullptr : inner_class(instance, *of)) return inner;
    LocalClass& local = add_local_class(instance, layer, *of);
    if (last) {
      last->inherited = &local;
      check_class_extends(instance.all, *last, local);
    }
    if (!made) made = &local;
    last = &local;
    if (!local.of->body() || !local.of->body()->extends) break;
  }
  if (made && last) check_inherited_classes(instance, *last, name);
  return made;
}

Instance* instance_of(LocalClass& local) {
  if (local.instance) return local.failed ? nullptr : local.instance.get();
  // Classes inside it are visible while it is made: package P extends P.Icons.Package; ...
  local.instance = std::make_shared<Instance>(local.around->instance->all);
  local.failed = !fill_instance(*local.instance, {local.of, local.around, local.modifiers, local.inherited});
  return local.failed ? nullptr : local.instance.get();
}

LocalClass* local_class_of(Elaboration& all, const Class& wanted) {
  Instance* around = all.top.get();
  if (wanted.parent && wanted.parent->syntax) {
    LocalClass* parent = local_class_of(all, *wanted.parent);
    around = parent ? instance_of(*parent) : nullptr;
  }
  return around ? find_in(*around, wanted.syntax->name.text).local : nullptr;
}

}  // namespace driftless::language
