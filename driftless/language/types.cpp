// Type names and sizes of declarations.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/elaboration.hpp"
#include "driftless/language/library.hpp"

namespace driftless::language {

namespace {

void add_dimensions(std::vector<Dimension>& dimensions, const std::vector<ast::Subscript>& subscripts, Scope& scope) {
  for (const ast::Subscript& subscript : subscripts) dimensions.push_back({&subscript, &scope});
}

std::string class_phrase(const Scope& scope) {
  return fmt::format("components of the {} {}", ast::to_string(scope.syntax->kind), scope.path);
}

}  // namespace

ResolvedType resolve_type(Elaboration& all, const Component& component) {
  ResolvedType result;
  add_dimensions(result.dimensions, component.syntax->subscripts, *component.scope);
  add_dimensions(result.dimensions, component.clause->subscripts, *component.scope);
  result.attributes.push_back({&component.syntax->modification.modifiers, component.scope, 0});

  std::vector<const Scope*> seen;
  const ast::Name* name = &component.clause->type;
  Scope* scope = component.scope;
  Locals nothing;
  while (true) {
    const Found found = look_up(*scope, parts_of(*name), name->global);
    if (!found.library.empty()) {
      if (const auto type = library_type(found.library)) {
        result.type = type->type;
        result.unit = type->unit;
      } else {
        all.error(Code::NotAType, name->range, fmt::format("'{}' is not a type", to_string(*name)));
      }
      break;
    }
    if (!found.ok()) {
      if (!name->empty()) report_unknown({all, *scope, nothing}, name->parts, found, "type");
      break;
    }
    if (!found.scope) {
      all.error(Code::NotAType, name->range, fmt::format("'{}' is not a type", to_string(*name)))
          .note("declared here", found.component->syntax->name.range);
      break;
    }
    if (const auto* enumeration = std::get_if<ast::Enumeration>(&found.scope->syntax->node)) {
      result.type = Type::Enumeration;
      result.literals = enumeration;
      result.enumeration = &found.scope->path;
      break;
    }
    const auto* synonym = std::get_if<ast::ShortClass>(&found.scope->syntax->node);
    if (!synonym) {
      all.not_supported(name->range, class_phrase(*found.scope));
      break;
    }
    if (std::ranges::find(seen, found.scope) != seen.end()) {
      all.error(Code::DependsOnItself, found.scope->syntax->name.range,
                fmt::format("type '{}' is defined by itself", found.scope->path));
      break;
    }
    seen.push_back(found.scope);
    result.attributes.push_back({&synonym->modifiers, found.scope, result.dimensions.size()});
    add_dimensions(result.dimensions, synonym->subscripts, *found.scope);
    name = &synonym->base;
    scope = found.scope->parent;
  }
  // So far `dimensions` of the attributes holds how many came before; the attributes speak about the rest.
  for (Attributes& attributes : result.attributes)
    attributes.dimensions = result.dimensions.size() - attributes.dimensions;
  std::ranges::reverse(result.attributes);
  return result;
}

std::optional<IndexType> index_type(Scope& scope, const ast::Expression& expression) {
  const auto* reference = expression.as<ast::Reference>();
  if (!reference) return std::nullopt;
  for (const ast::ReferencePart& part : reference->parts)
    if (!part.subscripts.empty()) return std::nullopt;
  const Found found = look_up(scope, parts_of(*reference), reference->global);
  if (found.library == "Boolean") return IndexType{Type::Boolean, 2, nullptr};
  if (!found.scope) return std::nullopt;
  const auto* enumeration = std::get_if<ast::Enumeration>(&found.scope->syntax->node);
  if (!enumeration) return std::nullopt;
  return IndexType{Type::Enumeration, static_cast<std::int64_t>(enumeration->literals.size()), &found.scope->path};
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
    const bool here = dimensions[d].scope == &at.scope;
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
