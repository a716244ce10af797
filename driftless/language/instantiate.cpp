#include "driftless/language/instantiate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/extending.hpp"
#include "driftless/language/library.hpp"
#include "driftless/language/missing_inner.hpp"
#include "driftless/language/modifiers.hpp"
#include "driftless/language/redeclare.hpp"
#include "driftless/language/restrictions.hpp"
#include "driftless/language/same_declaration.hpp"

namespace driftless::language {

namespace {

constexpr int deepest_extends = 200;

class Builder {
 public:
  Builder(Elaboration& all, Instance& instance) : all_(all), instance_(instance) {}

  bool build(const Blueprint& blueprint) {
    if (!open(blueprint, nullptr, 0)) return false;
    for (const auto& [name, redeclared] : instance_.redeclared)
      if (!redeclared.used) refuse_redeclaration(redeclared);
    for (Scope& layer : instance_.layers) check_modifiers(layer);
    mark_assigned_in_when(instance_);
    return true;
  }

 private:
  // Resolves synonyms and adds the class and its bases to the instance.
  bool open(Blueprint blueprint, Scope* derived, int depth) {
    while (const ast::ShortClass* synonym = blueprint.of->synonym()) {
      if (derived && !may_extend_synonym(all_, *derived, *blueprint.of, *synonym)) return false;
      if (++depth > deepest_extends) return refuse_depth(blueprint.of->syntax->name.range);
      if (is_predefined(*blueprint.around, synonym->base)) {
        if (!instance_.of) instance_.of = blueprint.of;
        return !derived || may_extend_type(all_, *derived, synonym->base, derived->syntax->name.range);
      }
      LocalClass* base = base_class(*blueprint.around, synonym->base);
      if (!base) return false;
      append(blueprint.modifiers, modifiers_of(synonym->modifiers, *blueprint.around));
      blueprint = behind(std::move(blueprint), *base);
    }
    if (depth > deepest_extends) return refuse_depth(blueprint.of->syntax->name.range);
    if (!instance_.of) instance_.of = blueprint.of;
    for (const Scope* scope = derived; scope; scope = scope->derived)
      if (scope->of == blueprint.of) return refuse_cycle(*blueprint.of);
    for (Scope& layer : instance_.layers)
      if (layer.of == blueprint.of && layer.parent == blueprint.around) {  // inherited twice
        if (derived) layer.also_derived.push_back(derived);
        return true;
      }
    if (derived && !may_extend_class(all_, *derived, *blueprint.of)) return false;
    Scope& layer = instance_.layers.emplace_back();
    layer.instance = &instance_;
    layer.of = blueprint.of;
    layer.syntax = blueprint.of->syntax;
    layer.parent = blueprint.around;
    layer.derived = derived;
    layer.is_protected = (derived && derived->is_protected) || protected_extends_;
    protected_extends_ = false;
    layer.modifiers = std::move(blueprint.modifiers);
    layer.used.resize(layer.modifiers.size());
    check_content(all_, *blueprint.of);
    const ast::LongClass* body = blueprint.of->body();
    if (!body) return true;  // an enumeration
    note_redeclarations(layer, *body);
    if (body->extends && !extend_inherited(layer, *body, blueprint.inherited, depth)) return false;
    return add_elements(layer, *body, depth);
  }

  // The same modifiers on the class that a synonym or an extends clause names.
  static Blueprint behind(Blueprint blueprint, const LocalClass& base) {
    append(blueprint.modifiers, base.modifiers);
    return {base.of, base.around, std::move(blueprint.modifiers), base.inherited};
  }

  static bool is_predefined(Scope& from, const ast::Name& name) {
    const Found found = look_up(from, parts_of(name), name.global);
    return !found.library.empty() && library_type(found.library);
  }

  LocalClass* base_class(Scope& from, const ast::Name& name) {
    const Found found = look_up(from, parts_of(name), name.global);
    if (found.local) return found.local;
    Locals nothing;
    const Environment at{all_, from, nothing};
    if (found.component)
      at.error(Code::WrongExtends, name.range, fmt::format("'{}' is a component, not a class", to_string(name)))
          .note("declared here", found.component->syntax->name.range);
    else if (!found.library.empty())
      at.error(Code::WrongExtends, name.range, fmt::format("'{}' has no components to be inherited", to_string(name)));
    else
      report_unknown(at, name.parts, found, "class");
    return nullptr;
  }

  bool refuse_depth(SourceRange range) {
    all_.error(Code::NestedTooDeeply, range, "classes extend each other too deeply here");
    return false;
  }

  bool refuse_cycle(const Class& of) {
    all_.error(Code::WrongExtends, of.syntax->name.range, fmt::format("{} extends itself", of.path));
    return false;
  }

  void refuse_redeclaration(const Redeclared& redeclared) {
    all_.error(Code::WrongRedeclaration, redeclared.component->range,
               fmt::format("no class that {} extends has a component '{}' that could be redeclared",
                           redeclared.scope->path(), redeclared.component->name.text));
  }

  void note_redeclarations(Scope& layer, const ast::LongClass& body) {
    for (const ast::Element& element : body.elements)
      if (const auto* clause = std::get_if<ast::ComponentClause>(&element.node))
        if (element.redeclare)
          for (const ast::Component& component : clause->components)
            instance_.redeclared.emplace(component.name.text, Redeclared{&element, clause, &component, &layer});
  }

  bool extend_inherited(Scope& layer, const ast::LongClass& body, LocalClass* inherited, int depth) {
    if (!inherited) {
      all_.error(Code::WrongExtends, layer.syntax->name.range,
                 fmt::format("there is no inherited class '{}' that could be extended", layer.syntax->name.text));
      return false;
    }
    return open(behind({nullptr, nullptr, modifiers_of(body.modifiers, layer)}, *inherited), &layer, depth + 1);
  }

  bool add_elements(Scope& layer, const ast::LongClass& body, int depth) {
    for (const ast::Element& element : body.elements) {
      if (const auto* extends = std::get_if<ast::Extends>(&element.node)) {
        protected_extends_ = element.is_protected;
        if (!extend(layer, *extends, depth)) return false;
        protected_extends_ = false;
      } else if (const auto* clause = std::get_if<ast::ComponentClause>(&element.node)) {
        if (!element.redeclare)
          for (const ast::Component& component : clause->components) add_component(layer, element, *clause, component);
      }
    }
    return true;
  }

  bool extend(Scope& layer, const ast::Extends& extends, int depth) {
    if (is_predefined(layer, extends.base))
      return may_extend_type(all_, layer, extends.base, extends.base.range);  // type T extends Real(unit = "m")
    if (is_external_object(*layer.of)) return true;                           // it has a constructor and no components
    const LocalClass* base = base_class(layer, extends.base);
    if (!base || !is_fixed_base(all_, layer, extends.base, *base)) return false;
    return open(behind({nullptr, nullptr, modifiers_of(extends.modifiers, layer)}, *base), &layer, depth + 1);
  }

  void add_component(Scope& layer, const ast::Element& element, const ast::ComponentClause& clause,
                     const ast::Component& syntax) {
    const auto known = instance_.symbols.find(syntax.name.text);
    if (known != instance_.symbols.end()) {
      const Component* other = known->second.component;
      if (element.outer && other && other->instance != &instance_) return;  // outer in two bases: the same inner one
      const bool same_class = other && (other->scope == &layer || other->original_scope == &layer);  // already reported
      if (!same_class && (!other || (other->syntax != &syntax && other->original != &syntax)) &&
          !(other && is_same_declaration(all_, *other, {&layer, &element, &clause, &syntax})))
        refuse_second(syntax, known->second);
      if (other && !same_class) known->second.component->declared_again.push_back(&layer);
      return;
    }
    if (element.outer && !element.inner && find_inner({&layer, &element, &clause, &syntax})) return;
    Component& added = instance_.components.emplace_back();
    added.syntax = &syntax;
    added.clause = &clause;
    added.element = &element;
    added.scope = &layer;
    added.instance = &instance_;
    added.is_final = element.is_final;
    added.is_inner = element.inner || element.outer;  // an outer one of the model itself serves its parts
    added.is_undeclared_inner = element.outer && !element.inner;
    const Modifiers outer = modifiers_for(layer, syntax.name.text);
    refuse_protected(added.is_protected(), added.identifier(), outer);
    redeclare(all_, added, outer);
    set_prefixes(added);
    distribute(added, outer, element);
    take_override(all_, added);
    const Symbol own{&added, nullptr};
    const Symbol around = element.inner && element.outer ? inner_around(syntax.name.text) : Symbol();
    if (around.component) instance_.inner_for_parts.emplace(syntax.name.text, own);
    instance_.symbols.emplace(syntax.name.text, around.component ? around : own);
  }

  // The component that is declared `inner` in the nearest instance around this one.
  Symbol inner_around(std::string_view name) const {
    for (Instance* around = instance_around(instance_); around; around = instance_around(*around)) {
      const auto both = around->inner_for_parts.find(name);
      if (both != around->inner_for_parts.end()) return both->second;
      const auto place = around->symbols.find(name);
      if (place != around->symbols.end() && place->second.component && place->second.component->is_inner)
        return place->second;
    }
    return {};
  }

  void refuse_second(const ast::Component& syntax, const Symbol& other) {
    all_.error(Code::DeclaredTwice, syntax.name.range,
               fmt::format("'{}' is inherited, but another element of {} has its name", syntax.name.text,
                           instance_.of->path))
        .note("the other one is here",
              other.component ? other.component->syntax->name.range : other.local->of->syntax->name.range);
  }

  // outer T x: the component `inner T x` of the nearest instance around this one. False for outer components of the
  // model itself, which is run without surroundings.
  bool find_inner(const Declaration& outer) {
    const ast::Component& syntax = *outer.syntax;
    Component* inner = inner_around(syntax.name.text).component;
    if (inner && inner->is_undeclared_inner) check_same_class(all_, *inner, outer);
    if (!inner && !instance_.parent && !instance_.as) return false;
    if (!inner && instance_.parent && all_.root) inner = add_inner(all_, outer);
    if (!inner) return false;
    const OuterComponent& known = all_.outer_components.emplace_back(outer.scope, outer.clause, &syntax, inner);
    instance_.symbols.emplace(syntax.name.text, Symbol{.component = inner, .outer = &known});
    if (!syntax.modification.empty())
      all_.error(Code::WrongModifier, syntax.modification.range,
                 fmt::format("'{}' is outer and cannot be modified: its values are those of the inner one",
                             syntax.name.text))
          .note("which is declared here", inner->syntax->range);
    return true;
  }

  // By the name of a component only its public elements can be modified.
  void refuse_protected(bool is_protected, const std::string& name, const Modifiers& outer) {
    if (!is_protected) return;
    for (const Modifier& modifier : outer)
      if (modifier.from_component)
        all_.error(
            Code::NotAccessible, modifier.syntax->range,
            fmt::format("'{}' is protected in {}: it cannot be modified from outside", name, instance_.of->path));
  }

  void set_prefixes(Component& added) {
    Prefixes& own = added.prefixes;
    own = {added.clause->variability, added.clause->causality, added.clause->connection};
    for (const ast::ComponentClause* clause : {added.original_clause}) {
      if (!clause) continue;
      if (own.variability == ast::Variability::Unspecified) own.variability = clause->variability;
      if (own.causality == ast::Causality::Unspecified) own.causality = clause->causality;
      if (own.connection == ast::Connection::Potential) own.connection = clause->connection;
    }
    const Prefixes& around = instance_.prefixes;
    own.variability = std::max(own.variability, around.variability);
    if (own.causality == ast::Causality::Unspecified) own.causality = around.causality;
    if (own.connection == ast::Connection::Potential) own.connection = around.connection;
    added.kind = own.variability == ast::Variability::Constant    ? Component::Kind::Constant
                 : own.variability == ast::Variability::Parameter ? Component::Kind::Parameter
                                                                  : Component::Kind::Variable;
  }

  // Gives the component its value and the modifiers of its elements, from the strongest to the weakest.
  void distribute(Component& added, const Modifiers& outer, const ast::Element& declared) {
    bool has_value = false;
    const auto mark_below = [&](std::size_t first) {
      for (std::size_t k = first; k < added.modifiers.size() && has_value; ++k) added.modifiers[k].below_value = true;
    };
    bool is_redeclared = false;
    for (const Modifier& modifier : outer) {
      const ast::Redeclaration* redeclaration = redeclaration_of(modifier);
      if (redeclaration && std::exchange(is_redeclared, true)) {  // this one is replaced as a whole
        if (const auto& constraint = redeclaration->element->constraint)
          append(added.modifiers, modifiers_of(constraint->modifiers, *modifier.scope));
        continue;
      }
      const std::size_t before = added.modifiers.size();
      add_inner_modifiers(modifier, added.modifiers);
      if (redeclaration && redeclaration->element->constraint)
        append(added.modifiers, modifiers_of(redeclaration->element->constraint->modifiers, *modifier.scope));
      mark_below(before);
      const ast::Modification* modification = modification_of(modifier);
      if (!modification || has_value || (modifier.below_value && instance_.value)) continue;
      if (modification->removes_value) has_value = true;
      if (!modification->value) continue;
      added.given = {modification->value.get(), modifier.scope, modifier.steps};
      has_value = true;
    }
    // A member that the record declares as a constant keeps its own value in every record (Modelica 3.6, Section 12.6);
    // one that is constant because the record is does not.
    const bool keeps_own = added.clause->variability == ast::Variability::Constant && added.syntax->modification.value;
    if (instance_.value && !has_value && !keeps_own) {
      added.given = instance_.value;
      added.given.steps.push_back({0, added.identifier()});
      has_value = true;
    }
    // The modification of a redeclaring modifier is among the modifiers from outside.
    const ast::Modification& own = added.syntax->modification;
    const bool is_outside =
        std::ranges::any_of(outer, [&](const Modifier& modifier) { return modification_of(modifier) == &own; });
    const std::size_t before_own = added.modifiers.size();
    if (!is_outside) append(added.modifiers, modifiers_of(own.modifiers, *added.scope));
    mark_below(before_own);
    if (!is_outside && !has_value && own.value) added.given = {own.value.get(), added.scope};
    // The declaration is the constraint if it has no other: its value stays (Modelica 3.6, Section 7.3.2).
    if (added.original && !added.given && !has_value && !declared.constraint && added.original->modification.value)
      added.given = {added.original->modification.value.get(), added.original_scope};
    if (added.original)
      inherit_constraint(added, declared);
    else if (declared.constraint)  // it applies to the declaration itself as well
      append(added.modifiers, modifiers_of(declared.constraint->modifiers, *added.scope));
    check_final(added, outer);
  }

  // Inherits the constraint of the replaced declaration.
  static void inherit_constraint(Component& added, const ast::Element& declared) {
    append(added.modifiers, declared.constraint
                                ? modifiers_of(declared.constraint->modifiers, *added.original_scope)
                                : modifiers_of(added.original->modification.modifiers, *added.original_scope));
  }

  void check_final(Component& added, const Modifiers& outer) {
    const ast::Modifier* fixed = nullptr;
    for (std::size_t k = 0; k < outer.size(); ++k) {
      if (!outer[k].syntax->is_final) continue;
      if (k > 0) fixed = outer[k].syntax;
      added.is_final = true;
    }
    const bool declared_final = added.element->is_final && !outer.empty();
    if (!fixed && !declared_final) return;
    all_.error(Code::FinalModified, outer.front().syntax->range,
               fmt::format("'{}' is final and cannot be modified", added.name()))
        .note("it is made final here", fixed ? fixed->range : added.element->range);
  }

  void check_modifiers(Scope& layer) {
    for (std::size_t k = 0; k < layer.modifiers.size(); ++k) {
      const Modifier& modifier = layer.modifiers[k];
      const std::string_view name = modifier.name();
      if (layer.used[k] || name.empty() || make_symbol(name)) continue;
      std::vector<std::string_view> names;
      for (const Component& component : instance_.components) names.push_back(component.identifier());
      all_.error(Code::WrongModifier, modifier.syntax->range,
                 fmt::format("{} has no element '{}'{}", layer.path(), name, did_you_mean(name, names)));
    }
  }

  bool make_symbol(std::string_view name) const { return find_in(instance_, name).local != nullptr; }

  Elaboration& all_;
  Instance& instance_;
  bool protected_extends_ = false;  // the extends clause that is being followed stands in a protected section
};

}  // namespace

std::unique_ptr<Instance> make_instance(Elaboration& all, const Blueprint& blueprint, InstancePlace place) {
  auto made = std::make_unique<Instance>(all);
  made->path = std::move(place.path);
  made->parent = place.parent;
  made->as = place.as;
  made->prefixes = place.prefixes;
  made->value = std::move(place.value);
  return fill_instance(*made, blueprint) ? std::move(made) : nullptr;
}

bool fill_instance(Instance& instance, const Blueprint& blueprint) {
  return Builder(instance.all, instance).build(blueprint);
}

}  // namespace driftless::language
