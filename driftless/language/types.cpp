// Type names and sizes of declarations.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/elaboration.hpp"
#include "driftless/language/instantiate.hpp"
#include "driftless/language/library.hpp"
#include "driftless/language/restrictions.hpp"

namespace driftless::language {

namespace {

void add_dimensions(std::vector<Dimension>& dimensions, const std::vector<ast::Subscript>& subscripts, Scope& scope) {
  for (const ast::Subscript& subscript : subscripts) dimensions.push_back({&subscript, &scope});
}

// A class that only adds attributes to a type: type Angle extends Real(unit = "rad"); end Angle;
const ast::Extends* only_base(const Class& of) {
  const ast::LongClass* body = of.body();
  if (!body || !body->equations.empty() || !body->algorithms.empty() || is_external_object(of)) return nullptr;
  const ast::ClassKind kind = of.syntax->kind;
  if (kind != ast::ClassKind::Type && kind != ast::ClassKind::Connector) return nullptr;
  const ast::Extends* base = nullptr;
  for (const ast::Element& element : body->elements) {
    const auto* extends = std::get_if<ast::Extends>(&element.node);
    if (std::holds_alternative<ast::ComponentClause>(element.node) || (extends && base)) return nullptr;
    if (extends) base = extends;
  }
  return base;
}

// Follows a type name to what it means.
class TypeResolver {
 public:
  TypeResolver(Elaboration& all, const Component& component) : all_(all), component_(component) {}

  ResolvedType resolve() {
    const bool own_sizes = !component_.syntax->subscripts.empty() || !component_.clause->subscripts.empty();
    if (component_.original && !own_sizes) {
      add_dimensions(result_.dimensions, component_.original->subscripts, *component_.original_scope);
      add_dimensions(result_.dimensions, component_.original_clause->subscripts, *component_.original_scope);
    }
    add_dimensions(result_.dimensions, component_.syntax->subscripts, *component_.scope);
    add_dimensions(result_.dimensions, component_.clause->subscripts, *component_.scope);
    add(component_.modifiers);
    follow(component_.clause->type, *component_.scope);
    if (result_.part) result_.part_modifiers = std::move(modifiers_);
    for (std::size_t k = modifiers_.size(); k-- > 0 && !result_.part;) {
      const Modifier& modifier = modifiers_[k];
      result_.attributes.push_back({modifier.syntax, modifier.scope, result_.dimensions.size() - outer_dimensions_[k],
                                    modifier.syntax->each ? std::vector<Step>() : modifier.steps, modifier.part});
    }
    return std::move(result_);
  }

 private:
  // Adds modifiers, which apply inside the dimensions so far.
  void add(const Modifiers& modifiers) {
    for (const Modifier& modifier : modifiers) {
      modifiers_.push_back(modifier);
      outer_dimensions_.push_back(modifiers_.size() <= component_.modifiers.size() ? 0 : result_.dimensions.size());
    }
  }

  void follow(const ast::Name& first, Scope& from) {
    const ast::Name* name = &first;
    Scope* scope = &from;
    std::vector<const Class*> seen;
    Locals nothing;
    while (true) {
      const Found found = look_up(*scope, parts_of(*name), name->global);
      if (!found.library.empty()) return take_library(found.library, *name);
      if (!found.ok()) {
        if (!name->empty()) report_unknown({all_, *scope, nothing}, name->parts, found, "type");
        return;
      }
      if (!found.local) {
        all_.error(Code::NotAType, name->range, fmt::format("'{}' is not a type", to_string(*name)))
            .note("declared here", found.component->syntax->name.range);
        return;
      }
      LocalClass& local = *found.local;
      const Class& of = *local.of;
      if (std::ranges::find(seen, &of) != seen.end()) {
        all_.error(Code::DependsOnItself, of.syntax->name.range,
                   fmt::format("type '{}' is defined by itself", of.path));
        return;
      }
      seen.push_back(&of);
      add(local.modifiers);
      const ast::ClassKind kind = of.syntax->kind;
      result_.is_connector |= kind == ast::ClassKind::Connector || kind == ast::ClassKind::ExpandableConnector;
      if (!of.body()) check_content(all_, of);
      note_equality_constraint(local);
      if (const ast::Enumeration* enumeration = of.enumeration()) {
        result_.type = Type::Enumeration;
        result_.literals = enumeration;
        result_.enumeration = &of.path;
        return;
      }
      if (const ast::ShortClass* synonym = of.synonym()) {
        add_synonym(*synonym, *local.around);
        name = &synonym->base;
        scope = local.around;
      } else if (const ast::Extends* base = only_base(of)) {
        if (!extending_) extending_ = std::pair(&local, modifiers_.size());
        for (const ast::Modifier& modifier : base->modifiers) add({{&modifier, 0, local.around}});
        name = &base->base;
        scope = local.around;
      } else {
        return take_class(local, *name);
      }
    }
  }

  // type Orientation extends Matrix; function equalityConstraint ...
  void note_equality_constraint(LocalClass& local) {
    if (result_.equality_constraint || local.of->syntax->kind != ast::ClassKind::Type) return;
    if (!local.of->child("equalityConstraint")) return;
    Instance* instance = instance_of(local);
    result_.equality_constraint = instance ? find_in(*instance, "equalityConstraint").local : nullptr;
    result_.dimensions_around_constraint = result_.dimensions.size();
  }

  void add_synonym(const ast::ShortClass& synonym, Scope& around) {
    for (const ast::Modifier& modifier : synonym.modifiers) add({{&modifier, 0, &around}});
    add_dimensions(result_.dimensions, synonym.subscripts, around);
    if (result_.causality == ast::Causality::Unspecified) result_.causality = synonym.causality;
  }

  void take_library(const std::string& library, const ast::Name& name) {
    if (const auto type = library_type(library)) {
      result_.type = type->type;
      result_.unit = type->unit;
      result_.is_clock = library == "Clock";
    } else {
      all_.error(Code::NotAType, name.range, fmt::format("'{}' is not a type", to_string(name)));
    }
  }

  // Takes a class with components; one that adds nothing to another is treated alike.
  void take_class(LocalClass& found, const ast::Name& name) {
    if (extending_) {
      modifiers_.resize(extending_->second);
      outer_dimensions_.resize(extending_->second);
    }
    LocalClass& local = extending_ ? *extending_->first : found;
    const ast::ClassKind kind = local.of->syntax->kind;
    if (is_external_object(*local.of)) {
      result_.type = Type::Object;
      result_.enumeration = &local.of->path;
      return;
    }
    if (kind == ast::ClassKind::Function) return take_function(local, name);
    if (kind == ast::ClassKind::Package || kind == ast::ClassKind::Operator) {
      all_.error(Code::NotAType, name.range,
                 fmt::format("'{}' is a {}, not a type", to_string(name), ast::to_string(kind)));
      return;
    }
    result_.part = local.of;
    result_.part_around = local.around;
    result_.part_inherited = local.inherited;
  }

  void take_function(LocalClass& local, const ast::Name& name) {
    const ast::ClassDefinition* around = component_.scope->syntax;
    const bool of_function = around && around->kind == ast::ClassKind::Function;
    if (of_function && component_.prefixes.causality == ast::Causality::Input && result_.dimensions.empty()) {
      result_.type = Type::Function;
      result_.function = &local;
      return;
    }
    all_.error(Code::NotAType, name.range, fmt::format("'{}' is a function, not a type", to_string(name)))
        .note("only an input of a function, and no array, can be declared as a function");
  }

  Elaboration& all_;
  const Component& component_;
  ResolvedType result_;
  Modifiers modifiers_;                                           // the strongest first
  std::optional<std::pair<LocalClass*, std::size_t>> extending_;  // with the number of modifiers before its own
  std::vector<std::size_t> outer_dimensions_;
};

}  // namespace

ResolvedType resolve_type(Elaboration& all, const Component& component) {
  return TypeResolver(all, component).resolve();
}

void find_type(Elaboration& all, Component& component) {
  if (component.has_type) return;
  component.has_type = true;
  component.type = resolve_type(all, component);
  component.index_types = index_types(component);
  if (component.prefixes.causality == ast::Causality::Unspecified)
    component.prefixes.causality = component.type.causality;
  check_prefixes(all, component);
}

std::optional<IndexType> index_type(Scope& scope, const ast::Expression& expression) {
  const auto* reference = expression.as<ast::Reference>();
  return reference ? index_type(scope, *reference) : std::nullopt;
}

std::optional<IndexType> index_type(Scope& scope, const ast::Reference& reference) {
  for (const ast::ReferencePart& part : reference.parts)
    if (!part.subscripts.empty()) return std::nullopt;
  Found found = look_up(scope, parts_of(reference), reference.global);
  for (int depth = 0; found.local && found.local->of->synonym() && depth < ast::max_depth;
       ++depth) {  // type B = Boolean
    const ast::ShortClass& synonym = *found.local->of->synonym();
    if (!synonym.subscripts.empty()) return std::nullopt;
    found = look_up(*found.local->around, parts_of(synonym.base), synonym.base.global);
  }
  if (found.library == "Boolean") return IndexType{Type::Boolean, 2, nullptr};
  if (!found.local) return std::nullopt;
  const Instance* instance = instance_of(*found.local);
  const ast::Enumeration* enumeration = instance ? instance->of->enumeration() : nullptr;
  if (!enumeration) return std::nullopt;
  return IndexType{Type::Enumeration, static_cast<std::int64_t>(enumeration->literals.size()), &instance->of->path};
}

std::vector<Type> index_types(const Component& component) {
  std::vector<Type> types;
  const std::vector<Dimension>& dimensions = component.type.dimensions;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const ast::Subscript& size = *dimensions[d].size;
    const auto found = size ? index_type(*dimensions[d].scope, *size) : std::nullopt;
    if (found) types.resize(d, Type::Integer), types.push_back(found->type);
  }
  return types;
}

std::optional<Shape> resolve_shape(const Environment& at, const std::vector<Dimension>& dimensions, const Value* value,
                                   std::string_view name, SourceRange range) {
  Shape shape;
  bool complete = true;
  Locals nothing;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const ast::Subscript& size = *dimensions[d].size;
    if (!size) {
      if (value && value->valid() && static_cast<std::size_t>(value->rank()) == dimensions.size()) {
        shape.push_back(value->shape()[d]);
      } else {
        if (!value)
          at.error(Code::WrongSize, range,
                   fmt::format("the size of '{}' cannot be taken from its value, because it has none", name));
        else if (value->valid())
          at.error(Code::WrongSize, range,
                   fmt::format("'{}' has {} dimension{}, but its value is {}", name, dimensions.size(),
                               dimensions.size() == 1 ? "" : "s", to_string(value->shape())));
        return std::nullopt;
      }
      continue;
    }
    if (const auto type = index_type(*dimensions[d].scope, *size)) {
      shape.push_back(type->size);
      continue;
    }
    const bool here = dimensions[d].scope->instance == at.scope.instance;  // the function itself, or what it extends
    const Environment inside{at.all, *dimensions[d].scope, here ? at.locals : nothing, Purpose::Size};
    const auto number = evaluate_integer(inside, *size);
    if (number && *number < 0)
      at.error(Code::WrongSize, size->range, fmt::format("a size must not be negative, but this is {}", *number));
    complete = complete && number && *number >= 0;
    shape.push_back(number.value_or(0));
  }
  if (!complete || !at.all.fits(shape, range)) return std::nullopt;
  return shape;
}

}  // namespace driftless::language
