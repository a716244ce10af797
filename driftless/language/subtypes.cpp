#include "driftless/language/subtypes.hpp"

#include <fmt/format.h>

#include <deque>
#include <set>

#include "driftless/language/instantiate.hpp"

namespace driftless::language {

namespace {

// A component that is not part of any instance, only to find its type.
struct Declared {
  Declared(Elaboration& all, Scope& scope, const ast::ComponentClause& clause, const ast::Component& syntax,
           const ast::Element* element) {
    component.syntax = &syntax;
    component.clause = &clause;
    component.element = element;
    component.scope = &scope;
    component.instance = scope.instance;
    const bool muted = std::exchange(all.muted, true);
    component.type = resolve_type(all, component);
    all.muted = muted;
  }
  Component component;
};

LocalClass class_of(const ResolvedType& type) {
  LocalClass made;
  made.of = type.part;
  made.around = type.part_around;
  made.inherited = type.part_inherited;
  return made;
}

class Comparison {
 public:
  explicit Comparison(Elaboration& all) : all_(all) {}

  // Why a class does not fit another one; empty if it does. Computed once for each pair.
  std::string misfit(LocalClass given, LocalClass wanted) {
    if (!given.of || !wanted.of || given.of == wanted.of) return {};
    if (!compared_.insert({given.of, wanted.of}).second) return {};
    const bool muted = std::exchange(all_.muted, true);
    Instance* mine = instance_of(kept_.emplace_back(std::move(given)));
    Instance* theirs = instance_of(kept_.emplace_back(std::move(wanted)));
    std::string why = mine && theirs ? misfit(*mine, *theirs) : std::string();
    all_.muted = muted;
    return why;
  }

  std::string misfit(const ResolvedType& given, const ResolvedType& wanted) {
    if (given.part && wanted.part) return misfit(class_of(given), class_of(wanted));
    if (given.part || wanted.part) return "only one of them has components";
    return misfit_of_types(given, wanted);
  }

 private:
  static std::string misfit_of_types(const ResolvedType& given, const ResolvedType& wanted) {
    if (given.type == Type::Invalid || wanted.type == Type::Invalid) return {};
    const std::string mine = given.enumeration ? *given.enumeration : std::string(to_string(given.type));
    const std::string theirs = wanted.enumeration ? *wanted.enumeration : std::string(to_string(wanted.type));
    if (given.type != wanted.type) return fmt::format("it is {}, not {}", mine, theirs);
    if (given.literals && wanted.literals) {
      const auto& a = given.literals->literals;
      const auto& b = wanted.literals->literals;
      const bool same =
          a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                             [](const auto& x, const auto& y) { return x.name.text == y.name.text; });
      if (!same && !wanted.literals->open) return fmt::format("{} and {} have different values", mine, theirs);
    }
    return {};
  }

  std::string misfit(Instance& mine, Instance& theirs) {
    for (Component& wanted : theirs.components) {
      if (wanted.is_protected() || wanted.instance != &theirs || wanted.syntax->condition) continue;
      Component* given = find_in(mine, wanted.identifier()).component;
      if (!given) return fmt::format("it has no element '{}'", wanted.identifier());
      if (given->is_protected()) return fmt::format("its element '{}' is protected", wanted.identifier());
      find_type(all_, *given);
      find_type(all_, wanted);
      if (given->is_part() || wanted.is_part()) continue;
      const std::string why = misfit_of_types(given->type, wanted.type);
      if (!why.empty()) return fmt::format("of '{}', {}", wanted.identifier(), why);
      if (given->type.dimensions.size() != wanted.type.dimensions.size())
        return fmt::format("'{}' has {} dimensions, not {}", wanted.identifier(), given->type.dimensions.size(),
                           wanted.type.dimensions.size());
    }
    return {};
  }

  Elaboration& all_;
  std::set<std::pair<const Class*, const Class*>> compared_;
  std::deque<LocalClass> kept_;  // kept alive, as replacements inside them are on the lists being checked
};

ResolvedType type_of_constraint(Elaboration& all, const ast::Constraint& constraint, Scope& scope,
                                const ast::Component& syntax, const ast::Element* element) {
  ast::ComponentClause clause;
  clause.type.global = constraint.type.global;
  clause.type.parts = constraint.type.parts;
  clause.type.range = constraint.type.range;
  return Declared(all, scope, clause, syntax, element).component.type;
}

// The type that replacements of a declaration must fit.
ResolvedType demanded(Elaboration& all, const Replacement& by) {
  if (by.element->constraint)
    return type_of_constraint(all, *by.element->constraint, *by.scope, *by.component, by.element);
  return Declared(all, *by.scope, *by.clause, *by.component, by.element).component.type;
}

void check_replaced(Elaboration& all, Comparison& comparison, const ReplacedComponent& replaced) {
  ResolvedType wanted = demanded(all, replaced.chain.front());
  for (std::size_t k = 1; k < replaced.chain.size(); ++k) {
    const Replacement& by = replaced.chain[k];
    const Declared given(all, *by.scope, *by.clause, *by.component, by.element);
    std::string why = comparison.misfit(given.component.type, wanted);
    if (why.empty() && by.element->constraint) {
      ResolvedType narrower = demanded(all, by);
      why = comparison.misfit(narrower, wanted);
      wanted = std::move(narrower);
    }
    if (!why.empty())
      all.error(Code::WrongRedeclaration, by.component->range,
                fmt::format("'{}' cannot be redeclared as {}: {}", replaced.name, to_string(by.clause->type), why))
          .note("it must have all that this declaration has", replaced.chain.front().component->range);
  }
}

// How many dimensions the type of this name has by itself.
std::size_t rank_of(Scope& from, const ast::Name& name) {
  std::size_t rank = 0;
  Found found = look_up(from, parts_of(name), name.global);
  for (int depth = 0; found.local && found.local->of->synonym() && depth < ast::max_depth; ++depth) {
    const ast::ShortClass& synonym = *found.local->of->synonym();
    rank += synonym.subscripts.size();
    found = look_up(*found.local->around, parts_of(synonym.base), synonym.base.global);
  }
  return rank;
}

// replaceable type T = A[n] constrainedby B: A and B have equally many dimensions (Modelica 3.6, Section 7.3.2).
bool ranks_agree(Elaboration& all, const ReplacedClass& replaced) {
  const ast::ShortClass* synonym = replaced.replacing.of->synonym();
  if (!replaced.constraint || !synonym || replaced.original.of != replaced.replacing.of) return true;
  const std::size_t own = rank_of(*replaced.replacing.around, synonym->base);
  const std::size_t demanded = rank_of(*replaced.constraint_scope, replaced.constraint->type);
  if (own == demanded) return true;
  all.error(
      Code::WrongRedeclaration, replaced.range,
      fmt::format("'{}' does not fit its constraint: {} has {} dimension{}, and {} has {}", replaced.replacing.of->path,
                  to_string(synonym->base), own, own == 1 ? "" : "s", to_string(replaced.constraint->type), demanded));
  return false;
}

void check_replaced(Elaboration& all, Comparison& comparison, const ReplacedClass& replaced) {
  if (!ranks_agree(all, replaced)) return;
  LocalClass wanted = replaced.original;
  if (replaced.constraint) {
    const Found found =
        look_up(*replaced.constraint_scope, parts_of(replaced.constraint->type), replaced.constraint->type.global);
    if (!found.local) return;
    wanted = {.of = found.local->of, .around = found.local->around};
  }
  const std::string why = comparison.misfit(replaced.replacing, wanted);
  if (!why.empty())
    all.error(Code::WrongRedeclaration, replaced.range,
              fmt::format("'{}' cannot take the place of {}: {}", replaced.replacing.of->path, wanted.of->path, why))
        .note("it must have all that this class has", wanted.of->syntax->name.range);
}

void check_outer(Elaboration& all, Comparison& comparison, const OuterComponent& outer) {
  find_type(all, *outer.inner);
  const Declared declared(all, *outer.scope, *outer.clause, *outer.syntax, outer.inner->element);
  const ResolvedType& wanted = declared.component.type;
  std::string why = comparison.misfit(outer.inner->type, wanted);
  if (why.empty() && wanted.dimensions.size() != outer.inner->type.dimensions.size())
    why = fmt::format("it has {} dimensions, not {}", outer.inner->type.dimensions.size(), wanted.dimensions.size());
  for (std::size_t d = 0; why.empty() && d < wanted.dimensions.size(); ++d) {
    const ast::Subscript& one = *outer.inner->type.dimensions[d].size;
    const ast::Subscript& other = *wanted.dimensions[d].size;
    const auto* mine = one ? one->as<ast::Number>() : nullptr;
    const auto* theirs = other ? other->as<ast::Number>() : nullptr;
    if (mine && theirs && mine->value != theirs->value)
      why = fmt::format("its size is {}, not {}", mine->value, theirs->value);
  }
  if (why.empty()) return;
  all.error(Code::WrongRedeclaration, outer.syntax->range,
            fmt::format("'{}' is outer, and the inner component {} does not fit: {}", outer.syntax->name.text,
                        outer.inner->name(), why))
      .note("which is declared here", outer.inner->syntax->range);
}

// replaceable A a constrainedby B: the declaration itself must fit, too.
void check_own_constraint(Elaboration& all, Comparison& comparison, const Component& component) {
  if (!component.element->constraint || component.original) return;
  const ResolvedType wanted =
      type_of_constraint(all, *component.element->constraint, *component.scope, *component.syntax, component.element);
  std::string why = comparison.misfit(component.type, wanted);
  const std::size_t own = component.type.dimensions.size(), demanded = wanted.dimensions.size();
  if (why.empty() && !component.is_part() && own != demanded)
    why = fmt::format("it has {} dimensions, not {}", own, demanded);
  if (!why.empty())
    all.error(Code::WrongRedeclaration, component.syntax->range,
              fmt::format("'{}' does not fit its constraint {}: {}", component.name(),
                          to_string(component.element->constraint->type), why));
}

}  // namespace

void check_subtypes(Elaboration& all, const Flat& flat) {
  if (all.has_errors()) return;
  Comparison comparison(all);
  // A comparison may instantiate classes, which makes the lists longer: entries are copied, and only those of the model
  // itself are checked.
  const std::size_t components = all.replaced_components.size(), outers = all.outer_components.size();
  for (std::size_t k = 0; k < components; ++k) {
    const ReplacedComponent replaced = all.replaced_components[k];
    check_replaced(all, comparison, replaced);
  }
  for (std::size_t k = 0; k < all.replaced_classes.size(); ++k) {
    const ReplacedClass replaced = all.replaced_classes[k];
    check_replaced(all, comparison, replaced);
  }
  for (std::size_t k = 0; k < outers; ++k) {
    const OuterComponent outer = all.outer_components[k];
    check_outer(all, comparison, outer);
  }
  for (const Instance* instance : flat.instances)
    for (const Component& component : instance->components) check_own_constraint(all, comparison, component);
}

}  // namespace driftless::language
